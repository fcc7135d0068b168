// The page: it passes sticks to Go and draws what Go gives, once a frame. All
// of the game happens in Go (cli/page_js.go).
//
// In the address: bot=1 (a bot plays); transport=wt or ws: only WebTransport,
// only WebSocket; flat=1: a flat picture; panel=off: folded away;
// quality=0 to 4: a level of scene.js; and the panel's settings (panel.js).
import { flat, headSize, shapeSize } from "./canvas2d.js";
import { startInput } from "./input.js";
import { startPump } from "./pump.js";
import { initialSettings, startPanel } from "./panel.js";

const $ = (id) => document.getElementById(id);
const options = Object.fromEntries(new URLSearchParams(location.search));
const most = 2048; // instances; more are not shown

// Numbers of the head, which Go fills.
const [OWN, OWNX, OWNY] = [5, 6, 7];

let current = initialSettings(options);

// The session's token is kept while the page is loaded again, and only then: a
// copy of the tab is a player of its own.
const tokenItem = "foretick.token";
function nextToken() {
  try {
    const token = sessionStorage.getItem(tokenItem) || "";
    sessionStorage.removeItem(tokenItem);
    return token;
  } catch {
    return ""; // the browser keeps nothing
  }
}
addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(tokenItem, page.state().token || "");
  } catch { /* the place is held for a while, and then free */ }
});

const page = window.foretick = {
  options,
  token: nextToken(),    // of the session of this page before it was loaded again
  frames: 0,                                            // drawn
  pumped: 0,                                            // steps without a frame
  numbers: new Float32Array(headSize + shapeSize * 1024), // head, and the shapes of a flat picture
  poses: new Float32Array(16 * most),                   // instances of a scene (sim.Scene)
  labels: new Float32Array(6 * 64),
  deep: false,           // in three dimensions
  flat: "",              // why not, if so
  view: null, ground: null, scenery: null, // Go: what of a scene never changes
  frame: null,           // Go: (x, y, presses) fills the arrays and returns how many numbers
  state: () => ({ state: "loading", reason: "" }), // Go: how things stand
  apply: null,           // Go: (settings) turns techniques on and off, sets the link
  settings: () => ({ ...current }),
  set(s) {
    current = { ...s };
    page.apply?.(current);
    page.onset?.(current);
  },
  onset: null,           // the panel: settings were changed
  own: () => ({ known: page.numbers[OWN] > 0, x: page.numbers[OWNX], y: page.numbers[OWNY] }),
  quality: () => renderer?.quality, // of the picture, 0 is the best
  onframe: null,         // tests: called after each frame
  fail: (why) => say(why),
};

const say = (text) => {
  if ($("say").textContent === text) return;
  $("say").replaceChildren();
  if (!text) return;
  const s = document.createElement("span");
  s.textContent = text;
  $("say").append(s);
};

// note tells, in a corner, what is less than it could be.
const note = (text) => {
  $("flat").textContent = text;
  $("flat").hidden = !text;
};

// The line of text, four times a second.
let told = 0, corrections = 0, ticks = 0;
const tell = (now) => {
  if (now - told < 250) return;
  const s = page.state(), seconds = (now - told) / 1000;
  const perSecond = (n) => Math.max(0, n / seconds).toFixed(1);
  const wait = { loading: "loading ...", connecting: "connecting ...", syncing: "joining ..." };
  say(s.state === "refused" ? "The server refused: " + s.reason
    : s.state === "closed" ? "The match is over: " + s.reason + "\nReload to play again."
    : s.state in wait ? wait[s.state] + (s.reason ? " " + s.reason : "")
    : s.draws === false ? "This game draws nothing: see Game.Scene, Game.Draw and Game.Keys." : "");
  const parts = [s.state];
  if (s.player) parts.push("player " + s.player, s.transport + (s.fallback ? ", no WebTransport" : ""), "RTT " + s.rtt.toFixed(0) + " ms", "loss " + (100 * s.loss).toFixed(1) + " %",
    "lead " + s.lead.toFixed(1), "fill " + s.fill, "view delay " + s.delay.toFixed(1),
    "corrections " + perSecond(s.corrections - corrections) + "/s", perSecond(s.tick - ticks) + " ticks/s",
    "prediction " + (s.prediction ? "on" : "off"));
  corrections = s.corrections || 0;
  ticks = s.tick || 0;
  $("line").title = s.fallback || "";
  $("line").replaceChildren(...parts.map((p) => Object.assign(document.createElement("span"), { textContent: p })));
  told = now;
};

// The renderer: three dimensions if the browser and the server have them.
const chooseRenderer = async () => {
  try {
    if (options.flat) throw new Error("the address asks for it");
    if (document.body.dataset.noThree) throw new Error(document.body.dataset.noThree);
    const { deep } = await import("./scene.js");
    const r = deep($("canvas"), $("labels"), +document.body.dataset.bots, /^[0-4]$/.test(options.quality ?? "") ? +options.quality : null);
    page.deep = true;
    $("canvas").addEventListener("webglcontextlost", () => note("The browser took the graphics away; if they do not come back, reload the page."));
    $("canvas").addEventListener("webglcontextrestored", () => note(""));
    return r;
  } catch (e) {
    page.flat = e.message;
    note("A flat picture: " + e.message);
    const fresh = $("canvas").cloneNode(); // the old one may be given to WebGL already
    $("canvas").replaceWith(fresh);
    return flat(fresh);
  }
};

const read = startInput($("touch"));
let renderer;

// step is all but drawing: without frames, too, the game goes on.
const step = () => {
  const k = read();
  return page.frame(k.x, k.y, k.presses);
};

const frame = (now) => {
  requestAnimationFrame(frame);
  const n = step();
  fed();
  // Once, so that shaders compile, and then not until he plays: drawing by the
  // processor would hold up joining, which goes step by step.
  playing ||= page.state().state === "playing";
  if (n > 0 && (playing || !page.frames)) renderer.draw(page, now);
  page.frames++;
  page.onframe?.();
  tell(now);
};
let fed, playing = false;

page.begin = () => { // Go calls it when it is ready
  startPanel(page, $("panel"));
  fed = startPump(() => {
    step();
    page.pumped++;
    tell(performance.now());
  });
  requestAnimationFrame(frame);
};

// After a click the keys are the game's again; who goes by keyboard keeps the
// focus, and Escape gives the keys back.
addEventListener("click", (e) => { if (e.detail > 0) document.activeElement?.blur(); });

// The panel can be folded away; in a narrow window it begins so.
const fold = (folded) => {
  document.body.classList.toggle("folded", folded);
  $("fold").setAttribute("aria-expanded", String(!folded));
};
$("fold").addEventListener("click", () => fold(!document.body.classList.contains("folded")));
fold(matchMedia("(max-width: 900px)").matches || options.panel === "off");

const go = new Go();
const program = WebAssembly.instantiateStreaming(fetch("game.wasm"), go.importObject); // compiles meanwhile
program.catch(() => {}); // told below
renderer = await chooseRenderer();
program
  .then((r) => go.run(r.instance))
  .then(() => say("The program ended: the console may know why. Reload to play again."))
  .catch((e) => say("The page cannot start: " + e.message));
