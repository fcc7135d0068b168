// Draws a scene (sim.Scene) with three: instanced meshes, light, a camera that
// follows the player.
import * as THREE from "three";
import { paint, headSize } from "./canvas2d.js";

const stride = 16, labelStride = 6;
const [OWN, OWNX, OWNZ, OWNY, POSES, LABELS] = [5, 6, 7, 8, 9, 10]; // of the head; OWNZ is -z
const [FOWN, FPLAYER, FSERVER, FSNAPSHOT, FEFFECT] = [1, 2, 4, 8, 16];

const puckProfile = [[0, -0.5], [0.44, -0.5], [0.485, -0.42], [0.5, -0.3], [0.5, 0.26], [0.485, 0.4], [0.44, 0.48], [0.36, 0.5], [0, 0.5]];

const chevron = () => {
  const s = new THREE.Shape([[0.5, 0], [-0.05, 0.42], [-0.28, 0.42], [0.12, 0], [-0.28, -0.42], [-0.05, -0.42]].map((p) => new THREE.Vector2(...p)));
  return new THREE.ShapeGeometry(s).rotateX(-Math.PI / 2);
};

const geometries = [
  () => new THREE.BoxGeometry(1, 1, 1),
  () => new THREE.SphereGeometry(0.5, 20, 14),
  () => new THREE.LatheGeometry(puckProfile.map((p) => new THREE.Vector2(...p)), 36),
  () => new THREE.CapsuleGeometry(0.25, 0.5, 4, 16),
  () => new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
  () => new THREE.RingGeometry(0.42, 0.5, 48).rotateX(-Math.PI / 2),
  chevron,
];

// A Batch is all instances of one mesh and one kind of material.
class Batch {
  constructor(scene, geometry, material, shadows) {
    Object.assign(this, { scene, geometry, material, shadows, n: 0, mesh: null });
    this.grow(32);
  }

  grow(most) {
    const old = this.mesh;
    const m = new THREE.InstancedMesh(this.geometry.clone(), this.material, most);
    m.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    m.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * most), 3).setUsage(THREE.DynamicDrawUsage);
    m.geometry.setAttribute("fade", new THREE.InstancedBufferAttribute(new Float32Array(most), 1).setUsage(THREE.DynamicDrawUsage));
    m.frustumCulled = false;
    m.castShadow = this.shadows;
    m.receiveShadow = this.shadows;
    if (old) {
      m.instanceMatrix.array.set(old.instanceMatrix.array);
      m.instanceColor.array.set(old.instanceColor.array);
      m.geometry.attributes.fade.array.set(old.geometry.attributes.fade.array);
      this.scene.remove(old);
      old.geometry.dispose();
      old.dispose();
    }
    this.mesh = m;
    this.most = most;
    this.scene.add(m);
  }

  add(matrix, colour, opacity) {
    if (this.n === this.most) this.grow(2 * this.most);
    const i = this.n++;
    matrix.toArray(this.mesh.instanceMatrix.array, 16 * i);
    colour.toArray(this.mesh.instanceColor.array, 3 * i);
    this.mesh.geometry.attributes.fade.array[i] = opacity;
  }

  finish() {
    const m = this.mesh;
    m.count = this.n;
    m.visible = this.n > 0;
    if (this.n === 0) return;
    for (const a of [m.instanceMatrix, m.instanceColor, m.geometry.attributes.fade]) {
      a.clearUpdateRanges();
      a.addUpdateRange(0, this.n * a.itemSize);
      a.needsUpdate = true;
    }
    this.n = 0;
  }
}

// faded makes a material take its opacity from each instance.
const faded = (material) => {
  material.transparent = true;
  material.depthWrite = false;
  material.onBeforeCompile = (s) => {
    s.vertexShader = "attribute float fade;\nvarying float vFade;\n" +
      s.vertexShader.replace("#include <begin_vertex>", "#include <begin_vertex>\nvFade = fade;");
    s.fragmentShader = "varying float vFade;\n" +
      s.fragmentShader.replace("#include <opaque_fragment>", "diffuseColor.a *= vFade;\n#include <opaque_fragment>");
  };
  return material;
};

const meshes = geometries.length;

// deep is the renderer; it throws if the browser has no WebGL 2.
export const deep = (canvas, labels, bots) => {
  if (!document.createElement("canvas").getContext("webgl2")) throw new Error("this browser has no WebGL 2");
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x0e1626);
  scene.fog = new THREE.Fog(0x0e1626, 45, 110);
  const camera = new THREE.PerspectiveCamera(45, 1, 0.5, 200);
  scene.add(new THREE.HemisphereLight(0xdfeaff, 0x33405c, 1.6));
  const sun = new THREE.DirectionalLight(0xfff2dc, 2.2);
  sun.position.set(-14, 30, 12);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  scene.add(sun, sun.target);

  const solid = new THREE.MeshStandardMaterial({ roughness: 0.45, metalness: 0.05 });
  const glass = faded(new THREE.MeshLambertMaterial());
  const glow = faded(new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
  const shapes = geometries.map((g) => g());
  const batch = (material, shadows) => shapes.map((g) => new Batch(scene, g, material, shadows));
  const still = batch(solid, true), opaque = batch(solid, true), clear = batch(glass, false), bright = batch(glow, false);

  const at = new THREE.Vector3(), turn = new THREE.Quaternion(), size = new THREE.Vector3();
  const matrix = new THREE.Matrix4(), colour = new THREE.Color();
  const put = (a, i, solids) => {
    const mesh = a[i], flags = a[i + 14];
    if (!(mesh >= 0 && mesh < meshes)) return;
    matrix.compose(at.fromArray(a, i + 1), turn.fromArray(a, i + 4), size.fromArray(a, i + 8));
    const ghost = flags & (FSERVER | FSNAPSHOT);
    colour.setHex(ghost & FSERVER ? 0xffd23f : ghost ? 0x3fa7ff : a[i + 11]);
    const to = ghost ? clear : flags & FEFFECT || mesh > 4 ? bright : a[i + 12] < 1 ? clear : solids;
    to[mesh].add(matrix, colour, ghost ? 0.45 * a[i + 12] : a[i + 12]);
  };

  let built = false;
  const least = new THREE.Vector3(-10, 0, -10), most = new THREE.Vector3(10, 2, 10);
  const build = (page) => { // what never changes
    built = true;
    const v = page.view, s = page.scenery, g = page.ground;
    if (v) { least.fromArray(v, 0); most.fromArray(v, 3); }
    if (s) {
      for (let i = 0; i < s.length; i += stride) put(s, i, still);
      still.forEach((b) => b.finish());
    }
    if (g && g[0] > 0) {
      const w = g[3] - g[1], h = g[4] - g[2], dots = 2048;
      const c = document.createElement("canvas");
      c.width = dots;
      c.height = Math.round(dots * h / w);
      paint(c.getContext("2d"), g, g[0], c.width, c.height);
      const map = new THREE.CanvasTexture(c);
      map.colorSpace = THREE.SRGBColorSpace;
      map.anisotropy = 8;
      const floor = new THREE.Mesh(new THREE.PlaneGeometry(w, h).rotateX(-Math.PI / 2), new THREE.MeshStandardMaterial({ map, roughness: 0.35 }));
      floor.position.set((g[1] + g[3]) / 2, 0, -(g[2] + g[4]) / 2);
      floor.receiveShadow = true;
      scene.add(floor);
    }
    const r = least.distanceTo(most) / 2, box = sun.shadow.camera;
    [box.left, box.right, box.top, box.bottom, box.near, box.far] = [-r, r, r, -r, 1, 80];
    box.updateProjectionMatrix();
  };

  const eye = new THREE.Vector3(0, 30, 30), look = new THREE.Vector3(), wantEye = new THREE.Vector3(), wantLook = new THREE.Vector3();
  let last = 0;
  const follow = (h, now) => {
    if (h[OWN]) {
      wantLook.set(h[OWNX], h[OWNY], -h[OWNZ]);
      wantEye.set(0, 13, 12).add(wantLook);
    } else {
      wantLook.addVectors(least, most).multiplyScalar(0.5);
      wantEye.set(0, 30, 30).add(wantLook);
    }
    const k = 1 - Math.exp(-(now - last) / 150);
    last = now;
    look.lerp(wantLook, k);
    eye.lerp(wantEye, k);
    camera.position.copy(eye);
    camera.lookAt(look);
  };

  return {
    kind: "3D",
    draw(page, now) {
      if (!built) build(page);
      const w = canvas.clientWidth, h = canvas.clientHeight, ratio = Math.min(devicePixelRatio || 1, 2);
      const dots = new THREE.Vector2();
      renderer.getSize(dots);
      if (dots.x !== w || dots.y !== h || renderer.getPixelRatio() !== ratio) {
        renderer.setPixelRatio(ratio);
        renderer.setSize(w, h, false);
        camera.aspect = w / h;
        camera.updateProjectionMatrix();
      }
      const head = page.numbers;
      for (let i = 0, end = head[POSES] * stride; i < end; i += stride) put(page.poses, i, opaque);
      for (const batches of [opaque, clear, bright]) for (const b of batches) b.finish();
      follow(head, now);
      renderer.render(scene, camera);
    },
  };
};
