"""Rigs of MMD as mmd_tools leaves them in Blender, built here in the same shape.

A kinematic body of a bone, strands of active ones on constraints of the kind *Generic Spring* with
all limits and springs on, and *Generic* constraints without any that switch collisions off.
"""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.findings.finding import Severity
from omi_joints_addon.core.solver.trajectory import simulate
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.test_rigid_body_properties import RATE, add_block, convert, in_bullet, link

pytestmark = pytest.mark.usefixtures("empty_scene")
SIDES, LINKS, LENGTH = (-1, 1), 3, 0.17


def _spring(first: Any, second: Any, place: Any, number: int) -> Any:
    """Return a joint as PMX files have them: ranges and springs about axes, locked in place."""
    values: dict[str, Any] = {"disable_collisions": True, "spring_type": "SPRING2"}
    for axis, bound in zip("xyz", (0.71, 0.13, 0.43), strict=True):
        values |= {f"use_limit_lin_{axis}": True, f"use_limit_ang_{axis}": True}
        values |= {f"limit_lin_{axis}_lower": 0.0, f"limit_lin_{axis}_upper": 0.0}
        values |= {f"limit_ang_{axis}_lower": -bound, f"limit_ang_{axis}_upper": bound}
        values |= {f"use_spring_{axis}": True, f"use_spring_ang_{axis}": True}
        values |= {f"spring_stiffness_ang_{axis}": 1.7 + number, f"spring_damping_ang_{axis}": 0.07}
    return link("GENERIC_SPRING", first, second, place, **values)


def skirt() -> tuple[list[Any], list[Any], list[Any]]:
    """Return bodies, joints and pairs that do not collide."""
    hips = add_block("Hips", (0.5, 0.2, 0.2), (0.0, 0.0, 1.3), type="PASSIVE", kinematic=True)
    bodies, joints, pairs = [hips], [], []
    for side in SIDES:
        before = hips
        for number in range(LINKS):
            # The strands stick out and fall.
            place = (0.2 * side, 0.1 + LENGTH * (number + 0.5), 1.3)
            body = add_block(f"Skirt {side} {number}", (0.07, LENGTH, 0.03), place, mass=0.3)
            joint = (0.2 * side, 0.1 + LENGTH * number, 1.3)
            joints.append(_spring(before, body, joint, number))
            bodies.append(body)
            before = body
    for one, other in ((1, 4), (2, 5), (3, 6), (0, 2), (0, 5)):
        pair = link("GENERIC", bodies[one], bodies[other], (0.0, 0.0, 0.0), disable_collisions=True)
        pairs.append(pair)
    return bodies, joints, pairs


def read() -> Any:
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    return scene_to_core(bpy.context.scene, simulated=graph)[0]


def test_a_rig_moves_as_in_blender() -> None:
    bodies, joints, pairs = skirt()
    there = [in_bullet(body, 0.5)[:3, 3] for body in bodies]
    for holder in (*joints, *pairs):
        convert(holder)
    core = read()
    assert len(core.motions) == len(bodies)
    assert len(core.joints) == len(joints) + len(pairs)
    motion = simulate(core, seconds=0.5, fps=RATE)
    for body, place in zip(bodies, there, strict=True):
        here = motion.positions[-1, motion.bodies.index(core.names.index(body.name))]
        assert np.linalg.norm(here - place) < 0.02, body.name
    fallen = there[-1][2] - 1.3
    assert fallen < -0.1


def test_pairs_are_no_fault_and_stay_pairs(tmp_path: Path) -> None:
    bodies, joints, pairs = skirt()
    for holder in (*joints, *pairs):
        convert(holder)
    core = read()
    found = {item.code for item in check_scene(core) if item.severity != Severity.INFO}
    # Engines that want the joint on the body that moves.
    assert found <= {"OMI-J005"}
    empty = [joint for joint in core.joints if not joint.settings.limits]
    assert len(empty) == len(pairs)
    assert not any(joint.enable_collision for joint in empty)
    names, blend = [body.name for body in bodies], tmp_path / "rig.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    mujoco = pytest.importorskip("mujoco", reason="mujoco-core is not installed")
    assert main(["convert", str(blend), str(tmp_path / "rig.xml")]) == 0
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "rig.xml"))
    apart = {
        frozenset((signature >> 16, signature & 0xFFFF)) for signature in model.exclude_signature
    }
    number = {name: model.body(name).id for name in names[1:]}
    for one, other in ((1, 4), (2, 5), (3, 6)):
        assert frozenset((number[names[one]], number[names[other]])) in apart
