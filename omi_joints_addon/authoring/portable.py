"""Joints rewritten for an engine, in place."""

import bpy

from ..core.engines.engine import Engine
from ..core.rewrite.portable import portable
from ..properties.joint import SettingsCycleError, joint_data, settings_owner
from ..scene.structure import joint_objects
from .context import present
from .turning import Uses, turn_frames, turn_problem


class NotPortableError(Exception):
    """Frames that cannot be turned; the text is the reason."""


def make_portable(
    context: bpy.types.Context, owner: bpy.types.Object, engine: Engine
) -> tuple[str, ...]:
    """Rewrite settings for an engine and turn the frames of all joints that share them.

    Return what was changed, in words. Raises `NotPortableError`.
    """
    data = joint_data(owner)
    result = portable(data.settings_to_core(), engine)
    if not result.steps:
        return ()
    if result.is_turned:
        objects = present(context.blend_data).objects
        sharing = [obj for obj in joint_objects(objects) if _uses(obj, owner)]
        uses = Uses(present(context.blend_data))
        problem = next(filter(None, (turn_problem(obj, uses) for obj in sharing)), None)
        if problem:
            raise NotPortableError(problem)
        for obj in sharing:
            turn_frames(context, obj, result.turn, uses)
    data.settings_from_core(result.settings)
    return result.steps


def _uses(obj: bpy.types.Object, owner: bpy.types.Object) -> bool:
    try:
        return settings_owner(obj) == owner
    except SettingsCycleError:
        return False
