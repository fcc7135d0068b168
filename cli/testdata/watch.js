// Notes where every other puck is displayed, frame by frame, and where the
// server has it.
(() => {
  const size = 16, [ENTITY, FLAGS, OWNER] = [13, 14, 15], heads = 9;
  const own = 1, ghost = 4 | 8, effect = 16;
  let on = false, frames = [], truths = [], last = -1;
  window.watch = {
    start() {
      foretick.truths();
      [on, frames, truths, last] = [true, [], [], -1];
    },
    stop() {
      on = false;
      return { frames, truths };
    },
  };
  const before = foretick.onframe;
  foretick.onframe = () => {
    before?.();
    if (!on) return;
    const p = foretick.poses, pucks = {};
    for (let i = 0, n = foretick.numbers[heads]; i < n; i++) {
      const at = i * size, e = p[at + ENTITY];
      if (!e || e in pucks || !p[at + OWNER] || p[at + FLAGS] & (own | ghost | effect)) continue;
      pucks[e] = [p[at + 1], p[at + 3]];
    }
    frames.push({ ms: performance.now(), view: foretick.state().view, pucks });
    for (const t of foretick.truths()) {
      if (t[0] === last) continue;
      last = t[0];
      const real = {};
      for (let i = 1; i < t.length; i += 5) if (t[i + 1]) real[t[i]] = [t[i + 2], t[i + 4]];
      truths.push({ view: last, pucks: real });
    }
  };
})();
