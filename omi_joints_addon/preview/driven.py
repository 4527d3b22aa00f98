"""When bodies follow the positions of joints (`Object.omi_position`): set, keyed or driven."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import bpy

from .. import scene as scenes
from ..core import meaning
from ..properties.joint import SettingsCycleError, joint_of, shared_settings
from ..properties.joint_position import ASKED, PATH, position_values
from ..scene.updates import Updates
from ..scene.watch import WATCH

if TYPE_CHECKING:
    from .positions import Wanted


class Positions:
    """Moves bodies where the positions of joints say."""

    def __init__(self) -> None:
        self._animated: dict[int, bpy.types.Object] | None = None
        """Joints whose positions are keyed or driven, None where it is not known."""
        self._rig: Any = None
        """The scene as it was before positions moved anything (`positions.Rig`)."""
        self._last: Wanted = {}
        self._since: Wanted = {}
        """What was wanted since the scene was as `_rig` has it."""
        self._rebuilt = -1
        """`WATCH.rebuilt` when all was looked at last."""
        self._is_own = False
        self._scene = 0
        """Key of the scene that all this is about."""

    def forget(self) -> None:
        """Forget all: Blender's data is replaced."""
        self._animated, self._rig, self._last = None, None, {}

    def follow_edits(self, scene: bpy.types.Scene, updates: Updates) -> None:
        """Move bodies after an edit, where positions are others than before."""
        depsgraph = updates.depsgraph
        # A first key or driver has Blender work out anew what depends on what.
        is_rebuilt = depsgraph.id_type_updated("SCENE")
        if not (is_rebuilt or ASKED or self._rig is not None or self._known(scene)):
            return
        asked = self._look(scene, updates)
        wanted, self._is_own = self._wanted(depsgraph, asked), False
        if asked or wanted != {key: self._last.get(key) for key in wanted}:
            self._move(scene, depsgraph, wanted)
            self._is_own = True

    def follow_frame(self, scene: bpy.types.Scene, updates: Updates) -> None:
        """Move bodies in a new frame; where no joint is keyed or driven that costs nothing."""
        depsgraph = updates.depsgraph
        is_rebuilt = WATCH.rebuilt != self._rebuilt or depsgraph.id_type_updated("SCENE")
        if is_rebuilt:
            self._animated, self._rebuilt = None, WATCH.rebuilt
        if not (ASKED or self._known(scene)):
            return
        if wanted := self._wanted(depsgraph, self._look(scene, updates)):
            self._move(scene, depsgraph, wanted)

    def _look(self, scene: bpy.types.Scene, updates: Updates) -> list[bpy.types.Object]:
        """Look at what Blender evaluated; return the joints whose positions were set."""
        # A first driver is reported as shading only.
        changed = updates.differing if self._animated is None else updates.all
        animated, depsgraph = self._known(scene), updates.depsgraph
        # To render, Blender evaluates all in each frame.
        is_edit = depsgraph.mode == "VIEWPORT" and not self._is_own
        if is_edit and depsgraph.id_type_updated("COLLECTION"):
            self._rig = None
        asked = []
        kind = bpy.types.Object  # looked up once: it takes as long as the rest for an object
        for update in changed:
            evaluated: Any = update.id
            obj = evaluated.original
            if not isinstance(obj, kind):
                continue
            if obj.session_uid in ASKED:
                asked.append(obj)
            if obj.animation_data is not None and _animated_values(obj):
                animated[obj.session_uid] = obj
            if self._rig is None or not (is_edit and update.is_updated_transform):
                continue
            if obj.session_uid in self._rig.uids:
                self._rig = None
        return asked

    def _known(self, scene: bpy.types.Scene) -> dict[int, bpy.types.Object]:
        """Return the joints whose positions are keyed or driven."""
        if self._scene != scene.session_uid:
            self.forget()
            self._scene = scene.session_uid
        if self._animated is None:
            keyed = [obj for obj in scene.objects if obj.animation_data is not None]
            self._animated = {obj.session_uid: obj for obj in keyed if _animated_values(obj)}
        return self._animated

    def _wanted(
        self, depsgraph: bpy.types.Depsgraph, asked: Sequence[bpy.types.Object]
    ) -> "Wanted":
        """Return where joints are to be."""
        wanted: Wanted = {}
        for joint in asked:
            for number in _free_values(joint):
                wanted[joint.session_uid, number] = position_values(joint).value(number)
            ASKED.discard(joint.session_uid)
        for joint in list((self._animated or {}).values()):
            found = _animated_values(joint) if _is_there(joint) else ()
            if not found:
                self._animated = None
                continue
            values = position_values(joint.evaluated_get(depsgraph))
            for number in found:
                wanted[joint.session_uid, number] = values.value(number)
        return wanted

    def _move(
        self, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, wanted: "Wanted"
    ) -> None:
        from . import positions

        if self._rig is None or not self._rig.numbers.keys() >= {joint for joint, _ in wanted}:
            self._rig, self._since = positions.rig_of(scene), {}
        self._last |= wanted
        self._since |= wanted
        positions.move(self._rig, depsgraph, self._since)


def _free_values(joint: bpy.types.Object) -> Iterator[int]:
    """Yield which of the six values of a joint may move."""
    if joint_of(joint) is not None:
        try:
            settings = shared_settings(joint)
        except SettingsCycleError:
            return
        yield from (each.number for each in meaning.freedom.freedoms(settings))


def _animated_values(joint: bpy.types.Object) -> set[int]:
    """Return which of the six values of a joint are keyed or driven."""
    data = joint.animation_data
    return set() if data is None else {*_numbers(joint, data)}


def _numbers(joint: bpy.types.Object, data: Any) -> Iterator[int]:
    curves = [*data.drivers]
    for action, slot in scenes.animation.actions_of(joint):
        curves += scenes.animation.curves_in(action, slot)
    for curve in curves:
        group, _, name = curve.data_path.partition(".")
        if group == PATH and name in ("along", "about"):
            yield curve.array_index + (3 if name == "about" else 0)


def _is_there(obj: bpy.types.Object) -> bool:
    """Return whether an object was not removed."""
    try:
        return bool(obj.name)
    except ReferenceError:
        return False


_POSITIONS = Positions()


def attach() -> None:
    """Follow positions from now on."""
    WATCH.changing.append(_POSITIONS.follow_edits)
    WATCH.framed.append(_POSITIONS.follow_frame)
    WATCH.leaving.append(_POSITIONS.forget)
    WATCH.rendering.append(_POSITIONS.forget)


def detach() -> None:
    """Follow them no longer."""
    _POSITIONS.forget()
    for calls, call in (
        (WATCH.changing, _POSITIONS.follow_edits),
        (WATCH.framed, _POSITIONS.follow_frame),
        (WATCH.leaving, _POSITIONS.forget),
        (WATCH.rendering, _POSITIONS.forget),
    ):
        if call in calls:
            calls.remove(call)  # type: ignore[arg-type]
