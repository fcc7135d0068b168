// Draws the picture that cmd/gallery gives: batches of instances, and contact
// points.
import * as THREE from "three";
import { rounded } from "./batch.js";
import { startOrbit } from "./orbit.js";

const [BOX, SPHERE, CAPSULE, OWN] = [0, 1, 2, 3]; // geometries; the scene's own follow
const [STILL, MOVING, GLASS, WALL] = [0, 1, 2, 3]; // layers

// What a body does, by its colour: hue, saturation, lightness, and how much
// neighbours differ in that. In the order of package gallery's shades.
const shades = {
  dark: { back: 0x0b1424, dots: 0xffe14a, sky: [0xdfeaff, 0x4a5a78, 2.0], sun: 2.0,
    list: [["awake", 205, 78, 55, 6], ["asleep", 218, 14, 57, 3], ["static", 216, 24, 34, 0], ["kinematic", 268, 70, 68, 3], ["sensor", 160, 60, 55, 0], ["ball", 30, 100, 54, 0]] },
  light: { back: 0xe6edf6, dots: 0xd81b60, sky: [0xffffff, 0xa8b4c8, 2.2], sun: 1.7,
    list: [["awake", 206, 80, 47, 6], ["asleep", 222, 12, 71, 2], ["static", 214, 22, 80, 0], ["kinematic", 268, 60, 56, 3], ["sensor", 160, 70, 36, 0], ["ball", 26, 100, 48, 0]] },
};
export const legend = (theme) => [
  ...shades[theme].list.map(([name, h, s, l]) => ({ name, colour: `hsl(${h} ${s}% ${l}%)` })),
  { name: "contact", colour: "#" + shades[theme].dots.toString(16).padStart(6, "0"), dot: true }];

// palette has the colour of each shade and variation, as three numbers.
const palette = (theme) => {
  const out = [], c = new THREE.Color();
  for (const [, h, s, l, vary] of shades[theme].list) {
    for (let i = 0; i < 8; i++) c.setHSL(h / 360, s / 100, (l + vary * (i / 3.5 - 1)) / 100, THREE.SRGBColorSpace).toArray(out, out.length);
  }
  return new Float32Array(out);
};

// marked lets turns be seen: dark edges on boxes, eighths on what is round.
const marked = (material, code) => {
  const before = material.onBeforeCompile, was = material.customProgramCacheKey();
  material.onBeforeCompile = (s, r) => {
    before.call(material, s, r);
    s.vertexShader = s.vertexShader.replace("void main() {", "varying vec3 vOwn;\nvarying vec2 vCell;\nvarying vec3 vAt;\nvoid main() {")
      .replace("#include <project_vertex>", "#include <project_vertex>\nvOwn = position;\nvCell = uv;\nvAt = (modelMatrix * instanceMatrix * vec4(transformed, 1.0)).xyz;");
    s.fragmentShader = s.fragmentShader.replace("void main() {", "varying vec3 vOwn;\nvarying vec2 vCell;\nvarying vec3 vAt;\nvoid main() {")
      .replace("#include <opaque_fragment>", code + "\n#include <opaque_fragment>");
  };
  material.customProgramCacheKey = () => was + code;
  return material;
};
const edges = "vec2 c = abs(vCell - 0.5);\noutgoingLight *= 1.0 - 0.42 * smoothstep(0.455, 0.475, max(c.x, c.y));";
const eighths = "outgoingLight *= vOwn.x * vOwn.y * vOwn.z > 0.0 ? 1.0 : 0.8;";
const grid = `vec2 w = fwidth(vAt.xz), g = abs(fract(vAt.xz / 5.0 + 0.5) - 0.5) * 5.0;
  vec2 on = (1.0 - clamp(g / max(w, 0.02), 0.0, 1.0)) * clamp(0.7 - w, 0.0, 0.5);
  outgoingLight *= 1.0 - 0.6 * max(on.x, on.y);`;

// From the best to the cheapest. area: most pixels drawn.
const levels = [
  { shadow: 2048, ratio: 2, area: 4e6 },
  { shadow: 1024, ratio: 1.5, area: 2e6 },
  { shadow: 0, ratio: 1, area: 640 * 360 },
  { shadow: 0, ratio: 1, area: 400 * 225 },
];

const slowGraphics = (gl) => {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe|software|basic render/i.test(info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "");
};

// openView is the renderer; it throws if the browser has no WebGL 2. quality is
// the level to stay at, null: by the time that frames take. tap(from, way) is
// called for a click, with a ray.
export const openView = (canvas, quality, tap) => {
  const trial = document.createElement("canvas").getContext("webgl2");
  if (!trial) throw new Error("this browser has no WebGL 2, or it is turned off");
  const soft = slowGraphics(trial) && quality !== 0;
  trial.getExtension("WEBGL_lose_context")?.loseContext();
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: !soft, powerPreference: "high-performance" });
  renderer.shadowMap.type = THREE.PCFShadowMap;
  THREE.ColorManagement.enabled = !soft; // see scene.js
  if (soft) renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
  const scene = new THREE.Scene();
  scene.background = new THREE.Color();
  scene.fog = new THREE.Fog(0, 100, 400);
  const camera = new THREE.PerspectiveCamera(38, 1, 0.5, 900);
  const sky = new THREE.HemisphereLight(), sun = new THREE.DirectionalLight(0xfff0d8, 2);
  scene.add(sky, sun, sun.target);

  const plain = (more) => new THREE.MeshLambertMaterial(more);
  const materials = { // by geometry, where it is not said by the layer
    [BOX]: marked(plain(), edges), [SPHERE]: marked(plain(), eighths), [CAPSULE]: marked(rounded(plain()), eighths), [OWN]: plain({ side: THREE.DoubleSide }),
  };
  const ground = marked(plain(), grid), clear = (opacity, side) => plain({ transparent: true, opacity, depthWrite: false, side });
  const glass = clear(0.13, THREE.FrontSide), glassCapsule = rounded(glass.clone()), wall = clear(0.3, THREE.BackSide); // from inside: the far walls
  const materialOf = (layer, geometry) => layer === WALL ? wall : layer === GLASS ? (geometry === CAPSULE ? glassCapsule : glass)
    : layer === STILL && geometry === BOX ? ground : materials[Math.min(geometry, OWN)];
  const common = [new THREE.BoxGeometry(1, 1, 1), new THREE.SphereGeometry(0.5, soft ? 14 : 28, soft ? 10 : 20), new THREE.SphereGeometry(0.5, soft ? 12 : 24, soft ? 8 : 16)];
  let own = [], meshes = new Map(), theme = "dark", colours = palette("dark");

  // Contact points are inside of things: they are drawn a little nearer than
  // they are, so that those at the surface are seen, and those behind are not.
  const point3 = new THREE.PointsMaterial({ size: 4, sizeAttenuation: false, fog: false });
  point3.onBeforeCompile = (s) => {
    s.vertexShader = s.vertexShader.replace("#include <project_vertex>", "#include <project_vertex>\nmvPosition.z += 0.12 + 0.004 * length(mvPosition.xyz);\ngl_Position = projectionMatrix * mvPosition;");
    s.fragmentShader = s.fragmentShader.replace("void main() {", "void main() {\nif (length(gl_PointCoord - 0.5) > 0.5) discard;");
  };
  const dots = new THREE.Points(new THREE.BufferGeometry(), point3);
  dots.frustumCulled = false;
  dots.renderOrder = 9;
  scene.add(dots);

  const paint = (name) => {
    theme = name;
    const s = shades[theme];
    scene.background.setHex(s.back);
    scene.fog.color.setHex(s.back);
    sky.color.setHex(s.sky[0]);
    sky.groundColor.setHex(s.sky[1]);
    sky.intensity = s.sky[2];
    sun.intensity = s.sun;
    dots.material.color.setHex(s.dots);
    colours = palette(theme);
    for (const m of meshes.values()) m.known = -1;
  };

  const ray = new THREE.Raycaster(), at = new THREE.Vector2();
  const shoot = (x, y) => {
    ray.setFromCamera(at.set(2 * x / canvas.clientWidth - 1, 1 - 2 * y / canvas.clientHeight), camera);
    tap(ray.ray.origin, ray.ray.direction, orbit.distance);
  };
  const orbit = startOrbit(canvas, camera, shoot);

  // meshFor returns the instances of a batch, with room for count.
  const meshFor = (layer, geometry, count) => {
    const key = layer + "." + geometry;
    let m = meshes.get(key);
    if (m && m.instanceMatrix.count >= count) return m;
    if (m) drop(m);
    m = new THREE.InstancedMesh(geometry < OWN ? common[geometry] : own[geometry - OWN], materialOf(layer, geometry), Math.max(16, Math.ceil(count * 1.25)));
    m.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * m.instanceMatrix.count), 3);
    for (const a of [m.instanceMatrix, m.instanceColor]) a.setUsage(THREE.DynamicDrawUsage);
    m.frustumCulled = false;
    m.castShadow = m.receiveShadow = layer < GLASS;
    m.renderOrder = layer < GLASS ? 0 : 5;
    m.known = -1;
    meshes.set(key, m);
    scene.add(m);
    return m;
  };
  const drop = (m) => {
    scene.remove(m);
    m.dispose();
  };

  // fill puts the picture's batches into meshes. What is static is put there
  // when it came or went.
  const fill = (page) => {
    for (const m of meshes.values()) m.visible = false;
    let first = 0;
    for (let i = 0; i < page.counts.batches; i += 3) {
      const layer = page.batches[i], geometry = page.batches[i + 1], count = page.batches[i + 2];
      const m = meshFor(layer, geometry, count);
      m.visible = true;
      if (layer !== STILL || m.known !== count) {
        m.known = count;
        m.count = count;
        m.instanceMatrix.array.set(page.matrices.subarray(16 * first, 16 * (first + count)));
        const c = m.instanceColor.array;
        for (let k = 0; k < count; k++) {
          const s = 3 * page.shades[first + k];
          c[3 * k] = colours[s]; c[3 * k + 1] = colours[s + 1]; c[3 * k + 2] = colours[s + 2];
        }
        m.instanceMatrix.needsUpdate = m.instanceColor.needsUpdate = true;
      }
      first += count;
    }
  };

  const fillDots = (page, shown) => {
    const n = shown ? page.counts.contacts : 0, g = dots.geometry;
    dots.visible = n > 0;
    if (!n) return;
    if (!g.attributes.position || g.attributes.position.array.length < n) {
      g.dispose();
      dots.geometry = new THREE.BufferGeometry();
      dots.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(2 * n), 3).setUsage(THREE.DynamicDrawUsage));
    }
    const a = dots.geometry.attributes.position;
    a.array.set(page.contacts.subarray(0, n));
    a.needsUpdate = true;
    dots.geometry.setDrawRange(0, n / 3);
  };

  // frameScene turns the camera to what moves, or to all there is.
  const box = new THREE.Box3(), size = new THREE.Vector3(), point = new THREE.Vector3();
  const frameScene = (page, want) => {
    for (const wanted of [MOVING, STILL]) {
      box.makeEmpty();
      let first = 0;
      for (let i = 0; i < page.counts.batches; i += 3) {
        const count = page.batches[i + 2];
        if (page.batches[i] === wanted) for (let k = first; k < first + count; k++) box.expandByPoint(point.fromArray(page.matrices, 16 * k + 12));
        first += count;
      }
      if (!box.isEmpty()) break;
    }
    if (box.isEmpty()) box.set(point.set(-5, 0, -5), new THREE.Vector3(5, 5, 5));
    box.getSize(size);
    const r = Math.max(5, 0.5 * size.length());
    box.getCenter(orbit.target);
    orbit.target.y = want?.y ?? orbit.target.y;
    Object.assign(orbit, { yaw: want?.yaw ?? 0.55, pitch: want?.pitch ?? 0.3 });
    const half = Math.tan(camera.fov * Math.PI / 360) * Math.min(1, camera.aspect);
    orbit.distance = (want?.near ?? 1) * r / half * 1.02;
    orbit.touched = false;
    reach = Math.max(30, 1.4 * r);
    shadowed = -1;
  };

  let level = quality ?? (soft ? 2 : 0), shadowed = -1, reach = 30;
  const was = new THREE.Vector2();
  const fit = () => {
    const w = canvas.clientWidth || 1, h = canvas.clientHeight || 1, l = levels[level];
    const ratio = Math.min(devicePixelRatio || 1, l.ratio, Math.sqrt(l.area / (w * h)));
    renderer.getSize(was);
    if (was.x !== w || was.y !== h || renderer.getPixelRatio() !== ratio) {
      renderer.setPixelRatio(ratio);
      renderer.setSize(w, h, false);
      camera.aspect = w / h;
      camera.setViewOffset(w, h, 0, 18, w, h); // the bar is below the picture's middle
      camera.updateProjectionMatrix();
    }
    scene.fog.near = 1.6 * orbit.distance + 40;
    scene.fog.far = 3 * orbit.distance + 160;
    sun.target.position.set(Math.round(orbit.target.x), 0, Math.round(orbit.target.z));
    sun.position.copy(sun.target.position).add(point.set(-0.45, 1, 0.4).multiplyScalar(2 * reach));
    if (shadowed === l.shadow) return;
    shadowed = l.shadow;
    renderer.shadowMap.enabled = sun.castShadow = l.shadow > 0;
    sun.shadow.mapSize.setScalar(l.shadow || 512);
    sun.shadow.map?.dispose();
    sun.shadow.map = null;
    const c = sun.shadow.camera;
    [c.left, c.right, c.top, c.bottom, c.near, c.far] = [-reach, reach, reach, -reach, 1, 5 * reach];
    sun.shadow.bias = -0.0008;
    sun.shadow.normalBias = 0.04;
    c.updateProjectionMatrix();
    scene.traverse((o) => { if (o.material) o.material.needsUpdate = true; });
  };
  let frames = 0, late = 0;
  const slow = (took) => {
    if (quality !== null || took > 1000 || level === levels.length - 1) return;
    frames++;
    if (took > (soft ? 70 : 28)) late++;
    if (frames < 40) return;
    if (late > 20) level++;
    frames = late = 0;
  };

  return {
    paint, orbit,
    get quality() { return level; },
    shootMiddle: () => shoot(canvas.clientWidth / 2, canvas.clientHeight / 2),
    // open takes the triangles of a scene's own geometries.
    open(surfaces) {
      for (const m of meshes.values()) drop(m);
      meshes = new Map();
      for (const g of own) g.dispose();
      own = surfaces.map((s) => {
        const g = new THREE.BufferGeometry();
        g.setAttribute("position", new THREE.BufferAttribute(s, 3));
        g.computeVertexNormals(); // no corner is shared: each face is flat
        return g;
      });
    },
    look(page, want) { fit(); frameScene(page, want); },
    draw(page, took, contacts) {
      slow(took);
      fit();
      fill(page);
      fillDots(page, contacts);
      orbit.place();
      renderer.render(scene, camera);
    },
  };
};
