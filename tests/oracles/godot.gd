# Loads glTF files, simulates each and prints where its bodies are: godot.gd JOBS, a file with
# [{"file": path, "gravity": [x, y, z], "stops": [steps, ...], "is_default": bool}, ...]. Prints a line "RESULT [{...}, ...]"
# for each, with the poses at each stop.
extends SceneTree


func _initialize() -> void:
	GLTFDocument.register_gltf_document_extension(GLTFDocumentExtensionOMIPhysicsJoint.new())
	var text := FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0])
	for job in JSON.parse_string(text):
		await _run(job)
	quit()


func _run(job: Dictionary) -> void:
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	if document.append_from_file(job.file, state) != OK:
		print("RESULT []")
		return
	var scene := document.generate_scene(state)
	_set_gravity(Vector3(job.gravity[0], job.gravity[1], job.gravity[2]))
	for body in [] if job.is_default else scene.find_children("*", "RigidBody3D", true, false):
		body.can_sleep = false
		body.linear_damp_mode = RigidBody3D.DAMP_MODE_REPLACE
		body.angular_damp_mode = RigidBody3D.DAMP_MODE_REPLACE
	root.add_child(scene)
	var found := []
	var step := 0
	for stop in job.stops:
		while step < int(stop):
			await physics_frame
			step += 1
		found.append(_poses(scene))
	print("RESULT ", JSON.stringify(found))
	scene.free()
	await physics_frame


func _set_gravity(gravity: Vector3) -> void:
	var space := root.get_world_3d().space
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY, gravity.length())
	var direction := gravity.normalized() if gravity != Vector3.ZERO else Vector3.DOWN
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY_VECTOR, direction)


func _poses(scene: Node) -> Dictionary:
	var found := {}
	for body in scene.find_children("*", "PhysicsBody3D", true, false):
		var place: Vector3 = body.global_position
		var turn: Quaternion = body.global_basis.get_rotation_quaternion()
		found[body.name] = [place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w]
	return found
