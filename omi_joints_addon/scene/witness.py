"""Has Blender learn that a preview changed what views show, by as little work as there can be.

Views keep the picture that anti-aliasing has refined until Blender reports a change. Evaluating the
scene for that takes as long as all of its objects. One object is enough, and what Blender copies
from there into the object itself is where it rests, if nothing that it depends on is shown
elsewhere.
"""

from collections.abc import Mapping, Sequence

import bpy

from ..core.model.graph import Mask
from ..properties.bones import BodyBone, Node
from .structure import parents_of


class Witness:
    """The object that is reported in place of all that moved."""

    def __init__(self, objects: Sequence[Node], nodes: Mapping[int, int]) -> None:
        """Choose among objects later; `nodes` are their numbers by `session_uid`."""
        self._objects = objects
        self._nodes = nodes
        self._chosen: bpy.types.Object | None = None

    def report(self, depsgraph: bpy.types.Depsgraph, is_moved: Mask) -> bpy.types.ID | None:
        """Have Blender evaluate it, or the scene where there is none, and return which.

        `is_moved` (n,) are the nodes that are shown elsewhere.
        """
        chosen, layer, scene = self._chosen, depsgraph.view_layer, depsgraph.scene
        if layer is None or scene is None:
            return None
        try:
            if chosen is None or not self._is_usable(chosen, layer, is_moved):
                chosen = self._chosen = self._choose(layer, is_moved)
        except ReferenceError:
            # An object was removed meanwhile: there is another one at the next redraw.
            chosen = self._chosen = None
        if chosen is None:
            scene.update_tag()
            return scene
        chosen.update_tag(refresh={"OBJECT"})
        return chosen

    def _choose(self, layer: bpy.types.ViewLayer, is_moved: Mask) -> bpy.types.Object | None:
        """Return an object at rest and an empty, if there is one: least depends on these."""
        objects = [
            (bool(is_moved[node]), obj.type != "EMPTY", node, obj)
            for node, obj in enumerate(self._objects)
            if not isinstance(obj, BodyBone)
        ]
        usable = (obj for *_, obj in sorted(objects) if self._is_usable(obj, layer, is_moved))
        return next(usable, None)

    def _is_usable(self, obj: bpy.types.Object, layer: bpy.types.ViewLayer, is_moved: Mask) -> bool:
        """Return whether what a visible object depends on is at rest, or evaluated with it."""
        if not obj.visible_get(view_layer=layer):
            return False
        chain = (obj, *parents_of(obj))
        if any(each.constraints or each.animation_data for each in chain):
            return False
        return len(chain) == 1 or not any(
            each.parent_type == "BONE" or is_moved[self._nodes[each.session_uid]]
            for each in chain
            if each.session_uid in self._nodes
        )
