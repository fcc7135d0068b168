// Compares what is displayed with what is true, step by step of the game, also
// those that are not drawn. start() begins, stop() sums up.
(() => {
  const go = foretick.frame;
  let rows = null, before, begun, samples, timer;
  foretick.frame = (...keys) => {
    const n = go(...keys);
    if (rows) note();
    return n;
  };
  foretick.truth(); // opens the channel

  const list = (a, head, size) => { // of index, owner, x, y, z (, predicted)
    const m = new Map();
    for (let i = head; a && i < a.length; i += size) m.set(a[i], { owner: a[i + 1], x: a[i + 2], z: a[i + 4], predicted: a[i + 5] });
    return m;
  };
  const note = () => {
    const shown = foretick.shown(), truth = foretick.truth();
    if (shown && truth) rows.push({ t: performance.now(), jump: shown[0], corrected: shown[1], shown: list(shown, 2, 6), tick: truth[0], truth: list(truth, 1, 5) });
  };
  const median = (a) => a.length ? a.toSorted((x, y) => x - y)[a.length >> 1] : 0;
  const mean = (a) => a.length ? a.reduce((x, y) => x + y, 0) / a.length : 0;

  // path is where an entity really was at a time, in a straight line between
  // two ticks.
  const path = (e) => {
    const p = [];
    for (const r of rows) {
      const at = r.truth.get(e);
      if (at && r.tick !== p.at(-1)?.tick) p.push({ t: r.t, tick: r.tick, x: at.x, z: at.z });
    }
    return (t) => {
      let lo = 0, hi = p.length - 1;
      if (!p.length || t < p[0].t || t > p[hi].t) return null;
      while (hi - lo > 1) p[(lo + hi) >> 1].t <= t ? lo = (lo + hi) >> 1 : hi = (lo + hi) >> 1;
      const a = p[lo], b = p[hi], f = b.t > a.t ? (t - a.t) / (b.t - a.t) : 0;
      return { x: a.x + (b.x - a.x) * f, z: a.z + (b.z - a.z) * f };
    };
  };

  // lag is by how many ms the display runs ahead of the server, the shift at
  // which both paths fit best, and how far apart they are then, in metres.
  const lag = (e) => {
    const at = path(e);
    let best = { lag: 0, apart: Infinity };
    for (let shift = -1000; shift <= 1000; shift += 20) {
      const d = [];
      for (const r of rows) {
        const a = r.shown.get(e), b = at(r.t + shift);
        if (a && b) d.push(Math.hypot(a.x - b.x, a.z - b.z));
      }
      if (d.length > rows.length / 3 && median(d) < best.apart) best = { lag: shift, apart: median(d) };
    }
    return best.apart < Infinity ? best : { lag: 0, apart: -1 }; // -1: no shift fits
  };

  // evenness of how another is displayed while he moves: the share of steps that
  // do not move him, and the variance of his speed over its square.
  const evenness = (e) => {
    const at = path(e), speeds = [];
    for (let i = 1; i < rows.length; i++) {
      const a = rows[i - 1].shown.get(e), b = rows[i].shown.get(e), dt = (rows[i].t - rows[i - 1].t) / 1000;
      const was = at(rows[i].t - 400), is = at(rows[i].t);
      if (a && b && was && is && dt > 0.004 && Math.hypot(is.x - was.x, is.z - was.z) > 0.4)
        speeds.push(Math.hypot(b.x - a.x, b.z - a.z) / dt);
    }
    const m = mean(speeds);
    return { n: speeds.length, still: speeds.filter((v) => v < 0.01).length / speeds.length,
      uneven: mean(speeds.map((v) => (v - m) ** 2)) / m ** 2 };
  };

  window.panelProbe = {
    start() {
      rows = [];
      samples = [];
      before = foretick.state();
      begun = performance.now();
      timer = setInterval(() => samples.push(foretick.figures().slice()), 100);
    },
    stop() {
      clearInterval(timer);
      const after = foretick.state(), seconds = (performance.now() - begun) / 1000, out = { seconds, rows: rows.length };
      foretick.figureNames.forEach((n, i) => { out[n] = mean(samples.map((s) => s[i])); });
      out.playing = Number(samples.every((s) => s[foretick.figureNames.indexOf("playing")] === 1) && after.resumes === before.resumes);
      for (const n of ["holes", "mispredicted", "replayed", "corrections", "compared", "downJudged", "downLost", "downRuns"])
        out[n] = after[n] - before[n];
      const last = rows.at(-1), me = after.player, own = [], others = [];
      for (const [e, at] of last?.truth ?? []) at.owner === me ? own.push(e) : at.owner && others.push(e);
      if (own.length) Object.assign(out, lag(own[0]));
      const even = others.map(evenness).filter((v) => v.n > 20);
      out.moving = even.length;
      out.still = mean(even.map((v) => v.still));
      out.uneven = mean(even.map((v) => v.uneven));
      out.predicted = mean(rows.flatMap((r) => others.map((e) => r.shown.get(e)?.predicted ?? 0)));
      const jumps = rows.filter((r) => r.corrected > 0.02 && r.corrected < 1.8); // from 2 m on they are shown at once
      out.jumps = jumps.length;
      out.jump = median(jumps.map((r) => r.jump / r.corrected)); // of a correction, the part that is seen at once
      rows = null;
      return out;
    },
  };
})();
