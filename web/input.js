// Keyboard, touch and gamepad, as one stick and one button.

const arrows = { ArrowLeft: "l", KeyA: "l", ArrowRight: "r", KeyD: "r", ArrowUp: "u", KeyW: "u", ArrowDown: "d", KeyS: "d" };
const dead = 0.18; // of a gamepad's stick: less is nothing

// startInput shows stick and button in box where fingers are used, and returns
// read(): the stick x, y (up is positive), together at most 1 long but for
// keys, and how often the button was pressed since the last call.
export const startInput = (box) => {
  const keys = startKeys(), fingers = startTouch(box), pad = startPad();
  return () => {
    const now = keys();
    for (const more of [fingers(), pad()]) {
      if (more.x || more.y) [now.x, now.y] = [more.x, more.y];
      now.presses += more.presses;
    }
    return now;
  };
};

const startKeys = () => {
  // A direction counts as held for at least one frame.
  const held = new Set(), fresh = new Set();
  let presses = 0;
  // Keys of what has the focus: a button's space, a slider's arrows.
  const takes = (e) => {
    const t = e.target;
    if (!t.closest) return false;
    if (t.closest("input:not([type=checkbox]):not([type=radio]), select, textarea, [role=slider]")) return true;
    return e.code === "Space" && t.closest("button, summary, a, input, label") !== null;
  };
  addEventListener("keydown", (e) => {
    if (e.code === "Escape") document.activeElement?.blur(); // back to the game
    if (takes(e) || e.ctrlKey || e.metaKey || e.altKey) return;
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
  document.addEventListener("visibilitychange", () => held.clear());
  const down = (way) => [held, fresh].some((s) => [...s].some((k) => arrows[k] === way)) ? 1 : 0;
  return () => {
    const now = { x: down("r") - down("l"), y: down("u") - down("d"), presses };
    fresh.clear();
    presses = 0;
    return now;
  };
};

// startTouch: the left half of the game is a stick, where the finger comes
// down; at the right there is a button.
const startTouch = (box) => {
  const zone = box.querySelector(".stick"), knob = box.querySelector(".knob"), button = box.querySelector(".dash");
  const fingers = matchMedia("(any-pointer: coarse), (max-width: 600px)");
  const show = () => { box.hidden = !fingers.matches; };
  fingers.addEventListener("change", show);
  addEventListener("touchstart", () => { box.hidden = false; }, { once: true, passive: true });
  show();
  const reach = 56; // pixels to full speed
  let finger = null, from = { x: 0, y: 0 }, x = 0, y = 0, presses = 0;
  const rest = () => {
    finger = null;
    x = y = 0;
    knob.style.transform = "";
    zone.classList.remove("held");
  };
  zone.addEventListener("pointerdown", (e) => {
    if (finger !== null) return;
    e.preventDefault();
    finger = e.pointerId;
    zone.setPointerCapture(finger);
    const r = zone.getBoundingClientRect();
    from = { x: r.left + r.width / 2, y: r.top + r.height / 2 };
    zone.classList.add("held");
    move(e);
  });
  const move = (e) => {
    if (e.pointerId !== finger) return;
    const dx = e.clientX - from.x, dy = e.clientY - from.y, far = Math.max(Math.hypot(dx, dy), reach);
    [x, y] = [dx / far, -dy / far];
    knob.style.transform = `translate(${x * reach}px, ${-y * reach}px)`;
  };
  zone.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) zone.addEventListener(end, (e) => { if (e.pointerId === finger) rest(); });
  button.addEventListener("pointerdown", (e) => { e.preventDefault(); presses++; });
  button.addEventListener("click", (e) => { if (e.detail === 0) presses++; }); // by the keyboard
  return () => {
    const now = { x, y, presses };
    presses = 0;
    return now;
  };
};

const startPad = () => {
  const down = new Map(); // the button, by pad
  return () => {
    const now = { x: 0, y: 0, presses: 0 };
    for (const p of navigator.getGamepads?.() ?? []) {
      if (!p?.connected) continue;
      let [x, y] = [p.axes[0] || 0, -(p.axes[1] || 0)];
      const long = Math.hypot(x, y);
      if (long > dead) {
        const k = Math.min(1, (long - dead) / (1 - dead)) / long;
        [now.x, now.y] = [x * k, y * k];
      } else if (p.mapping === "standard") { // the cross
        now.x = (p.buttons[15]?.pressed ? 1 : 0) - (p.buttons[14]?.pressed ? 1 : 0) || now.x;
        now.y = (p.buttons[12]?.pressed ? 1 : 0) - (p.buttons[13]?.pressed ? 1 : 0) || now.y;
      }
      const pressed = p.buttons[0]?.pressed ?? false;
      if (pressed && !down.get(p.index)) now.presses++;
      down.set(p.index, pressed);
    }
    return now;
  };
};
