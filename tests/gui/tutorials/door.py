"""The door of docs/tutorials/door.md."""

import json
import math
from pathlib import Path

import bpy
from harness import Gui, Steps
from tutorial import follow

SIZE = "2400x1500"
LONGEST = 900.0
CROPS = {"door-sidebar": "sidebar", "door-export": "options on the right"}


def door(gui: Gui) -> Steps:
    gui.expect("Draco|MeshOptimizer")  # libraries that Debian's Blender lacks
    yield from follow(gui, "door", CROPS, moved=[("door-range", "door-sweep")])
    yield from gui.wait(4)
    joint = bpy.data.objects["Door to Post Joint"]
    assert (joint.parent.name, joint.omi_joint.connected_object.parent.name) == ("Door", "Post")
    limit = joint.omi_joint.limits[-1]
    assert (limit.min, round(math.degrees(limit.max), 3)) == (0.0, 110.0)
    motions = [bpy.data.objects[name].omi_body.motion_type for name in ("Door", "Post")]
    assert motions == ["DYNAMIC", "STATIC"]
    assert tuple(bpy.data.objects["Door"].location) == (0.0, 0.0, 0.0), "a preview moved the door"
    data = (Path.home() / "door.glb").read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    for name, size in (("Door", (1.0, 2.0, 0.06)), ("Post", (0.1, 2.0, 0.06))):
        node = next(each for each in document["nodes"] if each.get("name") == name)
        body = node["extensions"]["OMI_physics_body"]
        shapes = document["extensions"]["OMI_physics_shape"]["shapes"]
        shape = shapes[body["collider"]["shape"]]
        assert shape["type"] == "box", name
        assert all(abs(a - b) < 1e-5 for a, b in zip(shape["box"]["size"], size, strict=True)), name
        assert body["motion"].get("mass", 1.0) == 1.0, name
    (settings,) = document["extensions"]["OMI_physics_joint"]["physicsJoints"]
    (turning,) = [each for each in settings["limits"] if each.get("angularAxes") == [2]]
    assert abs(turning["min"] + math.radians(110.0)) < 1e-6, "not as Godot's importer reads it"
    assert turning.get("max", 0.0) == 0.0
