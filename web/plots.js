// Small plots of the last half minute. Each series has a dash and a mark of its
// own, each cause of corrections a pattern: nothing is told by colour alone.

const seconds = 30, perSecond = 10, samples = seconds * perSecond;
const height = 66;

// Colours that stay apart for all eyes, on dark.
const sky = "#56b4e9", orange = "#ff9f1c", yellow = "#f0e442", pink = "#e39ac4", white = "#e8eef7", grey = "#8fa3bf";

// title, unit, least span of the axis, series: label, figure, colour, dash, mark.
const plots = [
  { title: "Round trip", unit: "ms", least: 20, tip: "How long a packet and its answer take, and by how much that varies (mean deviation).",
    series: [["RTT", "rtt", sky, [], "dot"], ["jitter", "jitter", orange, [4, 3], "square"]] },
  { title: "Loss", unit: "%", least: 5, factor: 100, tip: "Share of the packets that were lost lately, each way; up as acknowledged, about a second late.",
    series: [["down", "downLoss", sky, [], "dot"], ["up", "loss", orange, [4, 3], "square"]] },
  { title: "Lead", unit: "ticks", least: 4, tip: "How many ticks the client simulates beyond the newest snapshot, and how early its inputs reach the server.",
    series: [["ahead", "ahead", sky, [], "dot"], ["inputs early", "margin", orange, [4, 3], "square"]] },
  { title: "Buffers", unit: "ticks", least: 4, tip: "Inputs that wait on the server (below 0: it had none), and how far in the past others are shown.",
    series: [["server's inputs", "fill", sky, [], "dot"], ["view delay", "delay", orange, [4, 3], "square"]] },
  { title: "Corrections", unit: "/s", least: 2, stacked: true, tip: "Replays that moved something, by the cause as far as this client can tell." },
  { title: "Bytes", unit: "kB/s", least: 4, factor: 1 / 1000, tip: "What is received and sent a second, packets' headers not counted.",
    series: [["down", "down", sky, [], "dot"], ["up", "up", orange, [4, 3], "square"]] },
];

// Of causes: label, colour, and the pattern that fills it.
const causes = {
  "late input": ["late input", yellow, "rising"], "lost input": ["lost input", orange, "solid"],
  "clock slip": ["clock slip", white, "dots"], "another player": ["another player", sky, "falling"],
  "server only": ["server only", pink, "level"], visibility: ["newly seen", grey, "upright"], unknown: ["unknown", grey, "cross"],
};

const now = [ // below the plots: label, figure, digits, unit, title
  ["frames", "", 0, "/s", "Pictures drawn a second."],
  ["ticks", "ticks", 0, "/s", "Ticks simulated a second, replays not counted: the game's rate whatever the frame rate."],
  ["Go a frame", "goStep", 2, "ms", "Time of the page's main thread that Go takes for a frame."],
  ["Go a tick", "goTick", 2, "ms", "The same, for each tick simulated: receiving, replaying, predicting, sending, posing."],
  ["snapshots", "snapshots", 0, "/s", "Ticks of which a snapshot came."],
  ["mispredicted", "mispredicted", 1, "/s", "Snapshots that differed from what was predicted for their tick."],
  ["replayed", "replayed", 0, "ticks/s", "Ticks run again to correct predictions."],
  ["input holes", "holes", 1, "/s", "Your inputs that the server did not have at their tick."],
];

const pattern = (pen, colour, kind) => {
  if (kind === "solid") return colour;
  const size = 6, c = document.createElement("canvas");
  c.width = c.height = size;
  const p = c.getContext("2d");
  p.globalAlpha = 0.35;
  p.fillStyle = colour;
  p.fillRect(0, 0, size, size);
  p.globalAlpha = 1;
  p.strokeStyle = colour;
  p.lineWidth = 1.5;
  p.beginPath();
  const line = (...xy) => { p.moveTo(xy[0], xy[1]); p.lineTo(xy[2], xy[3]); };
  if (kind === "rising" || kind === "cross") for (const d of [-size, 0, size]) line(d, size, d + size, 0);
  if (kind === "falling" || kind === "cross") for (const d of [-size, 0, size]) line(d, 0, d + size, size);
  if (kind === "level") line(0, 3, size, 3);
  if (kind === "upright") line(3, 0, 3, size);
  if (kind === "dots") p.rect(2, 2, 1.5, 1.5);
  p.stroke();
  return pen.createPattern(c, "repeat");
};

const mark = (pen, kind, x, y) => {
  if (kind === "dot") {
    pen.beginPath();
    pen.arc(x, y, 2.4, 0, 7);
    pen.fill();
  } else pen.fillRect(x - 2.2, y - 2.2, 4.4, 4.4);
};

// nice is the least of 1, 2, 5 times a power of ten that is not below v.
const nice = (v) => {
  const p = 10 ** Math.floor(Math.log10(v));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((f) => f * p).find((x) => x >= v * 0.999);
};

const digits = (v) => (Math.abs(v) < 9.95 ? v.toFixed(1) : v.toFixed(0));

class Plot {
  constructor(spec, index) {
    this.spec = spec;
    this.canvas = document.createElement("canvas");
    this.pen = this.canvas.getContext("2d");
    this.series = spec.series
      ? spec.series.map(([label, figure, colour, dash, kind]) => ({ label, at: index[figure], colour, dash, kind }))
      : Object.entries(causes).map(([cause, [label, colour, kind]]) => ({ label, at: index[cause], colour, fill: pattern(this.pen, colour, kind) }));
    for (const s of this.series) s.values = new Float32Array(samples);
    this.seen = false;

    const tell = document.createElement("figcaption");
    tell.append(Object.assign(document.createElement("b"), { textContent: spec.title }), Object.assign(document.createElement("i"), { textContent: spec.unit }));
    for (const s of this.series) {
      s.value = document.createElement("output");
      const name = document.createElement("span");
      name.append(this.swatch(s), s.label + " ", s.value);
      tell.append(name);
      s.entry = name;
    }
    this.figure = document.createElement("figure");
    this.figure.title = spec.tip;
    this.canvas.setAttribute("aria-hidden", "true"); // the caption has the values
    this.figure.append(tell, this.canvas);
  }

  // swatch is a piece of the series, for the legend.
  swatch(s) {
    const c = document.createElement("canvas"), scale = 2;
    [c.width, c.height] = [18 * scale, 8 * scale];
    c.className = "swatch";
    c.setAttribute("aria-hidden", "true");
    const p = c.getContext("2d");
    p.scale(scale, scale);
    p.fillStyle = p.strokeStyle = s.fill ?? s.colour;
    if (s.fill) {
      p.fillRect(0, 0, 18, 8);
      p.strokeStyle = s.colour;
      p.strokeRect(0.5, 0.5, 17, 7);
      return c;
    }
    p.lineWidth = 1.6;
    p.setLineDash(s.dash);
    p.beginPath();
    p.moveTo(0, 4);
    p.lineTo(18, 4);
    p.stroke();
    mark(p, s.kind, 9, 4);
    return c;
  }

  // take puts the newest figures in at place n.
  take(figures, n) {
    for (const s of this.series) {
      const v = figures[s.at] * (this.spec.factor ?? 1);
      s.values[n] = v;
      if (this.seen) {
        const text = digits(v);
        if (s.value.textContent !== text) s.value.textContent = text;
        if (this.spec.stacked) s.entry.classList.toggle("none", v === 0);
      }
    }
  }

  range(n, count) {
    let least = 0, most = this.spec.least;
    for (let i = 0; i < count; i++) {
      const k = (n - i + samples) % samples;
      let sum = 0;
      for (const s of this.series) {
        sum = this.spec.stacked ? sum + s.values[k] : Math.max(sum, s.values[k]);
        least = Math.min(least, s.values[k]);
      }
      most = Math.max(most, sum);
    }
    return [least < 0 ? -nice(-least) : 0, nice(most)];
  }

  // draw shows the last count samples, of which n is the newest.
  draw(n, count) {
    const scale = devicePixelRatio || 1, w = this.canvas.clientWidth, h = height, pen = this.pen;
    if (!w) return;
    if (this.canvas.width !== Math.round(w * scale)) [this.canvas.width, this.canvas.height] = [Math.round(w * scale), Math.round(h * scale)];
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, w, h);
    const [least, most] = this.range(n, count), left = 30, top = 6, bottom = h - 4;
    const x = (i) => w - 3 - i * (w - left - 3) / (samples - 1); // i samples ago
    const y = (v) => bottom - (v - least) / (most - least) * (bottom - top);
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.lineWidth = 1;
    pen.setLineDash([]);
    for (const v of least < 0 ? [least, 0, most] : [0, most / 2, most]) {
      pen.strokeStyle = v === 0 ? "#4a5f80" : "#24344f";
      pen.beginPath();
      pen.moveTo(left, Math.round(y(v)) + 0.5);
      pen.lineTo(w, Math.round(y(v)) + 0.5);
      pen.stroke();
      pen.fillStyle = grey;
      pen.fillText(String(+v.toPrecision(3)), left - 4, Math.min(Math.max(y(v), 6), h - 6));
    }
    if (this.spec.stacked) this.areas(n, count, x, y);
    else this.lines(n, count, x, y);
  }

  lines(n, count, x, y) {
    const pen = this.pen;
    pen.lineWidth = 1.6;
    for (const s of this.series) {
      pen.strokeStyle = pen.fillStyle = s.colour;
      pen.setLineDash(s.dash);
      pen.beginPath();
      for (let i = 0; i < count; i++) pen.lineTo(x(i), y(s.values[(n - i + samples) % samples]));
      pen.stroke();
      for (let i = n % 50; i < count; i += 50) mark(pen, s.kind, x(i), y(s.values[(n - i + samples) % samples]));
    }
    pen.setLineDash([]);
  }

  areas(n, count, x, y) {
    const pen = this.pen, base = new Float32Array(count);
    for (const s of this.series) {
      let any = false;
      pen.beginPath();
      for (let i = 0; i < count; i++) pen.lineTo(x(i), y(base[i]));
      for (let i = count - 1; i >= 0; i--) {
        const v = s.values[(n - i + samples) % samples];
        any ||= v > 0;
        base[i] += v;
        pen.lineTo(x(i), y(base[i]));
      }
      if (!any) continue;
      pen.fillStyle = s.fill;
      pen.strokeStyle = s.colour;
      pen.fill();
      pen.stroke();
    }
  }
}

// startPlots fills an element with the plots, and feeds them while they are to
// be seen.
export const startPlots = (foretick, into) => {
  const names = foretick.figureNames.concat(foretick.causes);
  const index = Object.fromEntries(names.map((n, i) => [n, i]));
  const list = plots.map((spec) => new Plot(spec, index));
  const table = document.createElement("dl");
  const cells = now.map(([label, figure, places, unit, title]) => {
    const term = Object.assign(document.createElement("dt"), { textContent: label, title });
    const value = Object.assign(document.createElement("dd"), { title });
    table.append(term, value);
    return { at: index[figure], places, unit, value };
  });
  into.classList.add("plots");
  into.append(...list.map((p) => p.figure), table);

  const watcher = new IntersectionObserver((changes) => {
    for (const c of changes) list.find((p) => p.figure === c.target).seen = c.isIntersecting;
  });
  list.forEach((p) => watcher.observe(p.figure));

  let n = -1, count = 0, turn = 0, drawn = 0, at = 0;
  setInterval(() => {
    if (document.hidden || into.getClientRects().length === 0) return; // folded away: nothing is asked
    const figures = foretick.figures();
    n = (n + 1) % samples;
    count = Math.min(count + 1, samples);
    for (const p of list) {
      p.take(figures, n);
      if (p.seen) p.draw(n, count);
    }
    if (turn++ % 3) return; // numbers that change faster cannot be read
    const t = performance.now(), fps = (foretick.frames - drawn) * 1000 / (t - at);
    [drawn, at] = [foretick.frames, t];
    for (const c of cells) c.value.textContent = `${(figures[c.at] ?? fps).toFixed(c.places)} ${c.unit}`;
  }, 1000 / perSecond);
};
