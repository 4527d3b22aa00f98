# Loads ragdolls and lets each fall for a second: ragdoll.gd JOBS, a file with [[file, script], ...]; a
# script moves the bones, "" for none. Prints a line "RESULT [bodies, travel, gap]" for each: how many
# bodies move bones, how far the fastest fell, and how far a bone is from its body at worst [m].
extends SceneTree


func _initialize() -> void:
	GLTFDocument.register_gltf_document_extension(GLTFDocumentExtensionOMIPhysicsJoint.new())
	await process_frame
	var text := FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0])
	for job in JSON.parse_string(text):
		await _run(job[0], job[1])
	quit()


func _run(file: String, script: String) -> void:
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	if document.append_from_file(file, state) != OK:
		print("RESULT [0, 0, 0]")
		return
	var scene := document.generate_scene(state)
	root.add_child(scene)
	var start := _places(scene)
	if script:
		var follower := Node.new()
		follower.set_script(load(script))
		scene.add_child(follower)
	for step in 60:
		await physics_frame
	await process_frame
	var skeleton: Skeleton3D = scene.find_children("*", "Skeleton3D", true, false)[0]
	var travel := 0.0
	var gap := 0.0
	var places := _places(scene)
	for bone in places:
		var number := 0
		while skeleton.get_bone_name(number).validate_node_name() != bone:
			number += 1
		var shown := skeleton.global_transform * skeleton.get_bone_global_pose(number)
		travel = max(travel, start[bone].distance_to(places[bone]))
		gap = max(gap, shown.origin.distance_to(places[bone]))
	print("RESULT ", JSON.stringify([places.size(), travel, gap]))
	scene.free()
	await physics_frame


func _places(scene: Node) -> Dictionary:
	var found := {}
	for body in scene.find_children("*", "RigidBody3D", true, false):
		found[String(body.name).trim_suffix(" Body")] = body.global_position
	return found
