// A camera that turns about a point: mouse, fingers and keys.
import * as THREE from "three";

const flat = 0.02, steep = 1.5; // rad above the ground
const near = 2, far = 400;      // m

// startOrbit listens on a canvas; tap(x, y) is called for a click that moved
// nothing, in canvas pixels.
export const startOrbit = (canvas, camera, tap) => {
  const o = { yaw: 0.6, pitch: 0.35, distance: 40, target: new THREE.Vector3(), touched: false };
  const right = new THREE.Vector3(), up = new THREE.Vector3();
  const clamp = () => {
    o.pitch = Math.min(steep, Math.max(flat, o.pitch));
    o.distance = Math.min(far, Math.max(near, o.distance));
    o.touched = true;
  };
  const turn = (dx, dy) => { o.yaw -= dx; o.pitch += dy; clamp(); };
  const zoom = (k) => { o.distance *= k; clamp(); };
  const pan = (dx, dy) => {
    const k = 2 * o.distance * Math.tan(camera.fov * Math.PI / 360) / (canvas.clientHeight || 1);
    right.setFromMatrixColumn(camera.matrix, 0);
    up.setFromMatrixColumn(camera.matrix, 1);
    o.target.addScaledVector(right, -dx * k).addScaledVector(up, dy * k);
    clamp();
  };
  o.place = () => {
    const flatly = Math.cos(o.pitch) * o.distance;
    camera.position.set(o.target.x + flatly * Math.sin(o.yaw), o.target.y + o.distance * Math.sin(o.pitch), o.target.z + flatly * Math.cos(o.yaw));
    camera.lookAt(o.target);
    camera.updateMatrixWorld();
  };

  const fingers = new Map();
  let moved = 0, since = 0, most = 0;
  canvas.addEventListener("pointerdown", (e) => {
    if (!fingers.size) [moved, since, most] = [0, e.timeStamp, 0];
    fingers.set(e.pointerId, { x: e.clientX, y: e.clientY, pan: e.button === 2 || e.shiftKey });
    most = Math.max(most, fingers.size);
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", (e) => {
    const f = fingers.get(e.pointerId);
    if (!f) return;
    const dx = e.clientX - f.x, dy = e.clientY - f.y;
    moved += Math.hypot(dx, dy);
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== e.pointerId)[1];
      const was = Math.hypot(f.x - other.x, f.y - other.y), is = Math.hypot(e.clientX - other.x, e.clientY - other.y);
      if (was > 10 && is > 10) zoom(was / is);
      pan(dx / 2, dy / 2);
    } else if (f.pan) pan(dx, dy);
    else if (moved > 6) turn(dx * 0.006, dy * 0.006);
    [f.x, f.y] = [e.clientX, e.clientY];
  });
  const lift = (e) => {
    const f = fingers.get(e.pointerId);
    if (!fingers.delete(e.pointerId) || e.type !== "pointerup" || fingers.size) return;
    if (most === 1 && moved <= 6 && !f.pan && e.timeStamp - since < 600) {
      const r = canvas.getBoundingClientRect();
      tap(e.clientX - r.left, e.clientY - r.top);
    }
  };
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(end, lift);
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    zoom(Math.exp(Math.max(-100, Math.min(100, e.deltaY)) * 0.0015));
  }, { passive: false });
  const keys = {
    ArrowLeft: () => turn(0.08, 0), ArrowRight: () => turn(-0.08, 0), ArrowUp: () => turn(0, 0.06), ArrowDown: () => turn(0, -0.06),
    Equal: () => zoom(0.9), NumpadAdd: () => zoom(0.9), Minus: () => zoom(1.1), NumpadSubtract: () => zoom(1.1),
  };
  canvas.addEventListener("keydown", (e) => {
    if (!keys[e.code] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.code]();
  });
  return o;
};
