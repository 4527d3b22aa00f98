"""Keys of Object Mode, which the keymap preferences show: Shift Alt and a letter."""

from typing import Any

import bpy

KEYMAP = "Object Mode"
KEYS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("J", "wm.call_menu_pie", {"name": "OMI_MT_joint_pie"}),
    ("C", "omi.joint_settings_copy_out", {}),
    ("V", "omi.joint_settings_paste", {}),
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
    keymap = maps.new(name=KEYMAP, space_type="EMPTY")
    for letter, operator, values in KEYS:
        item = keymap.keymap_items.new(operator, letter, "PRESS", shift=True, alt=True)
        for name, value in values.items():
            setattr(item.properties, name, value)


def detach() -> None:
    """Remove the keys."""
    maps = _keymaps()
    keymap: Any = maps.get(KEYMAP) if maps is not None else None
    for item in list(keymap.keymap_items) if keymap else ():
        if any(_is_key(item, *key) for key in KEYS):
            keymap.keymap_items.remove(item)


def _is_key(item: bpy.types.KeyMapItem, letter: str, operator: str, values: dict[str, str]) -> bool:
    return (item.type, item.idname) == (letter, operator) and all(
        getattr(item.properties, name) == value for name, value in values.items()
    )


CLASSES = ()
