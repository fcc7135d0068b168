// Keeps the match going when there are no frames: in a hidden tab, whose
// timers the browser slows down to one a second, and between frames that take
// long. A worker's timer is not slowed down.

const period = 25; // ms between calls without frames

// startPump calls work() about every 25 ms in which nobody called the returned
// function.
export const startPump = (work) => {
  let fed = performance.now();
  const beat = () => {
    const now = performance.now();
    if (now - fed < period) return;
    fed = now;
    work();
  };
  try {
    const code = `setInterval(() => postMessage(0), ${period})`;
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    new Worker(url).onmessage = beat;
  } catch {
    setInterval(beat, period); // without workers: once a second while hidden, which keeps a session
  }
  return () => { fed = performance.now(); };
};
