// The plain page: it passes keys to Go and draws the shapes that Go gives, once
// a frame. All else happens in Go (cli/page_js.go).
//
// In the address, ?prediction=off, reconciliation=off, smoothing=off, others=on,
// bot=1 (a bot plays), and rtt=150, jitter=20 (ms), loss=0.1: a simulated link;
// transport=wt or ws: only WebTransport, only WebSocket.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const options = Object.fromEntries(new URLSearchParams(location.search));
  const canvas = $("canvas"), pen = canvas.getContext("2d", { alpha: false });

  // What Go fills: numbers of the frame, then eight for each shape (sim.Picture).
  const headSize = 16, shapeSize = 8;
  const [SHAPES, MINX, MINY, MAXX, MAXY, OWN, OWNX, OWNY] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [CIRCLE, RECT, LINE, NUMBER] = [0, 1, 2, 3];

  const page = window.foretick = {
    options,
    frames: 0,             // drawn
    numbers: new Float32Array(headSize + shapeSize * 1024),
    frame: null,           // Go: (x, y, space) fills numbers and returns how many
    state: () => ({ state: "loading", reason: "" }), // Go: what the line below shows
    set: null,             // Go: (settings) turns techniques on and off, sets the link
    own: () => ({ known: page.numbers[OWN] > 0, x: page.numbers[OWNX], y: page.numbers[OWNY] }),
    onframe: null,         // tests: called after each frame
    fail: (why) => say(why),
  };

  // Keys. A direction counts as held for at least one frame.
  const held = new Set(), fresh = new Set();
  let space = 0;
  const arrows = { ArrowLeft: "l", KeyA: "l", ArrowRight: "r", KeyD: "r", ArrowUp: "u", KeyW: "u", ArrowDown: "d", KeyS: "d" };
  addEventListener("keydown", (e) => {
    if (e.target.tagName === "INPUT" && e.target.type === "number") return;
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.code === "Space") {
      e.preventDefault();
      if (!e.repeat) space++;
    } else if (arrows[e.code]) {
      e.preventDefault();
      held.add(e.code);
      fresh.add(e.code);
    }
  });
  addEventListener("keyup", (e) => held.delete(e.code));
  addEventListener("blur", () => held.clear());
  const down = (way) => [held, fresh].some((s) => [...s].some((k) => arrows[k] === way)) ? 1 : 0;

  // Settings.
  const settings = () => ({
    prediction: $("prediction").checked, reconciliation: $("reconciliation").checked,
    smoothing: $("smoothing").checked, others: $("others").checked,
    rtt: +$("rtt").value || 0, jitter: +$("jitter").value || 0, loss: (+$("loss").value || 0) / 100,
  });
  for (const id of ["prediction", "reconciliation", "smoothing"]) $(id).checked = options[id] !== "off";
  $("others").checked = options.others === "on";
  $("rtt").value = +options.rtt || 0;
  $("jitter").value = +options.jitter || 0;
  $("loss").value = Math.round((+options.loss || 0) * 100);
  page.settings = settings;
  document.querySelectorAll("input").forEach((i) => i.addEventListener("change", () => {
    page.set?.(settings());
    if (i.type === "checkbox") i.blur(); // the space bar is the game's
  }));

  const say = (text) => {
    $("say").replaceChildren();
    if (!text) return;
    const s = document.createElement("span");
    s.textContent = text;
    $("say").append(s);
  };

  const colour = (n) => "#" + n.toString(16).padStart(6, "0");

  const draw = (a, shapes) => {
    const scale = devicePixelRatio || 1;
    const w = Math.round(canvas.clientWidth * scale), h = Math.round(canvas.clientHeight * scale);
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.globalAlpha = 1;
    pen.fillStyle = "#0b1220";
    pen.fillRect(0, 0, w, h);
    const zoom = Math.min(w / (a[MAXX] - a[MINX]), h / (a[MAXY] - a[MINY]));
    if (!(zoom > 0) || !isFinite(zoom)) return;
    pen.setTransform(zoom, 0, 0, -zoom, w / 2 - zoom * (a[MINX] + a[MAXX]) / 2, h / 2 + zoom * (a[MINY] + a[MAXY]) / 2);
    for (let i = headSize, end = headSize + shapes * shapeSize; i < end; i += shapeSize) {
      const x = a[i + 1], y = a[i + 2], p = a[i + 3], q = a[i + 4], line = a[i + 5];
      pen.globalAlpha = a[i + 7];
      pen.fillStyle = pen.strokeStyle = colour(a[i + 6]);
      pen.lineWidth = line;
      switch (a[i]) {
        case CIRCLE:
          pen.beginPath();
          pen.arc(x, y, p, 0, 2 * Math.PI);
          line ? pen.stroke() : pen.fill();
          break;
        case RECT:
          line ? pen.strokeRect(x, y, p, q) : pen.fillRect(x, y, p, q);
          break;
        case LINE:
          pen.beginPath();
          pen.moveTo(x, y);
          pen.lineTo(p, q);
          pen.stroke();
          break;
        case NUMBER:
          pen.save();
          pen.translate(x, y);
          pen.scale(p / 20, -p / 20);
          pen.font = "bold 20px system-ui, sans-serif";
          pen.textAlign = "center";
          pen.textBaseline = "middle";
          pen.fillText(String(q), 0, 1);
          pen.restore();
      }
    }
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
      : s.draws === false ? "This game draws nothing: see Game.Draw and Game.Keys." : "");
    const parts = [s.state];
    if (s.player) parts.push("player " + s.player, s.transport, "RTT " + s.rtt.toFixed(0) + " ms", "loss " + (100 * s.loss).toFixed(1) + " %",
      "lead " + s.lead.toFixed(1), "fill " + s.fill, "view delay " + s.delay.toFixed(1),
      "corrections " + perSecond(s.corrections - corrections) + "/s", perSecond(s.tick - ticks) + " ticks/s",
      "prediction " + (s.prediction ? "on" : "off"));
    corrections = s.corrections || 0;
    ticks = s.tick || 0;
    $("line").title = s.fallback ? "no WebTransport: " + s.fallback : "";
    $("line").replaceChildren(...parts.map((p) => Object.assign(document.createElement("span"), { textContent: p })));
    told = now;
  };

  const frame = (now) => {
    requestAnimationFrame(frame);
    const n = page.frame(down("r") - down("l"), down("u") - down("d"), space);
    fresh.clear();
    space = 0;
    if (n > 0) draw(page.numbers, page.numbers[SHAPES]);
    page.frames++;
    page.onframe?.();
    tell(now);
  };

  page.begin = () => requestAnimationFrame(frame); // Go calls it when it is ready

  const go = new Go();
  WebAssembly.instantiateStreaming(fetch("game.wasm"), go.importObject)
    .then((r) => go.run(r.instance))
    .then(() => say("The program ended: the console may know why. Reload to play again."))
    .catch((e) => say("The page cannot start: " + e.message));
})();
