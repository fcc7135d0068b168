// Keyboard, touch and gamepad, as one stick and one button.

const arrows = { ArrowLeft: "l", KeyA: "l", ArrowRight: "r", KeyD: "r", ArrowUp: "u", KeyW: "u", ArrowDown: "d", KeyS: "d" };

// startInput returns read(): the stick x, y, each -1 to 1, and how often the
// button was pressed since the last call.
export const startInput = () => {
  // A direction counts as held for at least one frame.
  const held = new Set(), fresh = new Set();
  let presses = 0;
  const typing = (e) => e.target.closest?.("input, select, textarea, button, summary, a, [role=slider]");
  addEventListener("keydown", (e) => {
    if (typing(e) || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.code === "Space") {
      e.preventDefault();
      if (!e.repeat) presses++;
    } else if (arrows[e.code]) {
      e.preventDefault();
      held.add(e.code);
      fresh.add(e.code);
    }
  });
  addEventListener("keyup", (e) => held.delete(e.code));
  addEventListener("blur", () => held.clear());
  const down = (way) => [held, fresh].some((s) => [...s].some((k) => arrows[k] === way)) ? 1 : 0;
  return () => {
    const now = { x: down("r") - down("l"), y: down("u") - down("d"), presses };
    fresh.clear();
    presses = 0;
    return now;
  };
};
