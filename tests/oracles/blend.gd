# Takes scenes that Godot has imported from Blender files and turns a door in each: blend.gd JOBS, a file with
# [[scene, door, torque], ...]. Prints a line "RESULT {...}" for each: how many nodes there are of each class of
# joints that have both bodies, how many bodies have no mesh, and how far the door has turned after 4 s [degrees].
extends SceneTree


func _initialize() -> void:
	await process_frame
	var text := FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0])
	for job in JSON.parse_string(text):
		await _run(job[0], job[1], job[2])
	quit()


func _run(file: String, door: String, torque: float) -> void:
	var scene: Node = load(file).instantiate()
	root.add_child(scene)
	var joints := {}
	for joint in scene.find_children("*", "Joint3D", true, false):
		if joint.get_node_or_null(joint.node_a) and joint.get_node_or_null(joint.node_b):
			joints[joint.get_class()] = joints.get(joint.get_class(), 0) + 1
	var hidden := 0
	for body in scene.find_children("*", "PhysicsBody3D", true, false):
		if body.find_children("*", "MeshInstance3D", true, false).is_empty():
			hidden += 1
	var leaf: RigidBody3D = scene.find_child(door, true, false) as RigidBody3D
	var turned := NAN
	if leaf:
		leaf.can_sleep = false
		for step in 240:
			leaf.apply_torque(Vector3(0, torque, 0))
			await physics_frame
		turned = rad_to_deg(leaf.global_basis.get_euler().y)
	print("RESULT ", JSON.stringify({"joints": joints, "hidden": hidden, "turned": turned}))
	scene.free()
	await physics_frame
