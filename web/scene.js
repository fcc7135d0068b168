// Draws a scene (sim.Scene) with three: instanced meshes, light, a camera that
// follows the player. What a machine cannot draw in time is left out (levels).
import * as THREE from "three";
import { Batch, faded, geometries, rounded, shell, CAPSULE, MESHES, RING } from "./batch.js";
import { paint } from "./canvas2d.js";
import { startLabels } from "./labels.js";

const stride = 16; // numbers of an instance
const [OWN, OWNX, OWNY, OWNH, POSES, LABELS] = [5, 6, 7, 8, 9, 10]; // of the head; height is last
const SERVER = 4, SNAPSHOT = 8, EFFECT = 16; // flags
const back = 0x0b1424;

// From the best to the cheapest. area: most pixels drawn.
const levels = [
  { shadow: 2048, ratio: 2, area: 4e6 },
  { shadow: 1024, ratio: 1.5, area: 2e6 },
  { shadow: 0, ratio: 1, area: 1e6 },
  { shadow: 0, ratio: 1, area: 640 * 360 },
  { shadow: 0, ratio: 1, area: 400 * 225 },
];

// ground paints the picture of a scene's ground, and wears it a little.
const ground = (g, dots, soft) => {
  const w = g[3] - g[1], h = g[4] - g[2];
  const c = document.createElement("canvas");
  c.width = dots;
  c.height = Math.round(dots * h / w);
  const pen = c.getContext("2d");
  paint(pen, g, g[0], c.width, c.height);
  pen.setTransform(c.width, 0, 0, c.width, 0, 0);
  const light = pen.createRadialGradient(0.5, 0.5 * h / w, 0.05, 0.5, 0.5 * h / w, 0.72);
  light.addColorStop(0, "rgba(255,255,255,0.28)");
  light.addColorStop(0.6, "rgba(255,255,255,0)");
  light.addColorStop(1, "rgba(40,80,130,0.28)");
  pen.fillStyle = light;
  pen.fillRect(0, 0, 1, h / w);
  let seed = 1; // the same marks each time
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < 420; i++) {
    const x = random(), y = random() * h / w, r = 0.02 + 0.2 * random(), from = 6.28 * random();
    pen.strokeStyle = i % 3 ? "rgba(255,255,255,0.35)" : "rgba(60,100,150,0.16)";
    pen.lineWidth = 0.0004 + 0.0006 * random();
    pen.beginPath();
    pen.arc(x, y, r, from, from + 0.2 + 0.5 * random());
    pen.stroke();
  }
  const map = new THREE.CanvasTexture(c);
  if (soft) {
    map.generateMipmaps = false;
    map.minFilter = THREE.LinearFilter;
  } else {
    map.colorSpace = THREE.SRGBColorSpace;
    map.anisotropy = 8;
  }
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(w, h).rotateX(-Math.PI / 2),
    soft ? new THREE.MeshBasicMaterial({ map, color: 0xf4f7fb }) : new THREE.MeshPhongMaterial({ map, shininess: 90, specular: 0x2a2f38 }));
  mesh.position.set((g[1] + g[3]) / 2, 0, -(g[2] + g[4]) / 2);
  mesh.receiveShadow = true;
  return mesh;
};

// spot is a soft round stain: shade under things, light around the ground.
const spot = (inner, outer, soft) => {
  const c = document.createElement("canvas");
  c.width = c.height = 128;
  const pen = c.getContext("2d"), g = pen.createRadialGradient(64, 64, 0, 64, 64, 64);
  g.addColorStop(0, inner);
  g.addColorStop(0.55, inner);
  g.addColorStop(1, outer);
  pen.fillStyle = g;
  pen.fillRect(0, 0, 128, 128);
  const t = new THREE.CanvasTexture(c);
  if (!soft) t.colorSpace = THREE.SRGBColorSpace;
  return t;
};

const slowGraphics = (gl) => {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe|software|basic render/i.test(info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "");
};

// deep is the renderer; it throws if the browser has no WebGL 2. quality is
// the level to stay at, null: by the time that frames take.
export const deep = (canvas, labelBox, bots, quality = null) => {
  const trial = document.createElement("canvas").getContext("webgl2");
  if (!trial) throw new Error("this browser has no WebGL 2, or it is turned off");
  const soft = slowGraphics(trial) && quality !== 0; // drawn by the processor
  trial.getExtension("WEBGL_lose_context")?.loseContext();
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: !soft, powerPreference: "high-performance" });
  renderer.shadowMap.type = THREE.PCFShadowMap;
  THREE.ColorManagement.enabled = !soft; // light is then added in the screen's space: a shade darker, and far cheaper
  if (soft) renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(back);
  if (!soft) scene.fog = new THREE.Fog(back, 42, 95);
  const camera = new THREE.PerspectiveCamera(40, 1, 1, 160);
  scene.add(new THREE.HemisphereLight(0xe6f0ff, 0x50607c, 1.9));
  const sun = new THREE.DirectionalLight(0xfff0d8, 1.9), sunWay = new THREE.Vector3(-12, 26, 9);
  scene.add(sun, sun.target);

  // Materials and batches.
  const plain = (more) => soft ? new THREE.MeshLambertMaterial() : new THREE.MeshPhongMaterial({ shininess: 70, specular: 0x333333, ...more });
  const solid = plain(), capsule = rounded(plain());
  const glass = faded(new THREE.MeshLambertMaterial()), ghost = shell();
  const glow = faded(new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, fog: false }));
  const shapes = geometries(!soft);
  const batches = (of, how) => shapes.map((g, i) => new Batch(scene, g, of(i), how));
  const bodies = { casts: true, receives: true };
  const byMesh = (i) => i === CAPSULE ? capsule : solid;
  const still = batches(byMesh, bodies), opaque = batches(byMesh, bodies);
  const stillClear = batches(() => glass, { order: 3 }), clear = batches(() => glass, { order: 3 }), bright = batches(() => glow, { order: 2 }), ghosts = batches(() => ghost, { order: 4 });
  const shade = new Batch(scene, shapes[4], faded(new THREE.MeshBasicMaterial({ map: spot("rgba(0,0,0,0.75)", "rgba(0,0,0,0)", soft), fog: false })), { order: 1 });
  const moving = [...opaque, ...clear, ...bright, ...ghosts, shade];

  const at = new THREE.Vector3(), turn = new THREE.Quaternion(), size = new THREE.Vector3();
  const matrix = new THREE.Matrix4(), colour = new THREE.Color(), black = new THREE.Color(0x0a1830), straight = new THREE.Quaternion();
  const put = (a, i, solids, clears) => {
    const mesh = a[i], flags = a[i + 14], opacity = a[i + 12];
    if (!(mesh >= 0 && mesh < MESHES)) return;
    matrix.compose(at.fromArray(a, i + 1), turn.fromArray(a, i + 4), size.fromArray(a, i + 8));
    if (flags & (SERVER | SNAPSHOT)) {
      if (mesh >= RING) return; // marks are no bodies
      matrix.compose(at, turn, size.multiplyScalar(flags & SERVER ? 1.06 : 1.03));
      ghosts[mesh].add(matrix, colour.setHex(flags & SERVER ? 0xffd400 : 0x1f9bff), opacity);
      return;
    }
    colour.setHex(a[i + 11]);
    if (flags & EFFECT || mesh >= RING) bright[mesh].add(matrix, colour, opacity);
    else if (opacity < 1) clears[mesh].add(matrix, colour, opacity);
    else {
      solids[mesh].add(matrix, colour, 1);
      if (a[i + 13] > 0 && at.y < 3) { // it belongs to something: that stands on its shade
        size.multiplyScalar(1.5);
        size.y = 1;
        at.y = 0.02;
        shade.add(matrix.compose(at, straight, size), black, 0.5);
      }
    }
  };

  // What never changes.
  const least = new THREE.Vector3(-10, 0, -10), most = new THREE.Vector3(10, 2, 10);
  let built = false;
  const build = (page) => {
    built = true;
    if (page.view) { least.fromArray(page.view, 0); most.fromArray(page.view, 3); }
    const s = page.scenery;
    for (let i = 0; s && i < s.length; i += stride) put(s, i, still, stillClear);
    for (const b of [...still, ...stillClear]) b.finish();
    if (page.ground?.[0] > 0) scene.add(ground(page.ground, soft ? 1024 : 2048, soft));
    const r = 1.5 * most.distanceTo(least);
    const glimmer = new THREE.Mesh(new THREE.PlaneGeometry(r, r).rotateX(-Math.PI / 2),
      new THREE.MeshBasicMaterial({ map: spot("#2b4468", "#0b1424", soft), fog: false }));
    glimmer.renderOrder = 1; // where nothing else is
    glimmer.position.addVectors(least, most).multiplyScalar(0.5).setY(-0.3);
    scene.add(glimmer);
  };

  // Levels.
  let level = quality ?? (soft ? 3 : 0), shadowed = 0;
  const size2 = new THREE.Vector2();
  const fit = () => {
    const w = canvas.clientWidth || 1, h = canvas.clientHeight || 1, l = levels[level];
    const ratio = Math.min(devicePixelRatio || 1, l.ratio, Math.sqrt(l.area / (w * h)));
    renderer.getSize(size2);
    if (size2.x !== w || size2.y !== h || renderer.getPixelRatio() !== ratio) {
      renderer.setPixelRatio(ratio);
      renderer.setSize(w, h, false);
      camera.aspect = w / h;
      camera.updateProjectionMatrix();
    }
    if (shadowed === l.shadow) return;
    shadowed = l.shadow;
    renderer.shadowMap.enabled = sun.castShadow = l.shadow > 0;
    sun.shadow.mapSize.setScalar(l.shadow || 512);
    sun.shadow.map?.dispose();
    sun.shadow.map = null;
    const box = sun.shadow.camera;
    [box.left, box.right, box.top, box.bottom, box.near, box.far] = [-24, 24, 24, -24, 1, 70];
    sun.shadow.bias = -0.0006;
    sun.shadow.normalBias = 0.03;
    box.updateProjectionMatrix();
    scene.traverse((o) => { if (o.material) o.material.needsUpdate = true; });
  };
  // slow steps down when half of the frames of a second or two came late.
  let frames = 0, late = 0;
  const slow = (took) => {
    if (quality !== null || took > 1000 || level === levels.length - 1) return; // hidden meanwhile
    frames++;
    if (took > (soft ? 60 : 26)) late++;
    if (frames < 40) return;
    if (late > 20) level++;
    frames = late = 0;
  };

  // The camera.
  const eye = new THREE.Vector3(), look = new THREE.Vector3(), wantEye = new THREE.Vector3(), wantLook = new THREE.Vector3();
  const middle = new THREE.Vector3(), inset = 7;
  let begun = false;
  const between = (x, a, b) => a > b ? (a + b) / 2 : Math.min(b, Math.max(a, x));
  const follow = (h, took) => {
    middle.addVectors(least, most).multiplyScalar(0.5);
    const narrow = Math.max(1, 1.15 / camera.aspect);
    if (h[OWN]) {
      const far = 22 * Math.sqrt(narrow);
      const side = inset / narrow, deep = inset * (0.4 + 0.6 * narrow); // a tall window sees far, a wide one wide
      wantLook.set(between(h[OWNX], least.x + side, most.x - side), h[OWNH], between(-h[OWNY], least.z + deep, most.z - deep + 3));
      wantEye.set(0, 0.74 * far, 0.68 * far).add(wantLook);
    } else { // all of it
      const far = 1.25 * Math.max((most.x - least.x) * narrow, most.z - least.z);
      wantLook.copy(middle);
      wantEye.set(0, 0.8 * far, 0.62 * far).add(middle);
    }
    const k = begun ? 1 - Math.exp(-Math.min(took, 200) / 180) : 1;
    begun = true;
    look.lerp(wantLook, k);
    eye.lerp(wantEye, k);
    camera.position.copy(eye);
    camera.lookAt(look);
    sun.target.position.set(Math.round(look.x), 0, Math.round(look.z)); // in steps: shadows do not swim
    sun.position.addVectors(sun.target.position, sunWay);
  };

  const label = startLabels(labelBox, bots);
  let last = 0;
  return {
    kind: "3D",
    get quality() { return level; },
    draw(page, now) {
      const took = Math.max(0, now - last), head = page.numbers;
      last = now;
      if (!built) build(page);
      slow(took);
      fit();
      for (let i = 0, end = head[POSES] * stride; i < end; i += stride) put(page.poses, i, opaque, clear);
      for (const b of moving) b.finish();
      follow(head, took);
      renderer.render(scene, camera);
      label(page.labels, head[LABELS], camera, size2.x, size2.y);
    },
  };
};
