// The physics gallery: scenes run in Go (cmd/gallery), here is what is around
// them. Steps are taken by the clock, however fast frames come.
//
// In the address: scene=S2; paused=1; quality=0 to 3: a level of
// galleryview.js.
import { startMeter } from "./meter.js";

const $ = (id) => document.getElementById(id);
const options = Object.fromEntries(new URLSearchParams(location.search));

// What the chooser says of each scene; others are listed by their name.
const about = {
  S1: ["Pyramid", "210 cubes, 20 rows. Sleep is off: it stands by the solver alone, without memory of the last step."],
  S2: ["Heap", "900 cubes fall into a heap, and a large one onto it. Sleep is off."],
  S2x: ["Heap, kicked", "The heap; every 100 steps all of it is thrown into the air, six times."],
  S2g: ["Field", "900 cubes apart from each other, and a large one that slides into them."],
  S3: ["Terrain", "100 walkers and 100 balls on 20,000 triangles. Walkers turn every second."],
  S4: ["Casts", "2,000 boxes in the air above the terrain, all static: what rays and sweeps are tested on. Throw balls."],
  S1sleep: ["Pyramid, sleeps", "The pyramid with sleep on: wake it with a ball."],
  S2sleep: ["Heap, sleeps", "The heap with sleep on: islands at rest cost nothing."],
  S2gsleep: ["Field, sleeps", "The field with sleep on: only what was hit is awake."],
  mixed: ["Mixed", "Height field, mesh, hulls, compounds, capsules, platforms, sensors; bodies come and go."],
};
// Where the camera begins, where it does not by itself; near: of its distance.
const looks = {
  S1: { yaw: 0.5, pitch: 0.2 }, S2: { y: 5.5, pitch: 0.34, near: 0.9 }, S2x: { y: 6, pitch: 0.34, near: 1.35 }, S2g: { yaw: 0.5, pitch: 0.5, near: 0.72 },
  S3: { y: 0, pitch: 0.5, near: 0.66 }, S4: { y: 0, pitch: 0.45, near: 0.7 }, mixed: { pitch: 0.5, near: 0.62 },
};
const lookOf = (name) => looks[name] ?? looks[name.replace("sleep", "")];

const page = window.gallery = {
  counts: {},                // of numbers in the arrays, by name: Go
  batches: null, matrices: null, shades: null, contacts: null, times: null, // Go
  open: null, frame: null, seek: null, steps: null, throw: null, // Go: see cmd/gallery
  state: () => ({}),
  names: [],
  frames: 0,
  playing: options.paused !== "1" && !matchMedia("(prefers-reduced-motion: reduce)").matches,
  scene: "",
  begin: null,
  choose: (name, gravity) => choose(name, gravity),
  view: null,
  figures: () => meter.figures(),
};

const say = (text) => {
  $("say").replaceChildren();
  if (text) $("say").append(Object.assign(document.createElement("span"), { textContent: text }));
};

let view, held = false, wanted = null, speed = 1, gravity = 1;
const meter = startMeter($("plot"), $("figures"));

// Themes.
const light = matchMedia("(prefers-color-scheme: light)");
const theme = () => light.matches ? "light" : "dark";
const paint = () => {
  view.paint(theme());
  meter.paint();
  $("legend").replaceChildren(...view.legend(theme()).map(({ name, colour, dot }) => {
    const li = document.createElement("li"), i = document.createElement("i");
    i.style.background = colour;
    if (dot) i.className = "dot";
    li.append(i, name);
    return li;
  }));
};

// choose begins a scene, the same one anew too.
const choose = (name, g = gravity) => {
  const surfaces = page.open(name, g);
  if (!surfaces) return false;
  const same = page.scene === name;
  page.scene = name;
  gravity = g;
  wanted = null;
  view.open(surfaces);
  page.frame(0, 0);
  if (!same || !view.orbit.touched) view.look(page, lookOf(name));
  meter.clear();
  $("scene").value = name;
  $("about").textContent = about[name]?.[1] ?? "";
  tell(true);
  return true;
};

const play = (on) => {
  page.playing = on;
  $("play").textContent = on ? "pause" : "play";
  $("play").setAttribute("aria-pressed", String(!on));
};
const stepOnce = () => {
  play(false);
  page.steps(1);
  tell(true);
};
// back goes some steps back; what comes then is compared.
const back = (n) => { wanted = page.state().tick - n; };
const contacts = (on) => { $("dots").checked = on; };

// ball flies along a ray, from no more than 25 m before what is looked at.
const ball = (from, way, distance) => {
  const along = Math.max(2, distance - 25), v = 38;
  page.throw(from.x + along * way.x, from.y + along * way.y, from.z + along * way.z, v * way.x, v * way.y + 2, v * way.z);
};

// tell writes what is to be read.
let told = 0;
const tell = (now) => {
  const t = performance.now();
  if (now !== true && t - told < 200) return;
  told = t;
  const s = page.state(), c = s.check;
  if (!c) return;
  meter.tell(s);
  const time = $("time");
  if (!held) [time.min, time.max, time.value] = [s.oldest, s.newest, s.tick];
  time.setAttribute("aria-valuetext", `step ${s.tick} of ${s.newest}`);
  const back = (s.newest - s.tick) / 60;
  $("tick").textContent = `${s.tick}${back > 0.05 ? ` (-${back.toFixed(1)} s)` : ""}`;
  const box = $("check"), code = document.createElement("code");
  code.textContent = `step ${s.tick}: ${s.hash}`;
  const text = c.from < 0 ? "Go back with the slider: what is computed again has to give the same hashes."
    : c.differs ? `Another hash at step ${c.differs}: this must not be.`
    : c.compared < c.known ? `Rewound, replaying: ${c.compared} of ${c.known} steps, same hash so far.`
    : `Rewound and replayed: same hash in ${c.compared} of ${c.known} steps.`;
  box.className = c.from < 0 ? "" : c.differs ? "differs" : c.compared ? "same" : "";
  box.replaceChildren(text, code);
};

let last = 0;
const frame = (now) => {
  requestAnimationFrame(frame);
  const took = last ? now - last : 0;
  last = now;
  if (wanted !== null) {
    page.seek(wanted);
    wanted = null;
    tell(true);
  }
  const running = page.playing && !held;
  page.frame(running ? took : 0, running ? speed : 0);
  meter.take(page, now);
  view.draw(page, took, $("dots").checked);
  page.frames++;
  tell(now);
};

page.begin = (names) => { // Go calls it when it is ready
  page.names = names;
  const several = page.steps;
  page.steps = (n) => {
    several(n);
    meter.take(page, performance.now());
  };
  $("scene").replaceChildren(...names.map((n) => new Option(`${n}${about[n] ? ": " + about[n][0] : ""}`, n)));
  say("");
  choose(names.includes(options.scene) ? options.scene : names.includes("S1sleep") ? "S1sleep" : names[0]);
  play(page.playing);
  requestAnimationFrame(frame);
};

// Controls.
$("scene").addEventListener("change", () => choose($("scene").value));
$("gravity").addEventListener("change", () => choose(page.scene, +$("gravity").value));
$("speed").addEventListener("change", () => { speed = +$("speed").value; });
$("reset").addEventListener("click", () => choose(page.scene));
$("play").addEventListener("click", () => play(!page.playing));
$("step").addEventListener("click", stepOnce);
$("back").addEventListener("click", () => back(120));
$("throw").addEventListener("click", () => view.shootMiddle());
$("time").addEventListener("input", () => { held = true; wanted = +$("time").value; });
$("time").addEventListener("pointerdown", () => { held = true; }); // it does not run away from the finger
for (const end of ["pointerup", "pointercancel"]) $("time").addEventListener(end, () => { held = false; });
$("time").addEventListener("change", () => { held = false; wanted = +$("time").value; });
const keys = {
  Space: () => play(!page.playing), Period: stepOnce, BracketLeft: () => back(120), KeyR: () => choose(page.scene), KeyB: () => view.shootMiddle(), KeyC: () => contacts(!$("dots").checked),
};
addEventListener("keydown", (e) => {
  const own = e.target.closest?.("input:not([type=checkbox]), select, textarea") || e.code === "Space" && e.target.closest?.("button, a, input, label");
  if (own || !page.scene || !keys[e.code] || e.ctrlKey || e.metaKey || e.altKey || e.repeat && e.code !== "Period") return;
  e.preventDefault();
  keys[e.code]();
});

const go = new Go();
const program = fetch("gallery.wasm").then(async (r) => {
  if (!r.ok) throw new Error(await r.text());
  return WebAssembly.instantiateStreaming(r, go.importObject);
});
program.catch(() => {}); // told below
try {
  say("loading ... (the first time, the program is built: up to a minute)");
  if (document.body.dataset.noThree) throw new Error("there is no three.js: " + document.body.dataset.noThree);
  const { legend, openView } = await import("./galleryview.js");
  view = page.view = openView($("canvas"), /^[0-3]$/.test(options.quality ?? "") ? +options.quality : null, ball);
  view.legend = legend;
  paint();
  light.addEventListener("change", paint);
  await program.then((r) => go.run(r.instance));
  say("The program ended: the console may know why. Reload to begin again.");
} catch (e) {
  say("The gallery cannot start: " + e.message);
}
