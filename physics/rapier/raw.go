package rapier

import "github.com/foretick/foretick/geom"

// raw is what Rapier calls a world: its parts, by their pointers.
type raw struct {
	gravity, params, islands, broad, narrow uint64
	bodies, colliders, soft, joints, multi  uint64
	pipeline, ccd, events                   uint64
}

func (v *vm) newRaw(gravity geom.Vec3, dt float32) raw {
	r := raw{
		gravity: v.call(vectorNew, f32(gravity.X), f32(gravity.Y), f32(gravity.Z)),
		params:  v.call(paramsNew), islands: v.call(islandsNew), broad: v.call(broadNew), narrow: v.call(narrowNew),
		bodies: v.call(bodySetNew), colliders: v.call(colliderSetNew), soft: v.call(softNew),
		joints: v.call(jointsNew), multi: v.call(multiNew),
		pipeline: v.call(pipelineNew), ccd: v.call(ccdNew), events: v.call(eventsNew, 1),
	}
	v.call(paramsSetDt, r.params, f32(dt))
	return r
}

// free frees the parts that a snapshot replaces.
func (v *vm) freeRaw(r *raw) {
	for _, p := range []struct {
		free fn
		ptr  uint64
	}{
		{vectorFree, r.gravity}, {paramsFree, r.params}, {islandsFree, r.islands}, {broadFree, r.broad}, {narrowFree, r.narrow},
		{bodiesFree, r.bodies}, {collidersFree, r.colliders}, {softFree, r.soft}, {jointsFree, r.joints}, {multiFree, r.multi},
	} {
		v.call(p.free, p.ptr, 0)
	}
}

// step moves a world on. With hooks, v.pair is asked of each pair that wants it.
func (v *vm) step(r *raw, hooks bool) {
	if !hooks {
		v.call(step, r.pipeline, r.gravity, r.params, r.islands, r.broad, r.narrow, r.bodies, r.colliders, r.soft, r.joints, r.multi, r.ccd)
		return
	}
	v.call(stepWithEvents, r.pipeline, r.gravity, r.params, r.islands, r.broad, r.narrow, r.bodies, r.colliders, r.soft, r.joints, r.multi,
		r.ccd, r.events, jsHooks, jsPair, jsPair)
}

// serialize returns a world as Rapier writes it.
func (v *vm) serialize(r *raw) []byte {
	i := v.call(serialize, v.serial, r.gravity, r.params, r.islands, r.broad, r.narrow, r.bodies, r.colliders, r.soft, r.joints, r.multi)
	b := v.get(i).bytes
	v.drop(i)
	return b
}

// deserialize replaces a world by one that was written.
func (v *vm) deserialize(r *raw, b []byte) bool {
	d := v.call(deserialize, v.serial, v.add(object{bytes: b}))
	if d == 0 {
		return false
	}
	v.freeRaw(r)
	r.gravity, r.params, r.islands = v.call(takeGravity, d), v.call(takeParams, d), v.call(takeIslands, d)
	r.broad, r.narrow, r.bodies = v.call(takeBroad, d), v.call(takeNarrow, d), v.call(takeBodies, d)
	r.colliders, r.soft = v.call(takeColliders, d), v.call(takeSoft, d)
	r.joints, r.multi = v.call(takeJoints, d), v.call(takeMulti, d)
	v.call(deserializedFree, d, 0)
	return v.err == nil
}
