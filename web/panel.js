// The panel beside the game: presets, the simulated link, the techniques, the
// ghosts and the plots. It changes settings by foretick.set only, and shows
// whatever they are, whoever changed them.
//
// In the address: prediction, reconciliation, redundancy, smoothing,
// interpolation=off; others=on; ghosts=server,snapshot; rtt=150, jitter=20 (ms),
// loss=0.1, burst=4 (packets), snapshots=10 (a second).
import { startPlots } from "./plots.js";

const techniques = [
  ["prediction", "Prediction", "Your own input acts at once, before the server has heard of it; off: you wait for the round trip."],
  ["reconciliation", "Reconciliation", "When a snapshot differs from what was predicted, the client goes back, takes the server's state and replays your inputs; off: errors stay and grow."],
  ["redundancy", "Redundancy", "Each packet repeats the inputs that the server has not acknowledged, so one that is lost costs nothing; off: each input is sent once."],
  ["smoothing", "Smoothing", "A correction moves the simulation at once but glides on the screen, a tenth of it each 1/60 s; off: it jumps."],
  ["interpolation", "Interpolation", "Others are shown a little in the past, between two snapshots that have come; off: as the newest snapshot has them, when it comes."],
  ["others", "Predict others", "Other players are simulated ahead like you, on the guess that they go on as they do; off: they are interpolated."],
];

const ghosts = [
  ["server", "Server now", "Yellow: where the server has everything at this moment, told past the simulated link."],
  ["snapshot", "Newest snapshot", "Blue: everything as the newest snapshot that came has it."],
];

// id, label, unit, least, most, step, factor (shown = setting * factor), title.
const sliders = [
  ["rtt", "Latency", "ms", 0, 500, 10, 1, "Round trip time that the simulated link adds, half of it each way."],
  ["jitter", "Jitter", "ms", 0, 100, 1, 1, "How much the delay of each packet varies: the standard deviation, each way. Packets may overtake."],
  ["loss", "Loss", "%", 0, 50, 1, 100, "Share of the packets that never come, each way."],
  ["burst", "Bursts", "packets", 1, 20, 1, 1, "Mean number of packets in a row that are lost together; 1: each is lost by itself. It needs some loss."],
];

const best = { prediction: true, reconciliation: true, redundancy: true, smoothing: true, interpolation: true, others: false,
  rtt: 0, jitter: 0, loss: 0, burst: 1, snapshots: 0 };

const presets = [
  ["Perfect", "No delay, no loss, every technique.", {}],
  ["Bad mobile", "150 ms, 20 ms of jitter, 10 % loss: what the game is made for.", { rtt: 150, jitter: 20, loss: 0.1 }],
  ["LTE bursts", "60 ms, and 8 % loss in runs of eight packets, as on a phone that moves.", { rtt: 60, jitter: 15, loss: 0.08, burst: 8 }],
  ["25 % loss", "A quarter of the packets is lost, and redundancy makes up for it.", { rtt: 100, loss: 0.25 }],
  ["25 % loss, no redundancy", "Each lost packet is a lost input: watch the corrections.", { rtt: 100, loss: 0.25, redundancy: false }],
  ["150 ms, no prediction", "Each key waits for the round trip.", { rtt: 150, prediction: false }],
  ["150 ms, no reconciliation", "What is predicted wrongly stays wrong. Turn the server's ghost on to see it.", { rtt: 150, jitter: 20, loss: 0.1, reconciliation: false }],
  ["10 snapshots/s", "Six ticks between snapshots; interpolation bridges them.", { rtt: 100, snapshots: 10 }],
  ["10 snapshots/s, raw", "The same, each shown as it comes.", { rtt: 100, snapshots: 10, interpolation: false }],
];

const within = (v, least, most) => (Number.isFinite(+v) ? Math.min(Math.max(+v, least), most) : least);

export const initialSettings = (options) => ({
  ...Object.fromEntries(techniques.map(([id]) => [id, id === "others" ? options.others === "on" : options[id] !== "off"])),
  ghosts: Object.fromEntries(ghosts.map(([id]) => [id, (options.ghosts ?? "").split(",").includes(id)])),
  rtt: within(options.rtt, 0, 2000), jitter: within(options.jitter, 0, 500), loss: within(options.loss, 0, 1),
  burst: within(options.burst, 1, 100), snapshots: within(options.snapshots, 0, 240),
});

const element = (tag, props = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
};

// letGo gives the keys back to the game, unless somebody is going through the
// panel by keyboard.
const letGo = (e) => { if (!e.matches(":focus-visible")) e.blur(); };

const group = (title, ...children) => element("details", { open: true },
  element("summary", { textContent: title }), element("div", { className: "group" }, ...children));

export const startPanel = (foretick, panel) => {
  document.head.append(element("link", { rel: "stylesheet", href: new URL("panel.css", import.meta.url).href }));
  const change = (part) => foretick.set({ ...foretick.settings(), ...part });
  const shows = []; // each shows the settings

  const toggle = (id, label, title, get, set, className = "") => {
    const box = element("input", { type: "checkbox", id, title });
    box.setAttribute("role", "switch");
    const says = element("span", { className: "says" });
    says.setAttribute("aria-hidden", "true");
    box.addEventListener("change", () => { set(box.checked); letGo(box); });
    shows.push((s) => {
      box.checked = get(s);
      says.textContent = box.checked ? "on" : "off";
    });
    return element("label", { className: "switch " + className, title }, element("span", { className: "name", textContent: label }), says, box);
  };

  const slider = (id, label, title, least, most, step, read, write, say) => {
    const range = element("input", { type: "range", id, title, min: least, max: most, step });
    const out = element("output", { htmlFor: id });
    range.addEventListener("input", () => change(write(+range.value)));
    range.addEventListener("change", () => letGo(range));
    shows.push((s) => {
      const v = read(s);
      range.max = Math.max(most, Math.ceil(v)); // the address may ask for more
      range.value = v;
      out.textContent = say(s);
      range.setAttribute("aria-valuetext", out.textContent);
      range.style.setProperty("--part", 100 * (range.value - range.min) / (range.max - range.min) + "%");
    });
    return element("label", { className: "slider", title }, element("span", { className: "name", textContent: label }), range, out);
  };

  const hz = foretick.hz || 60;
  const every = (s) => (s.snapshots > 0 ? within(Math.round(hz / s.snapshots), 1, hz) : 1);
  const round = (v) => +v.toFixed(1);

  panel.replaceChildren(
    group("Presets", element("div", { className: "presets" }, ...presets.map(([label, title, part]) => {
      const wanted = { ...best, ...part };
      const b = element("button", { type: "button", textContent: label, title });
      b.addEventListener("click", () => { change(wanted); letGo(b); });
      shows.push((s) => b.setAttribute("aria-pressed", String(Object.keys(wanted).every((k) => s[k] === wanted[k]))));
      return b;
    }))),
    group("Network",
      ...sliders.map(([id, label, unit, least, most, step, factor, title]) => slider(id, label, title, least, most, step,
        (s) => s[id] * factor, (v) => ({ [id]: v / factor }),
        (s) => (id === "burst" && s.burst <= 1 ? "single" : `${round(s[id] * factor)} ${unit}`))),
      slider("snapshots", "Snapshots", "How often the server sends you the world. Fewer cost less, and show others later.", 1, Math.max(20, Math.round(hz / 3)), 1,
        every, (n) => ({ snapshots: n > 1 ? hz / n : 0 }), (s) => `${round(hz / every(s))} /s`)),
    group("Techniques", ...techniques.map(([id, label, title]) => toggle(id, label, title, (s) => !!s[id], (v) => change({ [id]: v })))),
    group("Ghosts", ...ghosts.map(([id, label, title]) => toggle("ghost-" + id, label, title, (s) => !!s.ghosts?.[id],
      (v) => change({ ghosts: { ...foretick.settings().ghosts, [id]: v } }), id))),
  );
  const plots = group("Plots");
  panel.append(plots);
  panel.addEventListener("keydown", (e) => { if (e.key === "Escape") document.activeElement?.blur(); });

  const show = (s) => shows.forEach((f) => f(s));
  foretick.onset = show;
  show(foretick.settings());
  startPlots(foretick, plots.querySelector(".group"));
};
