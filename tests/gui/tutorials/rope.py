"""The rope of docs/tutorials/rope.md."""

import bpy
from harness import Gui, Steps
from tutorial import follow

SIZE = "2400x1500"
LONGEST = 900.0


def rope(gui: Gui) -> Steps:
    yield from follow(gui, "rope", {}, moved=[("rope", "rope-pulled")])
    links = sorted(
        (obj for obj in bpy.data.objects if obj.name.startswith("Link") and obj.type == "MESH"),
        key=lambda obj: -obj.matrix_world.translation.z,
    )
    assert len(links) == 6, [obj.name for obj in links]
    holders = [bpy.data.objects["Beam"], *links[:-1]]
    joints = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    held = {obj.parent: obj.omi_joint.connected_object.parent for obj in joints}
    assert [held[link] for link in links] == holders
    assert bpy.data.objects["Beam"].omi_body.motion_type == "STATIC"
