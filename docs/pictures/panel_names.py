"""Names of the panels that pictures of the window show, as they were when these were taken."""

from pathlib import Path

from omi_joints_addon import panels
from omi_joints_addon.classes import classes_of

FILE = Path(__file__).resolve().parent / "panels.txt"


def panel_names() -> str:
    """Return the panels of the sidebar and the Physics tab in Object Mode, one a line."""
    found = {
        cls.__name__: cls.bl_label
        for module in panels.MODULES
        for cls in classes_of(module)
        if getattr(cls, "bl_category", "") == "Joints" or _is_physics(cls)
        if not hasattr(cls, "bl_parent_id") and not cls.__name__.startswith("OMI_PT_pose")
    }
    return "".join(f"{name}: {label}\n" for name, label in sorted(found.items()))


def _is_physics(cls: type) -> bool:
    return getattr(cls, "bl_context", "") == "physics"
