// Watches the player's puck as it is displayed, frame by frame.
(() => {
  const ways = { KeyD: [1, 0], KeyA: [-1, 0], KeyW: [0, 1], KeyS: [0, -1] };
  const moved = 0.0005; // metres along the key's direction, beyond what it did at rest
  const rest = 0.001;   // metres a frame: slower is at rest
  const seen = [];      // the last positions
  const presses = [];
  let last = [], still = 0; // frames in which nothing moved
  window.probe = {
    presses,
    still() { return still > 4; },
    quiet() {
      return seen.length === 5 && seen.slice(1).every((p, i) => Math.hypot(p.x - seen[i].x, p.y - seen[i].y) < rest);
    },
    way() { // towards the middle of the rink, where no wall is in the way
      const p = foretick.own();
      return Math.abs(p.x) > Math.abs(p.y) ? (p.x > 0 ? "KeyA" : "KeyD") : (p.y > 0 ? "KeyS" : "KeyW");
    },
  };
  // What Go takes of a frame.
  const go = foretick.frame;
  let spent = 0, calls = 0;
  foretick.frame = (...keys) => {
    const begun = performance.now(), n = go(...keys);
    spent += performance.now() - begun;
    calls++;
    return n;
  };
  probe.cost = () => spent / calls;
  probe.spent = () => spent;
  addEventListener("keydown", (e) => {
    if (!ways[e.code] || e.repeat) return;
    const last = seen.at(-1), before = seen.at(-2);
    presses.push({ code: e.code, quiet: probe.quiet(), still: probe.still(), frames: 0, ms: 0,
      at: performance.now(), frame: foretick.frames, from: last, drift: { x: last.x - before.x, y: last.y - before.y } });
  });
  foretick.onframe = () => {
    const all = foretick.numbers.slice(0, 16 + 8 * foretick.numbers[0]);
    still = all.length === last.length && all.every((n, i) => Math.abs(n - last[i]) < rest) ? still + 1 : 0;
    last = all;
    const p = foretick.own();
    const q = presses.at(-1);
    if (q && !q.frames) {
      const n = foretick.frames - q.frame, [wx, wy] = ways[q.code];
      const way = (p.x - q.from.x - n * q.drift.x) * wx + (p.y - q.from.y - n * q.drift.y) * wy;
      if (way > moved) {
        q.frames = n;
        q.ms = performance.now() - q.at;
      }
    }
    seen.push(p);
    if (seen.length > 5) seen.shift();
  };
})();
