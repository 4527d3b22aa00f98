"""What parts of a human the bones of VRM files are, and which swing, by tables of these files.

Sources: VRM 0.x (`extensions.VRM.humanoid.humanBones`, a list, and `secondaryAnimation`) and VRM
1.0 (`extensions.VRMC_vrm.humanoid.humanBones`, an object, and `VRMC_springBone`).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...properties.bones import HUMAN_PART, SPRING
from .upstream import imported_bone


def mark_human_bones(importer: Any) -> None:
    """Note on the bones of a file that is read what parts of a human they are, and which swing."""
    for part, node in _human_bones(importer.data.extensions):
        bone = imported_bone(importer, node) if node in importer.vnodes else None
        if bone is not None:
            bone.pose_bone[HUMAN_PART] = part
    for node, values in _springs(importer.data.extensions):
        bone = imported_bone(importer, node) if node in importer.vnodes else None
        if bone is not None:
            below = bone.pose_bone.children_recursive if values.is_root else ()
            for each in (bone.pose_bone, *below):
                each[SPRING] = values.numbers


class _Values(NamedTuple):
    numbers: tuple[float, ...]
    """Stiffness, drag and gravity."""
    is_root: bool
    """Whether all bones below swing, too."""


def _springs(extensions: Any) -> Iterator[tuple[int, _Values]]:
    """Yield the nodes of spring bones; the last one of a chain of VRM 1.0 is its end."""
    groups = _member(_member(_member(extensions, "VRM"), "secondaryAnimation"), "boneGroups")
    for group in groups if isinstance(groups, list) else ():
        roots = _member(group, "bones")
        for node in roots if isinstance(roots, list) else ():
            if type(node) is int:
                yield node, _Values(_numbers(group, "stiffiness"), is_root=True)
    springs = _member(_member(extensions, "VRMC_springBone"), "springs")
    for spring in springs if isinstance(springs, list) else ():
        joints = _member(spring, "joints")
        for joint in joints[:-1] if isinstance(joints, list) else ():
            if type(node := _member(joint, "node")) is int:
                yield node, _Values(_numbers(joint, "stiffness"), is_root=False)


def _numbers(values: Any, stiffness: str) -> tuple[float, ...]:
    """Return stiffness, drag and gravity, with the defaults of VRM 1.0."""
    named = ((stiffness, 1.0), ("dragForce", 0.5), ("gravityPower", 0.0))
    found = ((_member(values, name), default) for name, default in named)
    return tuple(
        float(value) if type(value) in (int, float) else default for value, default in found
    )


def _human_bones(extensions: Any) -> Iterator[tuple[str, int]]:
    """Yield part and node; what is damaged is passed over."""
    for extension in ("VRM", "VRMC_vrm"):
        table = _member(_member(_member(extensions, extension), "humanoid"), "humanBones")
        rows = table if isinstance(table, list) else []
        named = [(_member(row, "bone"), row) for row in rows]
        for part, row in table.items() if isinstance(table, dict) else named:
            node = _member(row, "node")
            if isinstance(part, str) and type(node) is int:
                yield part, node


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None
