// Names over players, as text of the page: they stay sharp at any resolution.
import * as THREE from "three";

const stride = 6; // numbers of a label (sim.Scene)
const own = 1;    // its flag

export const startLabels = (box, bots, me = "you") => {
  const tags = new Map(); // by player
  const at = new THREE.Vector3();
  const name = (player) => player <= bots ? "bot " + player : "player " + player;
  return (a, n, camera, w, h) => {
    for (const t of tags.values()) t.here = false;
    for (let i = 0; i < n * stride; i += stride) {
      at.fromArray(a, i).project(camera);
      if (at.z > 1 || Math.abs(at.x) > 1.1 || Math.abs(at.y) > 1.1) continue;
      const player = a[i + 3], score = a[i + 4], mine = (a[i + 5] & own) !== 0;
      let t = tags.get(player);
      if (!t) {
        const div = document.createElement("div"), points = document.createElement("b");
        div.append("", points);
        box.append(div);
        tags.set(player, t = { div, points, text: div.firstChild });
      }
      if (t.score !== score) {
        t.points.textContent = t.score = score;
        t.points.hidden = score < 0;
      }
      if (t.mine !== mine) {
        t.mine = mine;
        t.text.textContent = mine ? me : name(player);
        t.div.className = mine ? "mine" : "";
      }
      t.here = true;
      t.div.style.transform = `translate(${((at.x + 1) * w / 2).toFixed(1)}px, ${((1 - at.y) * h / 2).toFixed(1)}px) translate(-50%, -100%)`;
      if (!t.shown) t.div.style.visibility = "visible";
      t.shown = true;
    }
    for (const [player, t] of tags) {
      if (t.here) continue;
      if (t.shown) { t.div.style.visibility = "hidden"; t.shown = false; }
      if (tags.size > 64) { t.div.remove(); tags.delete(player); }
    }
  };
};
