"""What the checks say about the joints of a file that is written, in the exporter's own log."""

from collections.abc import Callable

import bpy
import numpy as np

from ...core.checks.scene import check_errors
from ...core.checks.structure import NO_CONNECTED_NODE
from ...core.model.body import Motion
from ...core.model.joint import JointSettings
from ...core.model.scene import Joint, PhysicsScene
from ...properties.joint import SettingsCycleError, joint_data, settings_owner
from .physics import Physics, physics_of
from .report import Report
from .upstream import WrittenNode

SettingsOf = Callable[[bpy.types.Object], JointSettings]
Known = dict[bpy.types.Object | None, Physics]


def report_checks(
    nodes: list[WrittenNode], scene: bpy.types.Scene, settings_of: SettingsOf, report: Report
) -> None:
    """Report what keeps written joints from working; they are written all the same."""
    if not any(written.physics.is_joint for written in nodes):
        return
    known = {written.obj: written.physics for written in nodes}
    found = check_errors(_scene_to_core(scene, known, settings_of))
    names = {obj.name for obj in known if obj is not None} if found else set()
    # The export itself tells of joints that are connected to nothing.
    told = (item for item in found if item.rule is not NO_CONNECTED_NODE)
    report.add(item for item in told if item.place in names)


def _scene_to_core(scene: bpy.types.Scene, known: Known, settings_of: SettingsOf) -> PhysicsScene:
    """Return what errors depend on: of bodies only their types, `known` ones not read again."""
    objects: list[bpy.types.Object] = scene.objects.values()  # type: ignore[assignment]
    nodes: dict[bpy.types.Object | None, int] = {obj: i for i, obj in enumerate(objects)}
    matrices = np.empty(16 * len(objects), dtype=np.float32)
    scene.objects.foreach_get("matrix_world", matrices)
    parts = [known[obj] if obj in known else physics_of(obj) for obj in objects]
    types = [part.motion_type for part in parts]
    kinds = {kind: Motion(type=kind) for kind in set(types) if kind is not None}
    pairs = zip(objects, parts, strict=True)
    joints = (_joint(obj, nodes, settings_of) for obj, part in pairs if part.is_joint)
    return PhysicsScene(
        names=tuple([obj.name for obj in objects]),
        parents=np.array([nodes.get(obj.parent, -1) for obj in objects], dtype=np.intp),
        matrices=np.swapaxes(matrices.reshape(-1, 4, 4), 1, 2).astype(float),
        motions={i: kinds[kind] for i, kind in enumerate(types) if kind is not None},
        joints=tuple(joint for joint in joints if joint is not None),
    )


def _joint(
    obj: bpy.types.Object,
    nodes: dict[bpy.types.Object | None, int],
    settings_of: SettingsOf,
) -> Joint | None:
    try:
        owner = settings_owner(obj)
    except SettingsCycleError:
        return None
    data = joint_data(obj)
    connected = data.connected_object
    return Joint(
        node=nodes[obj],
        connected=None if connected is None else nodes.get(connected),
        settings=settings_of(owner),
        place=obj.name,
        settings_place=owner.name,
    )
