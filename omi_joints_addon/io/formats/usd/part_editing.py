"""Colliders and triggers of a scene written as edits of the stage that it was read from.

A prim stays what it is where it can be the shape: its sizes change, or its type. Where it is seen
or a body, and cannot be both, the shape gets a prim of its own.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ....core.checks.differences import is_same_shape
from ....core.findings.loss import Noun
from ....core.model.body import Collider, Part, Trigger
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.model.shape import MeshShape, Shape
from ....core.rewrite.tree import depth_first
from .collider_prims import ColliderPrims, set_part
from .collider_reading import PartPrim
from .edited import EditedStage, PartEdit
from .filter_editing import edit_filters
from .layer import plain
from .material_editing import check_unbound, edit_materials, unbind
from .names import printable
from .prim import Prim
from .shape_prims import GEOMETRY, hull_of, set_sizes
from .tree_prims import Tree, set_grown, set_matrix


class PartEdits(EditedStage):
    """Writes what differs of colliders and triggers, and defines new ones."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.looks = set[int]()
        """Nodes of the stage that look as their colliders do, which were edited."""
        self.weighed = set[int]()
        """Bodies of the edited scene whose colliders were edited."""
        self._filters = dict(self.filters_before())

    def edit_parts(self) -> None:
        """Edit, remove and add colliders and triggers, with their materials and groups."""
        edits: list[PartEdit] = []
        new: list[tuple[int, Part]] = []
        for kind in (Collider, Trigger):
            before, after = self._parts(self.before, kind), self._parts(self.after, kind)
            there = set[int]()
            for node, one in before.items():
                other, prim = self.match.get(node, -1), self.read.parts[kind, node]
                if other in after and self._is_on_same_body(node, other):
                    there.add(other)
                    is_on = (node in self.before.colliders, other in self.after.colliders)
                    edit = PartEdit(node, other, prim, one, after[other], *is_on)
                    edits.append(edit)
                elif prim.path not in self.revision.unknown:
                    self._remove(prim, node, one)
            new += [(n, after[n]) for n in after if n not in there | self.revision.elsewhere]
        self._materials = edit_materials(self, edits)
        changed = [each for each in edits if self._is_changed(each)]
        for edit in changed:
            self._edit(edit)
        for other, part in new:
            self._add(other, part)
        edit_filters(self, self._filters)

    def _parts(self, scene: PhysicsScene, kind: type[Part]) -> Mapping[int, Part]:
        if kind is Trigger:
            return scene.triggers
        off = scene.disabled_colliders if self.revision.has_looks else {}
        return {**off, **scene.colliders}

    def _is_changed(self, edit: PartEdit) -> bool:
        one, new = (replace(part, shape=None) for part in (edit.one, edit.new))
        is_same = self._is_same_shape(edit) and one == new and edit.was_on == edit.is_on
        is_grown = isinstance(edit.new.shape, MeshShape) and edit.node in self.revision.rescaled
        return not is_same or is_grown or self._is_apart(edit)

    def _is_same_shape(self, edit: PartEdit) -> bool:
        one, new = edit.one.shape, edit.new.shape
        is_other_mesh = isinstance(one, MeshShape) and not self._is_same_mesh(one, new)
        return is_same_shape(one, new) and not is_other_mesh

    def _is_apart(self, edit: PartEdit) -> bool:
        """Return whether a shape that its prim has elsewhere than its node was moved."""
        return not self.read.paths[edit.node] and self.is_moved(edit.node, edit.other)

    def _is_on_same_body(self, node: int, other: int) -> bool:
        """Return whether a part is of the body that its prim is below."""
        above = node
        while above >= 0 and self.match.get(above, -1) not in self.after.motions:
            above = int(self.before.parents[above])
        return (self.match[above] if above >= 0 else -1) == int(self.owner[other])

    def _edit(self, edit: PartEdit) -> None:
        place, path = self.after.names[edit.other], edit.prim.path
        if self.overs.prim(path, place) is None:
            return
        if not self._is_same_shape(edit) or self._is_apart(edit):
            self.weighed.add(int(self.owner[edit.other]))
        after, before = Prim(path), Prim(path)
        if not self._has_shape(edit, after, before):
            self.looks.discard(self._seen(edit))
            self._remove(edit.prim, edit.node, edit.one)
            self._add(edit.other, edit.new, is_split=True)
            return
        for prim, part, is_on in ((after, edit.new, edit.is_on), (before, edit.one, edit.was_on)):
            set_part(prim, part)
            if edit.was_on != edit.is_on:
                prim.set("physics:collisionEnabled", "bool", is_on)
        self._bind(edit, after, before)
        if edit.new.carried == edit.one.carried:
            self.carry_as_before(after, before)
        self.overs.put(after, before, place)
        self._filters[path] = edit.new.collision_filter

    def _bind(self, edit: PartEdit, after: Prim, before: Prim) -> None:
        material = getattr(edit.new, "material", None)
        if material == getattr(edit.one, "material", None):
            return
        wanted = "" if material is None else self._materials.get(material)
        if wanted != edit.prim.material:
            self.weighed.add(int(self.owner[edit.other]))
        if material is None:
            unbind(self, edit.prim, after.path)
        elif wanted != edit.prim.material:
            self._colliders.bind(after, material)

    def _has_shape(self, edit: PartEdit, after: Prim, before: Prim) -> bool:
        """Give the prim of a part its shape; return whether it can have that."""
        one, new, is_apart = edit.one.shape, edit.new.shape, self._is_apart(edit)
        if isinstance(new, MeshShape) and edit.node in self.revision.rescaled:
            self._grow(edit, after)
        if self._is_same_shape(edit) and not is_apart:
            return True
        kind = str(self.stage.GetPrimAtPath(edit.prim.path).GetTypeName())
        if isinstance(one, MeshShape):
            return self._is_same_mesh(one, new) and not is_apart
        if kind == "Mesh" or one is None or new is None or not self._looks_alike(edit):
            return False
        if not is_apart and self._has_sizes(edit, after, kind):
            return True
        before.type_name = kind
        is_seen = edit.prim.is_shown and edit.node not in self.looks
        is_plain = not (is_seen or hull_of(new) or isinstance(new, MeshShape))
        return is_plain and self._is_free(edit.prim) and self._is_reshaped(edit, after)

    def _has_sizes(self, edit: PartEdit, after: Prim, kind: str) -> bool:
        """Give a prim other sizes; return whether its type, and the steps of its place, can."""
        prim = self.stage.GetPrimAtPath(edit.prim.path)

        def value(name: str) -> Any:
            return plain(prim.GetAttribute(name).Get())

        assert edit.one.shape is not None
        assert edit.new.shape is not None
        grown = set_sizes(after, kind, edit.one.shape, edit.new.shape, value)
        if grown is None or (grown == 1.0).all():
            return grown is not None
        return self._is_grown(edit.prim, after, grown)

    def _is_grown(self, part: PartPrim, after: Prim, grown: Array) -> bool:
        """Scale a prim further; return whether that can be."""
        prim = self.stage.GetPrimAtPath(part.path)
        order, scale = (
            plain(prim.GetAttribute(name).Get()) for name in ("xformOpOrder", "xformOp:scale")
        )
        return self._is_free(part) and set_grown(after, order, scale, grown)

    def _grow(self, edit: PartEdit, after: Prim) -> None:
        """Scale a prim whose mesh was scaled; name where that cannot be."""
        self.weighed.add(int(self.owner[edit.other]))
        if not self._is_grown(edit.prim, after, self.revision.rescaled[edit.node]):
            text = "its mesh was scaled, which a body, or what has others below, is not"
            self.overs.losses.lost(self.after.names[edit.other], Noun.SHAPE, text)

    def _is_reshaped(self, edit: PartEdit, after: Prim) -> bool:
        """Give a prim the type, sizes and place of a shape; return whether it has one."""
        above = self.stage.GetPrimAtPath(edit.prim.path).GetParent()
        world = self.place_on_stage(edit.node, edit.other)
        after.attributes.clear()
        after.set("xformOpOrder", "token[]", (), is_uniform=True)
        local = np.linalg.solve(self.stage_world(above), world)
        return self._set_leaf(after, edit.other, edit.new, local)

    def _set_leaf(self, prim: Prim, other: int, part: Part, local: Array) -> bool:
        """Give a prim a shape at a place (4, 4); return whether it has one."""
        return self._tree.set_leaf(prim, other, part, local, self.overs.losses)

    def _is_same_mesh(self, one: MeshShape, new: Shape | None) -> bool:
        """Return whether shapes are of one mesh; those of Blender's objects always are."""
        is_same = isinstance(new, MeshShape) and one.mesh == new.mesh
        return is_same or (isinstance(new, MeshShape) and not self.revision.has_looks)

    def _looks_alike(self, edit: PartEdit) -> bool:
        """Return whether what is seen of a prim is edited as its collider is."""
        if not edit.prim.is_shown:
            return True
        node = self._seen(edit)
        visual = self.before.visuals.get(node)
        if visual is None or edit.node in self.revision.rescaled:
            return True
        now = self.after.visuals.get(self.match.get(node, -1))
        if self.revision.has_looks and now is not None and now.shape == edit.new.shape:
            self.looks.add(node)
            return True
        return False

    def _seen(self, edit: PartEdit) -> int:
        """Return the node of the prim that a part is of."""
        return edit.node if self.read.paths[edit.node] else int(self.before.parents[edit.node])

    def _is_free(self, part: PartPrim) -> bool:
        """Return whether nothing but its shape stands where a prim does."""
        bodies = {self.read.paths[node] for node in self.before.motions}
        return part.path not in bodies and not self.stage.GetPrimAtPath(part.path).GetChildren()

    def _remove(self, part: PartPrim, node: int, one: Part) -> None:
        """Take a collider from its prim, or the prim where it is nothing else."""
        place = self.before.names[node]
        self._filters[part.path] = None
        self.weighed.add(self.match.get(int(self.owner_before[node]), -1))
        if self.overs.is_removed(part.path) or self.overs.prim(part.path, place) is None:
            return
        is_node = self.read.paths[node] == part.path and node in self.match
        if self._is_free(part) and not is_node and (node not in self.match or not part.is_shown):
            self.overs.remove(part.path, place)
            return
        before = Prim(part.path)
        set_part(before, one)
        self.carry_as_before(before)
        self.overs.put(Prim(part.path), before, place)

    def _add(self, other: int, part: Part, *, is_split: bool = False) -> None:
        """Make a prim a collider or trigger that looks like it, or define one for it."""
        name = self.after.names[other]
        self.weighed.add(int(self.owner[other]))
        prim = Prim(self.path_of.get(other, ""))
        is_new = is_split or not self._is_alike(other, part)
        if is_new:
            above, local = self._holder(other)
            path = self.path_of.get(above, self.new.place.scope)
            own = name if other not in self.path_of else type(part).__name__
            if not self._is_there(above, path, name):
                return
            prim = Prim(self.new.names.path(path or "/", own))
            prim.set("purpose", "token", "guide", is_uniform=True)
            if not self._set_leaf(prim, other, part, local):
                return
        self._colliders.add(prim, part, name)
        if other in self.after.disabled_colliders and isinstance(part, Collider):
            prim.set("physics:collisionEnabled", "bool", False)
        self._filters[prim.path] = part.collision_filter
        if not is_new:
            self.carry_as_before(prim)
            self.overs.put(prim, Prim(prim.path), name)
            return
        if "xformOp:transform" in prim.attributes:
            prim.data = {}
        above = self.stage.GetPrimAtPath(prim.path.rpartition("/")[0])
        if isinstance(part, Collider) and part.material is None and above:
            check_unbound(self, above, name)
        self.new.prims[prim.path] = prim

    def _is_there(self, above: int, path: str, place: str) -> bool:
        return above in self.made or not path or self.overs.prim(path, place) is not None

    def _is_alike(self, other: int, part: Part) -> bool:
        """Return whether a node's own prim shows the shape of a part that it is to have."""
        path, visual = self.path_of.get(other), self.after.visuals.get(other)
        if path is None or visual is None or other in self.made or part.shape is None:
            return False
        if self.stage.GetPrimAtPath(path).GetTypeName() not in GEOMETRY:
            return False
        if isinstance(part.shape, MeshShape):
            return visual.mesh is not None and visual.mesh == part.shape.mesh
        return self.revision.has_looks and visual.shape == part.shape

    def _holder(self, other: int) -> tuple[int, Array]:
        """Return the node whose prim the one of a shape goes below, and its place there (4, 4)."""
        above, world = other, self.world[other]
        while above >= 0 and not self._can_hold(above):
            above = int(self.after.parents[above])
        above = self._back_top if above < 0 else above
        if above < 0:
            outer = self.stage_world(self.stage.GetPrimAtPath(self.new.place.scope or "/"))
            return above, np.linalg.solve(outer, self.new.place.to_stage @ world)
        inside = np.linalg.solve(self.world[above], world)
        if above not in self.made:
            scale = np.eye(4)
            scale[:3, :3] = self.read.scales[self._back[above]]
            inside = np.linalg.solve(scale, inside)
        return above, inside

    def _can_hold(self, other: int) -> bool:
        """Return whether prims can be below that of a node: geometry holds nothing, but bodies."""
        path = self.path_of.get(other)
        if path is None or other in self.made or other in self.after.motions:
            return path is not None
        return str(self.stage.GetPrimAtPath(path).GetTypeName()) not in GEOMETRY

    @cached_property
    def _back_top(self) -> int:
        """Node of the prim that new ones are below, -1 for none."""
        top = self.new.place.scope
        return next((other for other, path in self.path_of.items() if path == top), -1)

    @cached_property
    def _back(self) -> dict[int, int]:
        return {other: node for node, other in self.match.items()}

    @cached_property
    def _colliders(self) -> ColliderPrims:
        return ColliderPrims(self.new, materials=self._materials)

    @cached_property
    def _tree(self) -> Tree:
        return Tree(scene=self.after, prims=self.new.prims, names=self.new.names)

    def add_nodes(self) -> None:
        """Define prims for new bodies and what is seen, and for nodes above them."""
        for node in self._new_nodes():
            above, name = int(self.after.parents[node]), self.after.names[node]
            path = self.path_of.get(above, self.new.place.scope)
            if not self._is_there(above, path, name):
                continue
            prim = self.new.at(self.new.names.path(path or "/", name))
            prim.type_name = "Xform"
            if name != prim.path.rpartition("/")[2]:
                prim.info["displayName"] = printable(name)
            _above, local = self._holder(node)
            set_matrix(prim, local)
            self.path_of[node] = prim.path
            self.made.add(node)
        if self.made:
            self.new.add_bodies()
            self._tree.paths.update({node: self.path_of[node] for node in self.made})
            for node in self.made:
                self._tree.add_visual(node, self.overs.losses)

    def _new_nodes(self) -> list[int]:
        """Return the nodes that get a prim, those above first."""
        here = {*self.match.values(), *self.revision.elsewhere}
        bodies = self.new_motions().keys()
        seen = self.after.visuals.keys() if self.revision.has_looks else set[int]()
        left, wanted = [*((bodies | seen) - here)], set[int]()
        while left:
            node = left.pop()
            if node >= 0 and node not in wanted | here:
                wanted.add(node)
                left.append(int(self.after.parents[node]))
        return [node for node in depth_first(self.after) if node in wanted] if wanted else []
