// Makes the heap of TestSameAsInV8 with Rapier's own script, in V8, and prints
// the hash of its snapshot: node heap.mjs <directory of the npm package>
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const dir = mkdtempSync(join(tmpdir(), "heap-"));
copyFileSync(join(process.argv[2], "rapier_wasm3d_bg.js"), join(dir, "bg.js"));
writeFileSync(join(dir, "package.json"), '{"type":"module"}');
const R = await import(pathToFileURL(join(dir, "bg.js")));
rmSync(dir, { recursive: true });
const code = readFileSync(join(process.argv[2], "rapier_wasm3d_bg.wasm"));
const { instance } = await WebAssembly.instantiate(code, { "./rapier_wasm3d_bg.js": R });
R.__wbg_set_wasm(instance.exports);

const vec = (x, y, z) => new R.RawVector(x, y, z);
const zero = vec(0, 0, 0);
const still = new R.RawRotation(0, 0, 0, 1);
const gravity = vec(0, -9.81, 0);
const params = new R.RawIntegrationParameters();
params.dt = Math.fround(1 / 60);
const islands = new R.RawIslandManager();
const broad = new R.RawBroadPhase();
const narrow = new R.RawNarrowPhase();
const bodies = new R.RawRigidBodySet();
const colliders = new R.RawColliderSet();
const soft = new R.RawSoftBodySet();
const joints = new R.RawImpulseJointSet();
const multi = new R.RawMultibodyJointSet();
const ccd = new R.RawCCDSolver();
const pipeline = new R.RawPhysicsPipeline();

function add(dynamic, shape, x, y, z) {
  const body = bodies.createRigidBody(true, vec(x, y, z), still, 1, 0, false, zero, zero, zero, zero, still,
    true, true, true, true, true, true, 0, 0, dynamic ? 0 : 1, true, false, 0, dynamic, 0, 0, 0);
  colliders.createCollider(true, shape, zero, still, 0, 0, zero, zero, still, 1000, Math.fround(Math.sqrt(0.5)), 0, 2, 3, false,
    0x1ffff, 0xffffffff, 15, 0, 0, 0, 0, true, body, bodies);
}

const f = Math.fround;
add(false, R.RawShape.cuboid(50, 1, 50), 0, -1, 0);
for (let i = 0; i < 40; i++) {
  const shape = i % 3 == 0 ? R.RawShape.ball(0.5) : R.RawShape.cuboid(0.5, f(0.4), f(0.3));
  add(true, shape, f((i % 4) * f(0.9)), 1 + Math.floor(i / 4), f((i % 3) * f(0.7)));
}
for (let i = 0; i < 300; i++) {
  pipeline.step(gravity, params, islands, broad, narrow, bodies, colliders, soft, joints, multi, ccd);
}
const snapshot = new R.RawSerializationPipeline().serializeAll(gravity, params, islands, broad, narrow, bodies, colliders, soft, joints, multi);
console.log(snapshot.length, createHash("sha256").update(snapshot).digest("hex"));
