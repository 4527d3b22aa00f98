"""Characters as of Mixamo, MMD and Auto-Rig Pro: names of bones, scales, twins and constraints."""

from typing import Any

import bpy
import numpy as np

from tests.rigs import Bones, activate, add_rig, add_skin

HUMAN: Bones = {
    "hips": (None, (0, 0, 1.0), (0, 0.01, 1.12), 0.0),
    "spine": ("hips", (0, 0.01, 1.12), (0, 0, 1.28), 0.0),
    "chest": ("spine", (0, 0, 1.28), (0, 0.01, 1.5), 0.0),
    "head": ("chest", (0, 0.01, 1.55), (0, 0, 1.8), 0.0),
    "shoulder.L": ("chest", (0.03, 0, 1.48), (0.16, 0, 1.48), 0.2),
    "arm.L": ("shoulder.L", (0.17, 0, 1.47), (0.45, 0.02, 1.46), 0.2),
    "forearm.L": ("arm.L", (0.45, 0.02, 1.46), (0.71, 0, 1.47), 0.1),
    "hand.L": ("forearm.L", (0.71, 0, 1.47), (0.86, 0.01, 1.46), 0.0),
    "finger.L": ("hand.L", (0.86, 0.01, 1.46), (0.9, 0.01, 1.45), 0.0),
    "thigh.L": ("hips", (0.1, 0, 0.98), (0.11, -0.02, 0.53), 0.3),
    "shin.L": ("thigh.L", (0.11, -0.02, 0.53), (0.1, 0.02, 0.1), 0.1),
    "foot.L": ("shin.L", (0.1, 0.02, 0.1), (0.11, -0.13, 0.03), 0.0),
}
MIXAMO = {
    **{"hips": "Hips", "spine": "Spine", "chest": "Spine1", "head": "Head"},
    **{"shoulder": "{}Shoulder", "arm": "{}Arm", "forearm": "{}ForeArm", "hand": "{}Hand"},
    **{"finger": "{}HandIndex1", "thigh": "{}UpLeg", "shin": "{}Leg", "foot": "{}Foot"},
}
MMD = {
    **{"hips": "下半身", "spine": "上半身", "chest": "上半身2", "head": "頭"},
    **{"shoulder": "肩", "arm": "腕", "forearm": "ひじ", "hand": "手首"},
    **{"finger": "人指１", "thigh": "足", "shin": "ひざ", "foot": "足首"},
}
AUTO_RIG = {
    **{"hips": "root.x", "spine": "spine_01.x", "chest": "spine_02.x", "head": "head.x"},
    **{"shoulder": "shoulder", "arm": "arm_stretch", "forearm": "forearm_stretch"},
    **{"hand": "hand", "finger": "index1", "thigh": "thigh_stretch", "shin": "leg_stretch"},
    "foot": "foot",
}


def both_sides(bones: Bones) -> Bones:
    """Return bones with those of the right side."""
    mirror = {name: name.replace(".L", ".R") for name in bones}
    found = dict(bones)
    for name, (parent, head, tail, roll) in bones.items():
        if name.endswith(".L"):
            ends = [(-x, y, z) for x, y, z in (head, tail)]
            found[mirror[name]] = (parent and mirror[parent], *ends, -roll)
    return found


def mixamo() -> Any:
    """Return a rig as FBX files of Mixamo are imported: centimeters, scaled and turned."""
    words = {"L": "Left", "R": "Right"}

    def name(each: str) -> str:
        part, _, side = each.partition(".")
        return "mixamorig:" + MIXAMO[part].format(words.get(side, ""))

    def upright(point: Any) -> Any:
        x, y, z = point
        return (100.0 * x, 100.0 * z, -100.0 * y)

    bones = {
        name(each): (parent and name(parent), upright(head), upright(tail), roll)
        for each, (parent, head, tail, roll) in both_sides(HUMAN).items()
    }
    return add_rig("Rig", bones, scale=(0.01,) * 3, rotation_euler=(np.pi / 2.0, 0.0, 0.0))


def mmd() -> Any:
    """Return a rig whose legs are led by inverse kinematics, and whose skin hangs from twins."""
    bones: Bones = {"全ての親": (None, (0, 0, 0), (0, 0, 0.2), 0.0)}
    for each, (parent, head, tail, roll) in both_sides(HUMAN).items():
        above = "全ての親" if each in ("hips", "spine") else _mmd(parent or "")
        bones[_mmd(each)] = (above, head, tail, roll)
    for side in "LR":
        above = "下半身"
        for part in ("足", "ひざ", "足首"):
            _, *place = bones[f"{part}.{side}"]
            bones[f"{part}D.{side}"] = (above, *place)
            above = f"{part}D.{side}"
        x, y, z = bones[f"足首.{side}"][1]
        bones[f"足IK.{side}"] = ("全ての親", (x, y, z), (x, y + 0.15, z), 0.0)
    rig = add_rig("Rig", bones)
    for side in "LR":
        tie: Any = rig.pose.bones[f"ひざ.{side}"].constraints.new("IK")
        tie.target, tie.subtarget, tie.chain_count = rig, f"足IK.{side}", 2
        rig.data.bones[f"足IK.{side}"].use_deform = False
        for part in ("足", "ひざ", "足首"):
            tie = rig.pose.bones[f"{part}D.{side}"].constraints.new("COPY_ROTATION")
            tie.target, tie.subtarget = rig, f"{part}.{side}"
            rig.data.bones[f"{part}.{side}"].use_deform = False
    rig.data.bones["全ての親"].use_deform = False
    bpy.context.view_layer.update()
    return rig


def _mmd(each: str) -> str:
    part, dot, side = each.partition(".")
    return MMD[part] + dot + side


def auto_rig() -> Any:
    """Return deforming bones side by side, that stretch between those of a control rig."""
    human, bones = both_sides(HUMAN), Bones()
    bones["c_traj"] = (None, (0, 0, 0), (0, 0.3, 0), 0.0)
    for each, (parent, *place) in human.items():
        bones["c_" + _auto_rig(each)] = ("c_" + _auto_rig(parent) if parent else "c_traj", *place)
    for each, (_, *place) in human.items():
        bones[_auto_rig(each)] = ("c_traj", *place)
    rig = add_rig("Rig", bones)
    for each in human:
        name = _auto_rig(each)
        tie: Any = rig.pose.bones[name].constraints.new("COPY_TRANSFORMS")
        tie.target, tie.subtarget = rig, "c_" + name
        if "stretch" in name:
            after = next(_auto_rig(n) for n, bone in human.items() if bone[0] == each)
            tie = rig.pose.bones[name].constraints.new("STRETCH_TO")
            tie.target, tie.subtarget = rig, "c_" + after
            tie.rest_length = rig.data.bones[name].length
            rig.data.bones[name].bbone_segments = 4
    for bone in rig.data.bones:
        bone.use_deform = not bone.name.startswith("c_")
    bpy.context.view_layer.update()
    return rig


def _auto_rig(each: str) -> str:
    part, dot, side = each.partition(".")
    return AUTO_RIG[part] + dot + side.lower()


RIGS = {"mixamo": mixamo, "mmd": mmd, "auto_rig": auto_rig}


def add_character(name: str, **options: Any) -> tuple[Any, Any]:
    """Return one of the rigs with a ragdoll, and its skin of boxes."""
    rig = RIGS[name]()
    skin = add_skin(rig, 0.05 / rig.scale.x)
    bpy.context.view_layer.update()
    activate(rig)
    assert bpy.ops.omi.ragdoll_add(**options) == {"FINISHED"}
    bpy.context.view_layer.update()
    return rig, skin
