"""What parts of a human the bones of VRM files are, by the table that these files have.

Sources: VRM 0.x (`extensions.VRM.humanoid.humanBones`, a list) and VRM 1.0
(`extensions.VRMC_vrm.humanoid.humanBones`, an object).
"""

from collections.abc import Iterator
from typing import Any

from ...properties.bones import HUMAN_PART
from .upstream import imported_bone


def mark_human_bones(importer: Any) -> None:
    """Note on the bones of a file that is read what parts of a human they are."""
    for part, node in _human_bones(importer.data.extensions):
        bone = imported_bone(importer, node) if node in importer.vnodes else None
        if bone is not None:
            bone.pose_bone[HUMAN_PART] = part


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
