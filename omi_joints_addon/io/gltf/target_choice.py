"""Which importer an export is written for: the one that was chosen, or that of the project around.

Godot has a .blend file in a project exported into the folder `.godot/imported` of the project.
"""

from collections.abc import Collection
from pathlib import Path

from ..formats.gltf.dialect import Dialect
from .report import Report
from .rules import GODOT_PROJECT, GODOT_READS_OMI

_PROJECT = "project.godot"


def is_for_godot(
    chosen: Collection[str], dialects: Collection[str], path: Path, report: Report
) -> bool:
    """Return whether a file is written for Godot's importer, and report what follows from that.

    `chosen` are the targets of the scenes that are exported, as `Scene.omi_gltf` names them.
    """
    project = godot_project_of(path) if "AUTO" in chosen else None
    is_chosen = "GODOT" in chosen
    if project is None and not is_chosen:
        return False
    if Dialect.OMI not in dialects:
        report.add([GODOT_READS_OMI(path.name)])
        return False
    if project is not None and not is_chosen:
        report.add([GODOT_PROJECT(path.name, project=project)])
    return True


def godot_project_of(path: Path) -> str | None:
    """Return the name of the folder of the Godot project that a file is in, None outside of any."""
    folders = path.absolute().parents
    return next((folder.name for folder in folders if (folder / _PROJECT).is_file()), None)
