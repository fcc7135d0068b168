package rapier

// What we use of Rapier's exports; the lock file pins their parameters.
const (
	vectorNew fn = iota
	vectorSetX
	vectorSetY
	vectorSetZ
	rotationNew
	rotationFree
	malloc
	stackPointer
	bodySetNew
	colliderSetNew
	pipelineNew
	paramsNew
	islandsNew
	broadNew
	narrowNew
	softNew
	jointsNew
	multiNew
	ccdNew
	eventsNew
	paramsSetDt
	step
	stepWithEvents
	bodyCreate
	bodyRemove
	bodyTranslation
	bodyRotation
	bodyLinvel
	bodyAngvel
	bodySleeping
	bodySetTranslation
	bodySetRotation
	bodySetLinvel
	bodySetAngvel
	bodyMeasure
	bodyMass
	bodyCom
	bodyInertia
	bodyInertiaFrame
	colliderCreate
	colliderRemove
	colliderSetGroups
	colliderSetHooks
	bodyCollider
	shapeBall
	shapeCapsule
	shapeCuboid
	shapeHull
	shapeMesh
	shapeTriangle
	shapeSegment
	shapeFree
	shapeRay
	shapeCast
	shapeContact
	shapeProject
	rayTime
	rayNormal
	rayFree
	castOut
	castFree
	contactOut
	contactFree
	pointOut
	pointFree
	broadRay
	broadCast
	broadTouch
	hitTime
	hitNormal
	hitCollider
	hitFree
	sweepOut
	sweepCollider
	sweepFree
	serialNew
	serialize
	deserialize
	takeBodies
	takeBroad
	takeColliders
	takeGravity
	takeJoints
	takeParams
	takeIslands
	takeMulti
	takeNarrow
	takeSoft
	deserializedFree
	bodiesFree
	collidersFree
	pipelineFree
	paramsFree
	islandsFree
	broadFree
	narrowFree
	softFree
	jointsFree
	multiFree
	ccdFree
	vectorFree
	fnCount
)

var fnNames = [fnCount]string{
	vectorNew:          "rawvector_new",
	vectorSetX:         "rawvector_set_x",
	vectorSetY:         "rawvector_set_y",
	vectorSetZ:         "rawvector_set_z",
	rotationNew:        "rawrotation_new",
	rotationFree:       "__wbg_rawrotation_free",
	malloc:             "__wbindgen_export3",
	stackPointer:       "__wbindgen_add_to_stack_pointer",
	bodySetNew:         "rawrigidbodyset_new",
	colliderSetNew:     "rawcolliderset_new",
	pipelineNew:        "rawphysicspipeline_new",
	paramsNew:          "rawintegrationparameters_new",
	islandsNew:         "rawislandmanager_new",
	broadNew:           "rawbroadphase_new",
	narrowNew:          "rawnarrowphase_new",
	softNew:            "rawsoftbodyset_new",
	jointsNew:          "rawimpulsejointset_new",
	multiNew:           "rawmultibodyjointset_new",
	ccdNew:             "rawccdsolver_new",
	eventsNew:          "raweventqueue_new",
	paramsSetDt:        "rawintegrationparameters_set_dt",
	step:               "rawphysicspipeline_step",
	stepWithEvents:     "rawphysicspipeline_stepWithEvents",
	bodyCreate:         "rawrigidbodyset_createRigidBody",
	bodyRemove:         "rawrigidbodyset_remove",
	bodyTranslation:    "rawrigidbodyset_rbTranslation",
	bodyRotation:       "rawrigidbodyset_rbRotation",
	bodyLinvel:         "rawrigidbodyset_rbLinvel",
	bodyAngvel:         "rawrigidbodyset_rbAngvel",
	bodySleeping:       "rawrigidbodyset_rbIsSleeping",
	bodySetTranslation: "rawrigidbodyset_rbSetTranslation",
	bodySetRotation:    "rawrigidbodyset_rbSetRotation",
	bodySetLinvel:      "rawrigidbodyset_rbSetLinvel",
	bodySetAngvel:      "rawrigidbodyset_rbSetAngvel",
	bodyMeasure:        "rawrigidbodyset_rbRecomputeMassPropertiesFromColliders",
	bodyMass:           "rawrigidbodyset_rbMass",
	bodyCom:            "rawrigidbodyset_rbLocalCom",
	bodyInertia:        "rawrigidbodyset_rbPrincipalInertia",
	bodyInertiaFrame:   "rawrigidbodyset_rbPrincipalInertiaLocalFrame",
	colliderCreate:     "rawcolliderset_createCollider",
	colliderRemove:     "rawcolliderset_remove",
	colliderSetGroups:  "rawcolliderset_coSetCollisionGroups",
	colliderSetHooks:   "rawcolliderset_coSetActiveHooks",
	bodyCollider:       "rawrigidbodyset_rbCollider",
	shapeBall:          "rawshape_ball",
	shapeCapsule:       "rawshape_capsule",
	shapeCuboid:        "rawshape_cuboid",
	shapeHull:          "rawshape_convexHull",
	shapeMesh:          "rawshape_trimesh",
	shapeTriangle:      "rawshape_triangle",
	shapeSegment:       "rawshape_segment",
	shapeFree:          "__wbg_rawshape_free",
	shapeRay:           "rawshape_castRayAndGetNormal",
	shapeCast:          "rawshape_castShape",
	shapeContact:       "rawshape_contactShape",
	shapeProject:       "rawshape_projectPoint",
	rayTime:            "rawrayintersection_time_of_impact",
	rayNormal:          "rawrayintersection_normal",
	rayFree:            "__wbg_rawrayintersection_free",
	castOut:            "rawshapecasthit_getComponents",
	castFree:           "__wbg_rawshapecasthit_free",
	contactOut:         "rawshapecontact_getComponents",
	contactFree:        "__wbg_rawshapecontact_free",
	pointOut:           "rawpointprojection_point",
	pointFree:          "__wbg_rawpointprojection_free",
	broadRay:           "rawbroadphase_castRayAndGetNormal",
	broadCast:          "rawbroadphase_castShape",
	broadTouch:         "rawbroadphase_intersectionsWithShape",
	hitTime:            "rawraycolliderintersection_time_of_impact",
	hitNormal:          "rawraycolliderintersection_normal",
	hitCollider:        "rawraycolliderintersection_colliderHandle",
	hitFree:            "__wbg_rawraycolliderintersection_free",
	sweepOut:           "rawcollidershapecasthit_getComponents",
	sweepCollider:      "rawcollidershapecasthit_colliderHandle",
	sweepFree:          "__wbg_rawcollidershapecasthit_free",
	serialNew:          "rawserializationpipeline_new",
	serialize:          "rawserializationpipeline_serializeAll",
	deserialize:        "rawserializationpipeline_deserializeAll",
	takeBodies:         "rawdeserializedworld_takeBodies",
	takeBroad:          "rawdeserializedworld_takeBroadPhase",
	takeColliders:      "rawdeserializedworld_takeColliders",
	takeGravity:        "rawdeserializedworld_takeGravity",
	takeJoints:         "rawdeserializedworld_takeImpulseJoints",
	takeParams:         "rawdeserializedworld_takeIntegrationParameters",
	takeIslands:        "rawdeserializedworld_takeIslandManager",
	takeMulti:          "rawdeserializedworld_takeMultibodyJoints",
	takeNarrow:         "rawdeserializedworld_takeNarrowPhase",
	takeSoft:           "rawdeserializedworld_takeSoftBodies",
	deserializedFree:   "__wbg_rawdeserializedworld_free",
	bodiesFree:         "__wbg_rawrigidbodyset_free",
	collidersFree:      "__wbg_rawcolliderset_free",
	pipelineFree:       "__wbg_rawphysicspipeline_free",
	paramsFree:         "__wbg_rawintegrationparameters_free",
	islandsFree:        "__wbg_rawislandmanager_free",
	broadFree:          "__wbg_rawbroadphase_free",
	narrowFree:         "__wbg_rawnarrowphase_free",
	softFree:           "__wbg_rawsoftbodyset_free",
	jointsFree:         "__wbg_rawimpulsejointset_free",
	multiFree:          "__wbg_rawmultibodyjointset_free",
	ccdFree:            "__wbg_rawccdsolver_free",
	vectorFree:         "__wbg_rawvector_free",
}
