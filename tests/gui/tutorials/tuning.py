"""The robot and the ragdoll of docs/tutorials/tuning.md."""

import bpy
from harness import Gui, Steps, addon
from tutorial import follow

SIZE = "2400x1500"
LONGEST = 900.0


def tuning(gui: Gui) -> Steps:
    gui.expect("Draco|MeshOptimizer")  # libraries that Debian's Blender lacks
    places: list[tuple[float, ...]] = []
    yield from follow(
        gui,
        "tuning",
        {},
        after={
            3: lambda: places.append(_hand()),
            4: lambda: _is_kept(places[0]),
            5: _has_pose,
            6: _is_excluded,
            10: _shows_a_chain,
            11: _is_stiff,
            12: _is_at_rest,
        },
        moved=[("ragdoll-chain", "ragdoll-tuned")],
    )


def _hand() -> tuple[float, ...]:
    assert addon("preview.session").running() is not None
    return tuple(bpy.data.objects["hand"].matrix_world.translation)


def _is_kept(before: tuple[float, ...]) -> None:
    assert addon("preview.session").running() is None
    moved = bpy.data.objects["hand"].matrix_world.translation
    assert max(abs(a - b) for a, b in zip(moved, before, strict=True)) > 0.05, (moved, before)
    core, _ = addon("scene.reading").scene_to_core(bpy.context.scene)
    checks = addon("core.checks.scene").check_scene(core)
    assert not [each for each in checks if each.severity == "error"], checks


def _has_pose() -> None:
    (pose,) = addon("properties.named_poses").poses_of(bpy.context.scene).poses
    assert len(dict(pose.found())) == 7, dict(pose.found())


def _is_excluded() -> None:
    pairs = addon("scene.reading").scene_to_core(bpy.context.scene)[0].excluded_pairs
    operator = bpy.context.window_manager.operators[-1]
    assert operator.bl_idname == "OMI_OT_body_pairs_find", operator.bl_idname
    print(f"[pairs] {len(pairs)}", flush=True)


def _shows_a_chain() -> None:
    assert bpy.context.mode == "POSE"
    assert addon("properties.overlay").overlay_options(bpy.context).only_chain
    layer = (bpy.context.scene.session_uid, bpy.context.view_layer.name)
    joints = addon("overlay.joint_overlay").OVERLAY.joints[layer]
    active = joints.chains[joints.arrays.emphasis > 0]
    assert 0 < (joints.chains == active[0]).sum() < len(joints), joints.chains


def _is_stiff() -> None:
    drives = {
        obj.name: [drive.stiffness for drive in obj.omi_joint.drives]
        for obj in bpy.context.scene.objects
        if obj.omi_joint.enabled and len(obj.omi_joint.drives)
    }
    assert 0 < len(drives) < 5, drives
    assert all(each > 0.0 for found in drives.values() for each in found), drives


def _is_at_rest() -> None:
    assert addon("preview.session").running() is None
    assert "omi_pose_before_preview" not in bpy.data.objects["Character"]
