// The step's time: figures of the last second, and a plot of the last steps.

const most = 240; // steps in the plot

const nice = (v) => {
  const p = 10 ** Math.floor(Math.log10(v));
  return [1, 2, 5, 10].map((f) => f * p).find((x) => x >= v * 0.999);
};

const ms = (v) => v.toFixed(v < 9.995 ? 2 : v < 99.95 ? 1 : 0) + " ms";

export const startMeter = (canvas, list) => {
  const times = new Float32Array(most), when = new Float64Array(most);
  let n = 0, css;
  const cells = {};
  for (const [key, label, title] of [
    ["mean", "step", "Milliseconds that a step took, mean of the last second."],
    ["worst", "worst", "The longest step of the last second."],
    ["bodies", "bodies", "Moving bodies; static ones are not counted."],
    ["awake", "awake", "Moving bodies that do not sleep."],
    ["contacts", "contacts", "Points that carried something in the last step."],
    ["frames", "frames", "Pictures a second."],
  ]) {
    const dt = Object.assign(document.createElement("dt"), { textContent: label, title });
    cells[key] = Object.assign(document.createElement("dd"), { title });
    list.append(dt, cells[key]);
  }
  let frames = 0, since = performance.now();

  // figures are of the second before the last step: a pause keeps them.
  const figures = () => {
    const now = n ? when[(n - 1) % most] : 0;
    let sum = 0, count = 0, worst = 0;
    for (let i = n - 1; i >= 0 && i > n - most && now - when[i % most] < 1000; i--) {
      sum += times[i % most];
      worst = Math.max(worst, times[i % most]);
      count++;
    }
    return { mean: count ? sum / count : 0, worst, count };
  };

  const plot = () => {
    const scale = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (!w || !css) return;
    if (canvas.width !== Math.round(w * scale)) [canvas.width, canvas.height] = [Math.round(w * scale), Math.round(h * scale)];
    const pen = canvas.getContext("2d"), count = Math.min(n, most);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, w, h);
    let top = 1;
    for (let i = 0; i < count; i++) top = Math.max(top, times[i]);
    top = nice(top);
    const left = 30, y = (v) => h - 4 - v / top * (h - 10), x = (i) => left + (w - left - 3) * i / (most - 1);
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const v of [0, top / 2, top]) {
      pen.strokeStyle = css.grid;
      pen.fillStyle = css.dim;
      pen.beginPath();
      pen.moveTo(left, Math.round(y(v)) + 0.5);
      pen.lineTo(w, Math.round(y(v)) + 0.5);
      pen.stroke();
      pen.fillText(String(+v.toPrecision(2)), left - 4, Math.min(Math.max(y(v), 6), h - 6));
    }
    pen.strokeStyle = css.line;
    pen.lineWidth = 1.4;
    pen.beginPath();
    for (let i = 0; i < count; i++) pen.lineTo(x(most - count + i), y(times[(n - count + i) % most]));
    pen.stroke();
    pen.fillStyle = css.dim;
    pen.textAlign = "left";
    pen.fillText("ms a step, the last 4 s", left + 4, 9);
  };

  return {
    paint() {
      const s = getComputedStyle(document.documentElement), v = (k) => s.getPropertyValue(k).trim();
      css = { grid: v("--grid"), dim: v("--dim"), line: v("--line") };
    },
    clear() { n = 0; },
    // take notes what the steps of a frame took.
    take(page, now) {
      frames++;
      for (let i = 0; i < page.counts.times; i++, n++) {
        times[n % most] = page.times[i];
        when[n % most] = now;
      }
    },
    figures,
    tell(s) {
      const now = performance.now(), f = figures();
      const text = { mean: f.count ? ms(f.mean) : "-", worst: f.count ? ms(f.worst) : "-",
        bodies: s.bodies, awake: s.awake, contacts: s.contacts, frames: (frames * 1000 / Math.max(1, now - since)).toFixed(0) + "/s" };
      if (now - since > 900) [frames, since] = [0, now];
      for (const k in text) if (k !== "frames" || frames === 0 || !cells[k].textContent) cells[k].textContent = text[k];
      plot();
    },
  };
};
