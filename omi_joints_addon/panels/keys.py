"""Keys of the 3D view, which the keymap preferences show: Shift Alt and a letter."""

from itertools import product
from typing import Any

import bpy

KEYMAPS = ("Object Mode", "Pose")
KEYS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("J", "wm.call_menu_pie", {"name": "OMI_MT_joint_pie"}),
    ("C", "omi.joint_settings_copy_out", {}),
    ("V", "omi.joint_settings_paste", {}),
    ("H", "omi.joint_chain_show", {}),
)
"""Letter, operator and its values. A test looks for each in Blender's own keymaps."""


def _keymaps() -> Any:
    """Return the keymaps of add-ons, None without a window."""
    manager: Any = bpy.context.window_manager  # noqa: TID251 - registering is given no context
    configuration = manager.keyconfigs.addon if manager else None
    return configuration.keymaps if configuration else None


def attach() -> None:
    """Add the keys."""
    maps = _keymaps()
    if maps is None:
        return
    for keymap, (letter, operator, values) in product(KEYMAPS, KEYS):
        items = maps.new(name=keymap, space_type="EMPTY").keymap_items
        item = items.new(operator, letter, "PRESS", shift=True, alt=True)
        for name, value in values.items():
            setattr(item.properties, name, value)


def detach() -> None:
    """Remove the keys."""
    maps = _keymaps()
    for name in KEYMAPS if maps is not None else ():
        keymap = maps.get(name)
        for item in list(keymap.keymap_items) if keymap else ():
            if any(_is_key(item, *key) for key in KEYS):
                keymap.keymap_items.remove(item)


def _is_key(item: bpy.types.KeyMapItem, letter: str, operator: str, values: dict[str, str]) -> bool:
    return (item.type, item.idname) == (letter, operator) and all(
        getattr(item.properties, name) == value for name, value in values.items()
    )
