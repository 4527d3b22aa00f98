"""Pairs of bodies with a hinge between them, as the benchmarks of exporters make them."""


def author(_kind: str, count: int) -> None:
    """Make pairs of cubes with a hinge between each, the limits of every tenth its own."""
    import bpy

    bpy.ops.mesh.primitive_cube_add()
    mesh = bpy.context.object.data
    bpy.data.objects.remove(bpy.context.object)
    link = bpy.context.scene.collection.objects.link
    for number in range(count):
        bodies = []
        for side, motion in (("A", "DYNAMIC"), ("B", "STATIC")):
            body = bpy.data.objects.new(f"{side}{number}", mesh)
            body.location = (number % 50 * 4, number // 50 * 4, 2.5 * (side == "A"))
            body.omi_body.motion_type = motion
            link(body)
            bodies.append(body)
        frames = []
        for side, body in zip("AB", bodies, strict=True):
            frame = bpy.data.objects.new(f"Frame {side}{number}", None)
            frame.parent = body
            link(frame)
            frames.append(frame)
        joint = frames[0].omi_joint
        joint.enabled, joint.connected_object = True, frames[1]
        joint.limits.add().linear_axes = (True, True, True)
        joint.limits.add().angular_axes = (True, True, False)
        turn = joint.limits.add()
        turn.angular_axes, turn.min = (False, False, True), -1.0
        turn.max = 1.0 + number / 1e4 if number % 10 == 0 else 1.0
