// Many instances of one mesh in one draw call, and the meshes there are.
import * as THREE from "three";

export const [BOX, SPHERE, PUCK, CAPSULE, PLANE, RING, CHEVRON, MESHES] = [0, 1, 2, 3, 4, 5, 6, 7]; // sim.Mesh

const points = (list) => list.map((p) => new THREE.Vector2(...p));

const puckProfile = [[0, -0.5], [0.44, -0.5], [0.485, -0.42], [0.5, -0.3], [0.5, 0.24], [0.485, 0.38], [0.45, 0.47], [0.4, 0.5], [0, 0.5]];
const plainProfile = [[0.5, -0.5], [0.5, 0.3], [0.42, 0.5], [0, 0.5]]; // nobody sees it from below
const chevron = [[0.5, 0], [-0.05, 0.42], [-0.3, 0.42], [0.14, 0], [-0.3, -0.42], [-0.05, -0.42]];
const level = -Math.PI / 2;

// geometries are those of all meshes, with more or fewer corners.
export const geometries = (fine) => [
  new THREE.BoxGeometry(1, 1, 1),
  fine ? new THREE.SphereGeometry(0.5, 24, 16) : new THREE.SphereGeometry(0.5, 12, 8),
  new THREE.LatheGeometry(points(fine ? puckProfile : plainProfile), fine ? 40 : 16),
  fine ? new THREE.SphereGeometry(0.5, 16, 12) : new THREE.SphereGeometry(0.5, 8, 6), // made a capsule by its material
  new THREE.PlaneGeometry(1, 1).rotateX(level),
  new THREE.RingGeometry(0.43, 0.5, fine ? 56 : 24).rotateX(level),
  new THREE.ShapeGeometry(new THREE.Shape(points(chevron))).rotateX(level),
];

// patch puts code behind lines of a material's shaders.
const patch = (material, key, vertex, fragment = {}) => {
  const before = material.onBeforeCompile, was = material.customProgramCacheKey();
  material.onBeforeCompile = (s, r) => {
    before.call(material, s, r);
    for (const [line, code] of Object.entries(vertex)) s.vertexShader = s.vertexShader.replace(line, code.replace("@", line));
    for (const [line, code] of Object.entries(fragment)) s.fragmentShader = s.fragmentShader.replace(line, code.replace("@", line));
  };
  material.customProgramCacheKey = () => was + key;
  return material;
};

// faded makes a material take its opacity from each instance.
export const faded = (material) => {
  material.transparent = true;
  material.depthWrite = false;
  return patch(material, "faded",
    { "void main() {": "attribute float fade;\nvarying float vFade;\n@\nvFade = fade;" },
    { "void main() {": "varying float vFade;\n@", "#include <opaque_fragment>": "diffuseColor.a *= vFade;\n@" });
};

// rounded makes a sphere a capsule: its halves are moved apart, not stretched.
export const rounded = (material) => patch(material, "rounded", {
  "#include <beginnormal_vertex>": "vec3 capsule = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));\n@\nobjectNormal *= capsule;",
  "#include <begin_vertex>": `@
    vec3 parts = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), 0.0);
    transformed.y = (position.y * parts.x + sign(position.y) * 0.5 * max(parts.y - parts.x, 0.0)) / parts.y;`,
});

// shell is what ghosts are made of: hardly there, but for their outline.
export const shell = () => new THREE.ShaderMaterial({
  transparent: true, depthWrite: false,
  vertexShader: `attribute float fade;
    varying vec3 vColour, vNormal, vEye; varying float vFade;
    void main() {
      vec4 at = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
      mat3 m = mat3(instanceMatrix);
      vec3 n = normal / vec3(dot(m[0], m[0]), dot(m[1], m[1]), dot(m[2], m[2]));
      vNormal = normalMatrix * (m * n);
      vEye = -at.xyz; vColour = instanceColor.rgb; vFade = fade;
      gl_Position = projectionMatrix * at;
    }`,
  fragmentShader: `varying vec3 vColour, vNormal, vEye; varying float vFade;
    void main() {
      float rim = 1.0 - abs(dot(normalize(vNormal), normalize(vEye)));
      gl_FragColor = vec4(vColour, vFade * (0.16 + 0.84 * smoothstep(0.25, 0.75, rim)));
      #include <colorspace_fragment>
    }`,
});

// Batch holds the instances of one geometry with one material. Each frame they
// are added anew; finish shows them.
export class Batch {
  constructor(scene, geometry, material, { casts = false, receives = false, order = 0 } = {}) {
    Object.assign(this, { scene, geometry, material, casts, receives, order, n: 0, most: 0, mesh: null });
  }

  grow(most) {
    const old = this.mesh, g = this.geometry.clone();
    const m = new THREE.InstancedMesh(g, this.material, most);
    m.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * most), 3);
    this.fade = new THREE.InstancedBufferAttribute(new Float32Array(most), 1);
    g.setAttribute("fade", this.fade);
    this.parts = [m.instanceMatrix, m.instanceColor, this.fade];
    for (const [i, part] of this.parts.entries()) {
      part.setUsage(THREE.DynamicDrawUsage);
      if (old) part.array.set(this.old[i].array);
    }
    this.old = this.parts;
    m.frustumCulled = false; // its bounds are those of one instance
    m.castShadow = this.casts;
    m.receiveShadow = this.receives;
    m.renderOrder = this.order;
    if (old) {
      this.scene.remove(old);
      old.geometry.dispose();
      old.dispose();
    }
    this.mesh = m;
    this.most = most;
    this.scene.add(m);
  }

  add(matrix, colour, opacity) {
    if (this.n === this.most) this.grow(2 * this.most || 32);
    const i = this.n++;
    matrix.toArray(this.parts[0].array, 16 * i);
    colour.toArray(this.parts[1].array, 3 * i);
    this.fade.array[i] = opacity;
  }

  finish() {
    const m = this.mesh;
    if (!m) return;
    m.count = this.n;
    m.visible = this.n > 0;
    for (const a of this.parts) {
      a.clearUpdateRanges();
      a.addUpdateRange(0, this.n * a.itemSize);
      a.needsUpdate = true;
    }
    this.n = 0;
  }
}
