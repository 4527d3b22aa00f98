## Moves the bones of skeletons with the physics bodies of a ragdoll, so that the skin follows.
##
## Godot's importer makes bodies of bones, or bodies beside the skeleton, but nothing moves the
## bones with them. Add a node with this script below the root of the imported scene.
extends Node

var _skeletons: Array[Skeleton3D] = []
var _bodies: Array[Dictionary] = []


func _ready() -> void:
	for skeleton: Skeleton3D in get_parent().find_children("*", "Skeleton3D", true, false):
		var bodies := {}
		for body: RigidBody3D in get_parent().find_children("*", "RigidBody3D", true, false):
			var bone := _bone_of(body, skeleton)
			if bone >= 0:
				# A bone would drag its body along, which is below it in the tree.
				body.top_level = true
				bodies[bone] = body
		_skeletons.append(skeleton)
		_bodies.append(bodies)


func _physics_process(_delta: float) -> void:
	for number in _skeletons.size():
		var skeleton := _skeletons[number]
		var to_skeleton := skeleton.global_transform.affine_inverse()
		var bones := _bodies[number].keys()
		# Parents first: each pose is set below that of the parent.
		bones.sort()
		for bone: int in bones:
			var body: RigidBody3D = _bodies[number][bone]
			skeleton.set_bone_global_pose(bone, to_skeleton * body.global_transform)


## Returns the bone of a body on a bone, or of "NAME Body" beside the skeleton; -1 without one.
func _bone_of(body: RigidBody3D, skeleton: Skeleton3D) -> int:
	var above := body.get_parent() as BoneAttachment3D
	if above and above.get_parent() == skeleton:
		return above.bone_idx
	var wanted := String(body.name).trim_suffix(" Body")
	for bone in skeleton.get_bone_count():
		# Names of nodes have no dots.
		if skeleton.get_bone_name(bone).validate_node_name() == wanted:
			return bone
	return -1
