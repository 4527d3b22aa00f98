"""Bodies and frames follow what Blender does to meshes and empties, whenever it reports it."""

from collections import defaultdict, deque
from collections.abc import Iterator
from functools import partial
from typing import Any

import bpy

from ... import authoring
from ...properties.body import body_data_of
from ...properties.window import moves_both_frames
from ...scene.disabled import disabled_objects
from ...scene.updates import Updates
from ...scene.watch import WATCH

APPLY = "OBJECT_OT_transform_apply"
_STEPS = 64
"""Times that an object was put back which undo may come to."""


class _Following:
    """What was seen last of what Blender did."""

    def __init__(self) -> None:
        self._applied = 0
        """The operator after which empties were put back."""
        self._is_undone = False
        """Whether undo or redo brings back an earlier state."""
        self._put_back: defaultdict[int, deque[Any]] = defaultdict(partial(deque, maxlen=_STEPS))
        """How objects were put back, by `session_uid`, the last ones of each."""

        self._pivots: authoring.pivot_pairs.DraggedPivots | None = None

    def forget(self) -> None:
        """Look again at the last operator, and at what undo brings back."""
        self._applied, self._is_undone = 0, True

    def follow(self, scene: bpy.types.Scene, updates: Updates) -> None:
        """Let bodies follow whose mesh or armature a dependency graph reports."""
        if not updates.depsgraph.id_type_updated("OBJECT"):
            return
        self._take_pivots(scene, updates)
        if self._is_undone and self._put_back:
            authoring.applied.put_back_again(list(_objects(updates)), self._put_back)
        if self._is_applied():
            self._keep_empties(scene, updates)
        self._is_undone = False
        if bodies := list(_changed(updates)):
            authoring.following.follow_meshes(bodies, updates.depsgraph)

    def _take_pivots(self, scene: bpy.types.Scene, updates: Updates) -> None:
        """Let the other frames of joints follow those that the mouse drags, and their way back."""
        is_dragged = is_transforming() and moves_both_frames()
        if not is_dragged and (self._pivots is None or not self._pivots.is_dragging):
            return
        if self._pivots is None:
            self._pivots = authoring.pivot_pairs.DraggedPivots()
        if not self._is_undone:
            frames = authoring.pivot_pairs.pivots_among(_objects(updates))
            known = [(frame, WATCH.last_place(scene, frame)) for frame in frames]
            self._pivots.follow(scene, known)
        if not is_dragged:
            self._pivots.end()

    def _keep_empties(self, scene: bpy.types.Scene, updates: Updates) -> None:
        # What is disabled is not reported, and Blender applies where it was last evaluated.
        objects = dict.fromkeys((*_objects(updates), *disabled_objects(scene)))
        empties = [each for each in objects if _is_of_physics(each)]
        known = {each: WATCH.last_place(scene, each) for each in empties}
        places = {each: place for each, place in known.items() if place is not None}
        if places:
            for key, done in authoring.applied.put_back(places).items():
                self._put_back[key].appendleft(done)

    def _is_applied(self) -> bool:
        """Return whether transforms were applied just now."""
        operators: Any = bpy.data.window_managers[0].operators if bpy.data.window_managers else ()
        is_apply = len(operators) > 0 and operators[-1].bl_idname == APPLY
        before, self._applied = self._applied, operators[-1].as_pointer() if is_apply else 0
        return is_apply and before != self._applied


def is_transforming() -> bool:
    """Return whether a tool of Blender that moves, rotates or scales runs in a window."""
    managers = bpy.data.window_managers
    windows: Any = managers[0].windows if managers else ()
    running = (each.bl_idname for window in windows for each in window.modal_operators)
    return any(name.startswith("TRANSFORM_OT") for name in running)


def _objects(updates: Updates) -> Iterator[bpy.types.Object]:
    for update in updates.differing:
        each = update.id.original if update.id else None
        if isinstance(each, bpy.types.Object):
            yield each


def _is_of_physics(obj: bpy.types.Object) -> bool:
    """Return whether an object is an empty that means something of a joint or a body."""
    is_known = obj.is_property_set("omi_joint") or obj.is_property_set("omi_body")
    return obj.type == "EMPTY" and is_known and obj.is_editable


def _changed(updates: Updates) -> Iterator[bpy.types.Object]:
    """Yield the bodies and armatures that may not be what they were.

    A new value of any property has its object reported as rebuilt, but not its mesh.
    """
    objects: dict[Any, bool] = {}
    data = set[Any]()
    kind = bpy.types.Object  # which takes as long to look up as all else that is done for an object
    for update in updates.differing:
        each = update.id.original if update.id else None
        if not isinstance(each, kind):
            data.add(each)
        elif each.type == "ARMATURE" or each.is_property_set("omi_body"):
            objects[each] = update.is_updated_geometry or objects.get(each, False)
    for obj, is_rebuilt in objects.items():
        body = body_data_of(obj)
        is_new = body is not None and not body.anchor
        depends = obj.type == "ARMATURE" or obj.modifiers
        if is_new or obj.data in data or (is_rebuilt and depends):
            yield obj


_FOLLOWING = _Following()


def attach() -> None:
    """Follow from now on."""
    WATCH.changing.append(_FOLLOWING.follow)
    WATCH.leaving.append(_FOLLOWING.forget)


def detach() -> None:
    """Follow no longer."""
    for known, each in ((WATCH.changing, _FOLLOWING.follow), (WATCH.leaving, _FOLLOWING.forget)):
        if each in known:
            known.remove(each)  # type: ignore[arg-type]
