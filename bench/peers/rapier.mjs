// Runs the scenes on Rapier: node rapier.mjs PACKAGE DIRECTORY. It reads one
// command a line (steps NAME, casts, rewind) and answers each with one line of
// JSON. The scenes come from DIRECTORY, where peers has written them, so they
// are the very bodies and pushes that our engine gets. Rapier keeps its
// defaults; sleep is off.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [pack, dir] = process.argv.slice(2);
const R = await import(pack).then((m) => m.default ?? m);
await R.init();

const load = (name) => JSON.parse(readFileSync(`${dir}/${name}.json`, 'utf8'));
const vec = ([x, y, z]) => ({ x, y, z });
const rot = ([x, y, z, w]) => ({ x, y, z, w });

// CPU time of this process in milliseconds: what others do on the machine does
// not count.
const cpu = () => {
  const u = process.cpuUsage();
  return (u.user + u.system) / 1000;
};

function colliderOf(scene, b) {
  const s = b.size;
  switch (b.shape) {
    case 'box': return R.ColliderDesc.cuboid(...s);
    case 'sphere': return R.ColliderDesc.ball(s[0]);
    case 'capsule': return R.ColliderDesc.capsule(s[1], s[0]);
    case 'mesh': {
      const m = scene.meshes[s[0]];
      return R.ColliderDesc.trimesh(new Float32Array(m.vertices), new Uint32Array(m.triangles));
    }
  }
  throw new Error('no such shape: ' + b.shape);
}

function build(scene) {
  const world = new R.World(vec(scene.gravity));
  world.timestep = scene.dt;
  const bodies = scene.bodies.map((b) => {
    const desc = b.dynamic ? R.RigidBodyDesc.dynamic() : R.RigidBodyDesc.fixed();
    desc.setTranslation(...b.pos).setRotation(rot(b.rot)).setCanSleep(false);
    if (b.dynamic) desc.setLinvel(...b.vel);
    if (b.lockSpin) desc.lockRotations();
    const body = world.createRigidBody(desc);
    const c = colliderOf(scene, b).setFriction(b.friction).setRestitution(b.restitution).setDensity(b.density);
    c.setRestitutionCombineRule(R.CoefficientCombineRule.Max);
    world.createCollider(c, body);
    return body;
  });
  return { world, bodies };
}

function act(bodies, list) {
  for (const [op, i, x, y, z] of list ?? []) {
    const v = bodies[i].linvel();
    if (op === 'push') bodies[i].setLinvel({ x: v.x + x, y: v.y + y, z: v.z + z }, true);
    else bodies[i].setLinvel({ x, y: v.y, z }, true); // steer
  }
}

function heights(scene, bodies) {
  const ys = bodies.filter((_, i) => scene.bodies[i].dynamic).map((b) => b.translation().y);
  return { low: Math.min(...ys), high: Math.max(...ys) };
}

function steps(name) {
  const scene = load(name);
  const { world, bodies } = build(scene);
  const ms = [];
  for (let i = 0; i < scene.steps; i++) {
    act(bodies, scene.acts?.[i]);
    const t = cpu();
    world.step();
    ms.push(cpu() - t);
  }
  const out = { ms, ...heights(scene, bodies) };
  world.free();
  return out;
}

function casts() {
  const scene = load('S4');
  const { world } = build(scene);
  world.step(); // takes the bodies into the tree
  const shape = new R.Capsule(0.5, 0.4), upright = { x: 0, y: 0, z: 0, w: 1 };
  const ray = new R.Ray({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 });
  let rayHits = 0, sweepHits = 0;
  const rays = scene.rays.map((r) => [vec(r), vec(r.slice(3))]);
  const sweeps = scene.sweeps.map((r) => [vec(r), vec(r.slice(3))]);
  let t = cpu();
  for (const [from, move] of rays) {
    ray.origin = from;
    ray.dir = move;
    if (world.castRay(ray, 1, true)) rayHits++;
  }
  const rayMs = cpu() - t;
  t = cpu();
  for (const [from, move] of sweeps) {
    if (world.castShape(from, upright, move, shape, 0, 1, true)) sweepHits++;
  }
  const sweepMs = cpu() - t;
  world.free();
  return { rays: rays.length / rayMs * 1000, sweeps: sweeps.length / sweepMs * 1000, rayHits, sweepHits };
}

function rewind() {
  const scene = load('S2');
  const { world, bodies } = build(scene);
  const { at, rounds, more } = scene.rewind;
  for (let i = 0; i < at; i++) world.step();
  const save = [], restore = [], again = [];
  let bytes = world.takeSnapshot();
  let first, same = true;
  for (let n = 0; n < rounds; n++) {
    let t = cpu();
    bytes = world.takeSnapshot();
    save.push(cpu() - t);
    t = cpu();
    const w = R.World.restoreSnapshot(bytes);
    restore.push(cpu() - t);
    for (let i = 0; i < more; i++) w.step();
    again.push(cpu() - t);
    const end = JSON.stringify(bodies.map((b) => w.getRigidBody(b.handle).translation()));
    first ??= end;
    same &&= first === end;
    w.free();
  }
  world.free();
  return { bytes: bytes.length, save, restore, again, same };
}

for await (const line of createInterface({ input: process.stdin })) {
  const [what, name] = line.split(' ');
  const out = what === 'steps' ? steps(name) : what === 'casts' ? casts() : rewind();
  process.stdout.write(JSON.stringify(out) + '\n');
}
