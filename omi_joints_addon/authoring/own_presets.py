"""Limits and drives as text, for the clipboard, and as files among Blender's own presets."""

import json
from pathlib import Path

import bpy

from ..core.findings.sentence import Sentence
from ..core.model.joint import JointSettings
from ..core.model.plain import text_from_value, value_from_plain

FOLDER = "omi_joint"
"""Folder among Blender's presets; every folder of presets there is looked through."""
SUFFIX = ".json"
_KEY = "omi_joint_settings"


class SettingsTextError(ValueError):
    """Text that does not contain joint settings; the text is the reason."""


def settings_to_text(settings: JointSettings) -> str:
    """Return settings as JSON text."""
    return f'{{"{_KEY}":{text_from_value(settings)}}}'


def settings_from_text(text: str) -> JointSettings:
    """Return the settings in a text; raises `SettingsTextError`."""
    try:
        members = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsTextError("it is not valid JSON") from error
    if not isinstance(members, dict) or _KEY not in members:
        raise SettingsTextError("it holds something else")
    try:
        return value_from_plain(JointSettings, members[_KEY])
    except ValueError as error:
        raise SettingsTextError(str(error)) from error


def save_preset(name: str, settings: JointSettings) -> Path:
    """Write settings as a preset of the user; return the file, which can be given to others."""
    folder = bpy.utils.user_resource("SCRIPTS", path=str(Path("presets", FOLDER)), create=True)
    path = Path(folder) / f"{bpy.path.clean_name(name)}{SUFFIX}"
    path.write_text(settings_to_text(settings), encoding="utf-8")
    return path


def load_preset(path: Path) -> JointSettings:
    """Return the settings of a preset file; raises `SettingsTextError`."""
    try:
        return settings_from_text(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsTextError(Sentence("{path} cannot be read", path=path.name)) from error


def own_presets() -> list[Path]:
    """Return the preset files that Blender finds, by name."""
    found = {
        path.stem: path
        for folder in bpy.utils.preset_paths(FOLDER)
        for path in Path(folder).glob(f"*{SUFFIX}")
    }
    return [found[name] for name in sorted(found)]
