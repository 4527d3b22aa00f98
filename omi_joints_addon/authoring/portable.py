"""Joints rewritten for an engine, in place."""

from collections import defaultdict
from contextlib import suppress

import bpy

from ..core.engines.engine import Engine
from ..core.model.body import Quaternion
from ..core.model.joint import JointSettings
from ..core.rewrite.followed import by_rewriting
from ..core.rewrite.portable import portable
from ..core.rewrite.turning import turned_settings
from ..properties.joint import SettingsCycleError, joint_data, settings_owner
from ..scene.structure import joint_objects
from .context import present
from .joint_curves import JointCurves
from .profiles import profiles_of, put_profiles
from .turning import Uses, turn_frames, turn_problem


class NotPortableError(Exception):
    """Frames that cannot be turned; the text is the reason."""


class PortableMaker:
    """Rewrites joints for an engine; one for all joints of one operation."""

    def __init__(self, context: bpy.types.Context, engine: Engine) -> None:
        self._context = context
        self._engine = engine
        self._curves = JointCurves()
        self._uses: Uses | None = None
        self._sharing: defaultdict[bpy.types.Object, list[bpy.types.Object]] = defaultdict(list)

    def make(self, owner: bpy.types.Object) -> tuple[str, ...]:
        """Rewrite settings and turn the frames of all joints that share them.

        Return what was changed, in words. Raises `NotPortableError`.
        """
        data = joint_data(owner)
        before = data.settings_to_core()
        result = portable(before, self._engine)
        if result.is_turned:
            self._turn(owner, result.turn.rotation)
        if result.steps:
            data.settings_from_core(result.settings)
            self._curves.follow(owner, by_rewriting(before, self._portable))
            kept = profiles_of(owner).items()
            put_profiles(data, {name: turned_settings(each, result.turn) for name, each in kept})
        return result.steps

    def _portable(self, settings: JointSettings) -> JointSettings:
        return portable(settings, self._engine).settings

    def _turn(self, owner: bpy.types.Object, turn: Quaternion) -> None:
        """Turn the frames of all joints that use the settings of one."""
        if self._uses is None:
            self._uses = Uses(present(self._context.blend_data))
            self._look_up()
        uses, sharing = self._uses, self._sharing[owner]
        problem = next(filter(None, (turn_problem(obj, uses) for obj in sharing)), None)
        if problem:
            raise NotPortableError(problem)
        for obj in sharing:
            turn_frames(self._context, obj, turn, uses)

    def _look_up(self) -> None:
        """Note which joints use the settings of which."""
        for obj in joint_objects(present(self._context.blend_data).objects):
            with suppress(SettingsCycleError):
                self._sharing[settings_owner(obj)].append(obj)
