"""Blender's Rigid Body Constraints to a glTF file, as joints, without a change to the scene."""

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...core.model.pose import matrix_from_pose, pose_from_matrix
from ...properties.joint import joint_of
from ...properties.rigid_body_constraint import ConstraintJoint, constraint_joint
from ...scene.animation import animated_paths
from ...scene.rules import CONNECTED_ELSEWHERE
from .frames import NAME
from .joint_export import JointExport
from .joint_targets import Targets
from .report import Report
from .rules import NOT_ANIMATED
from .upstream import CAMERA_CORRECTION, ExportSettings, FileNode, WrittenNode, file_world, new_node

_PREFIX = "rigid_body_constraint."


def add_constraints(
    joints: JointExport, nodes: list[WrittenNode], settings: ExportSettings, report: Report
) -> None:
    """Add the joints that constraints of a scene mean, with new nodes for their frames."""
    meant: list[tuple[WrittenNode, ConstraintJoint]] = []
    for written in nodes:
        obj = written.obj
        if not isinstance(obj, bpy.types.Object) or obj.rigid_body_constraint is None:
            continue
        if joint_of(obj) is not None:
            continue
        joint, findings = constraint_joint(obj)
        report.add(findings)
        keyed = [path for path in animated_paths(obj) if path.startswith(_PREFIX)]
        if keyed:
            names = ", ".join(sorted(path.removeprefix(_PREFIX) for path in keyed))
            report.add([NOT_ANIMATED(obj.name, names=names)])
        if joint is not None:
            meant.append((written, joint))
    wanted = {body for _, joint in meant for body in (joint.body, joint.connected_body)}
    targets = Targets(nodes, wanted)
    for written, joint in meant:
        with report.guard(_name(written)):
            frames = _frames(written, joint, targets, settings, report)
            if frames is not None:
                joints.add_frames(written, joint, frames)


def _frames(
    written: WrittenNode,
    joint: ConstraintJoint,
    targets: Targets,
    settings: ExportSettings,
    report: Report,
) -> tuple[FileNode, FileNode] | None:
    """Return new nodes for the two frames, None where a body is not in the file."""
    found: list[WrittenNode] = []
    for body in (joint.body, joint.connected_body):
        above = targets.nearest(written, body)
        if above is None:
            report.add([CONNECTED_ELSEWHERE(_name(written), connected=body.name)])
            return None
        found.append(above)
    first, second = (_frame(written, above, settings) for above in found)
    return first, second


def _frame(written: WrittenNode, body: WrittenNode, settings: ExportSettings) -> FileNode:
    """Return a new node below a body, in the place and the axes of a constraint."""
    assert body.obj is not None
    world: Any = matrix_from_pose(pose_from_matrix(np.array(written.world)))
    frame = Matrix(world.tolist())
    if settings["gltf_yup"] and not written.is_turned:
        frame = frame @ CAMERA_CORRECTION.to_matrix().to_4x4()
    name = NAME.format(f"{_name(written)} {body.obj.name}")
    node = new_node(name, settings, file_world(body, settings).inverted_safe() @ frame)
    body.node.children.append(node)
    return node


def _name(written: WrittenNode) -> str:
    return "" if written.obj is None else written.obj.name
