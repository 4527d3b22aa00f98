"""Rigs as animators have them: what deforms a skin follows bodies, whatever else holds it."""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from omi_joints_addon.scene.structure import body_bones_of
from tests.blender.scenes import select

pytestmark = pytest.mark.usefixtures("empty_scene")
CHANNELS = ("location", "rotation_quaternion", "rotation_euler", "scale")


@pytest.fixture(autouse=True)
def _ended():
    yield
    stop()
    preview_options(bpy.context).property_unset("floor")


def rigify(metarig: str) -> Any:
    """Return a generated rig."""
    bpy.ops.preferences.addon_enable(module="rigify")
    getattr(bpy.ops.object, metarig)()
    meta = bpy.context.object
    bpy.ops.pose.rigify_generate()
    (rig,) = (obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj != meta)
    meta.hide_set(True)
    return rig


def chain(names: dict[str, tuple[str | None, Any, Any]]) -> Any:
    """Return an armature of bones by name: parent, head and tail."""
    data = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(rig)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (parent, head, tail) in names.items():
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        bone.parent = data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def skin(rig: Any) -> Any:
    """Return a mesh with a vertex at the head of each deforming bone, moved by it alone.

    Elsewhere bones of several segments bend.
    """
    bones = [bone for bone in rig.data.bones if bone.use_deform]
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata([tuple(bone.head_local) for bone in bones], [], [])
    obj = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.parent = rig
    for number, bone in enumerate(bones):
        obj.vertex_groups.new(name=bone.name).add([number], 1.0, "REPLACE")
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    bpy.context.view_layer.update()
    return obj


def skinned(obj: Any) -> dict[str, np.ndarray]:
    """Return where the vertex of each deforming bone is in the world, by the bone's name."""
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.array([obj.matrix_world @ vertex.co for vertex in shown.data.vertices])
    return dict(zip((group.name for group in obj.vertex_groups), points, strict=True))


def held(rig: Any) -> Any:
    """Return all that poses a rig: channels to the bit, what is muted, custom properties."""
    drivers = rig.animation_data.drivers if rig.animation_data else ()
    bones = [
        (
            [tuple(getattr(bone, name)) for name in CHANNELS],
            [(tie.name, tie.mute, tie.influence) for tie in bone.constraints],
        )
        for bone in rig.pose.bones
    ]
    # Blender 4.5 lists groups that were looked at among custom properties.
    own = sorted(key for key in rig.keys() if key not in rig.bl_rna.properties)  # noqa: SIM118
    return bones, [driver.mute for driver in drivers], own


def previewed(rig: Any, seconds: float = 1.2) -> tuple[SimulationPreview, dict[str, np.ndarray]]:
    """Let the ragdoll of a rig fall; return the preview, and the bodies that moved."""
    preview_options(bpy.context).floor = "ON"
    preview = SimulationPreview(bpy.context)
    begin(preview)
    for _ in range(round(24 * seconds)):
        preview.tick(bpy.context, 1.0 / 24.0)
    bpy.context.view_layer.update()
    names = {bone.name: preview.objects.index(bone) for bone in body_bones_of(rig)}
    ways = {
        name: preview.shown_matrices[node] @ np.linalg.inv(preview.scene.matrices[node])
        for name, node in names.items()
    }
    return preview, ways


def misplaced(points: dict, before: dict, ways: dict, leader: Callable[[str], str]) -> dict:
    """Return how far [m] the vertices of bones are from where their bodies take them."""
    found = {}
    for name, point in points.items():
        wanted = ways[leader(name)] @ np.append(before[name], 1.0)
        found[name] = float(np.linalg.norm(point - wanted[:3]))
    return found


def nearest(ways: dict, point: np.ndarray, now: np.ndarray) -> float:
    """Return how far [m] a vertex is from where the body that fits best takes it."""
    places = [(way @ np.append(point, 1.0))[:3] for way in ways.values()]
    return min(float(np.linalg.norm(place - now)) for place in places)


@pytest.mark.slow
@pytest.mark.parametrize(
    "metarig", ["armature_human_metarig_add", "armature_basic_quadruped_metarig_add"]
)
def test_a_generated_rig_falls_in_one_piece_and_comes_back_to_the_bit(metarig: str) -> None:
    rig = rigify(metarig)
    obj = skin(rig)
    select(rig)
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    bpy.context.view_layer.update()
    joints = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    assert len(joints) == len(body_bones_of(rig)) - 1, "it is in pieces"
    before, state = skinned(obj), held(rig)
    _, ways = previewed(rig)
    assert max(np.abs(way[:3, 3]).max() for way in ways.values()) > 0.2
    after = skinned(obj)
    far = {n: nearest(ways, before[n], after[n]) for n in before}
    assert {n: round(d, 3) for n, d in far.items() if d > 0.02} == {}
    if "human" in metarig:
        named = {
            "DEF-shoulder.L": "DEF-spine.002",
            "DEF-pelvis.R": "DEF-spine",
            "DEF-nose": "DEF-spine.004",
            "DEF-f_index.03.L": "DEF-hand.L",
            "DEF-shin.L.001": "DEF-shin.L",
        }
        chosen = {name: after[name] for name in named}
        assert max(misplaced(chosen, before, ways, named.get).values()) < 0.02
    stop()
    bpy.context.view_layer.update()
    assert held(rig) == state
    np.testing.assert_array_equal(np.array(list(skinned(obj).values())), list(before.values()))


def make_body(bone: Any) -> None:
    bone.omi_body.motion_type = "DYNAMIC"
    bone.omi_body.shape_type = "SPHERE"


def tied_leg() -> tuple[Any, Any]:
    """Return a rig as of MMD, and its skin.

    The skin hangs from twins of the bones that are bodies, which constraints tie to controls; a
    bone beside them stretches to a control that no body moves.
    """
    rig = chain(
        {
            "control": (None, (0, 0, 0), (0, 0, 0.3)),
            "goal": (None, (0, -0.5, 1), (0, -0.8, 1)),
            "hips": ("control", (0, 0, 2), (0, 0, 2.4)),
            "leg": ("hips", (0.2, 0, 2), (0.2, 0, 1)),
            "legD": ("control", (0.2, 0, 2), (0.2, 0, 1)),
            "twist": ("leg", (0.2, 0, 1.6), (0.2, 0, 1.3)),
            "toe": ("legD", (0.2, 0, 1), (0.2, -0.3, 1)),
        }
    )
    for name in ("control", "goal"):
        rig.data.bones[name].use_deform = False
    for name, kind in (("legD", "COPY_ROTATION"), ("twist", "STRETCH_TO"), ("toe", "IK")):
        tie = rig.pose.bones[name].constraints.new(kind)
        tie.target = rig
        tie.subtarget = "leg" if name == "legD" else "goal"
    rig.pose.bones["toe"].constraints[0].chain_count = 1
    for name in ("hips", "leg"):
        make_body(rig.pose.bones[name])
    return rig, skin(rig)


LEADERS = {"hips": "hips", "leg": "leg", "legD": "leg", "twist": "leg", "toe": "leg"}


def test_twins_twists_and_what_hangs_from_them_follow_the_body_in_their_place() -> None:
    rig, obj = tied_leg()
    before, state = skinned(obj), held(rig)
    _, ways = previewed(rig, 0.4)
    assert ways["leg"][2, 3] < -0.3
    far = misplaced(skinned(obj), before, ways, LEADERS.__getitem__)
    assert max(far.values()) < 1e-4, far
    stop()
    bpy.context.view_layer.update()
    assert held(rig) == state


def test_a_bake_keys_them_too_and_mutes_what_would_hide_the_keys() -> None:
    rig, obj = tied_leg()
    before = skinned(obj)
    bpy.context.scene.frame_set(1)
    select(rig)
    assert bpy.ops.omi.preview_bake(frames=10) == {"FINISHED"}
    bpy.context.scene.frame_set(10)
    after = skinned(obj)
    fall = after["hips"] - before["hips"]
    assert fall[2] < -0.3
    assert all(np.linalg.norm(after[n] - before[n] - fall) < 1e-3 for n in LEADERS)
    ties = [tie for bone in rig.pose.bones for tie in bone.constraints]
    assert all(tie.mute for tie in ties)
