"""Collision groups of a stage as the filters of colliders want them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ....core.model.body import CollisionFilter
from ....core.model.plain import text_from_value
from .collider_prims import GROUP, UNFILTERED, group_name, meets
from .edited import EditedStage
from .prim import CARRIER, Prim

_INCLUDES, _EXCLUDES = "collection:colliders:includes", "collection:colliders:excludes"
_Filter = CollisionFilter | None


def edit_filters(stage: EditedStage, wanted: Mapping[str, _Filter]) -> None:
    """Write which groups parts are in; `wanted` has the filter of each by the path of its prim."""
    before = dict(stage.filters_before())
    if wanted.keys() - before.keys() or any(wanted[path] != before[path] for path in before):
        _Groups(stage, wanted, before).edit()


@dataclass(eq=False)
class _Groups:
    stage: EditedStage
    wanted: Mapping[str, _Filter]
    before: Mapping[str, _Filter]

    def __post_init__(self) -> None:
        self.filters = {path: found for path, (_, found) in self.stage.read.filters.items()}
        """Filter of each group, edits included."""
        self.members = {
            group: {path for path in self.wanted if members.IsPathIncluded(path)}
            for group, (members, _) in self.stage.read.filters.items()
        }
        self.edited = set[str]()
        """Groups that are new or have another filter."""

    def edit(self) -> None:
        """Give each part the group of its filter."""
        self._edit_alike()
        found = dict.fromkeys(filter(None, self.wanted.values()))
        is_selective = any(each.collide_with_systems is not None for each in found)
        for path, wanted in self.wanted.items():
            is_new = path not in self.before or self.before[path] != wanted
            if is_new or (wanted is None and is_selective):
                has_group = wanted is not None or is_selective or None in self.filters.values()
                target = self._group_of(wanted) if has_group else ""
                self._move(path, target)
        for path in self.edited:
            self._relate(path)

    def _edit_alike(self) -> None:
        """Give groups another filter where all of their parts have it."""
        for group, members in self.members.items():
            values = {self.wanted[path] for path in members & self.before.keys()}
            if len(values) == 1 and values.isdisjoint({None, *self.filters.values()}):
                (self.filters[group],) = values
                self.edited.add(group)

    def _group_of(self, wanted: _Filter) -> str:
        for path, found in self.filters.items():
            if found == wanted:
                return path
        new = self.stage.new
        path = new.names.path(new.scope_path("CollisionGroups"), group_name(wanted))
        new.at(path).type_name = GROUP
        new.at(path).apply("CollectionAPI:colliders")
        new.at(path).relate(_INCLUDES, ())
        self.filters[path] = wanted
        self.members[path] = set()
        self.edited.add(path)
        return path

    def _move(self, path: str, target: str) -> None:
        """Have a part in one group, and in no other."""
        for group, members in self.members.items():
            if path in members and group != target:
                if path in self._listed(group, _INCLUDES):
                    self._list(group, _INCLUDES, without=path)
                else:
                    self._list(group, _EXCLUDES, path)
            elif path not in members and group == target:
                self._list(group, _EXCLUDES, without=path)
                self._list(group, _INCLUDES, path)

    def _listed(self, group: str, name: str) -> tuple[str, ...]:
        if group in self._new:
            return self._new[group].targets.get(name, ())
        return self.stage.overs.targets(group, name)

    def _list(self, group: str, name: str, *added: str, without: str = "") -> None:
        there = self._listed(group, name)
        targets = (*(each for each in there if each != without), *added)
        if targets == there:
            return
        prim = Prim(group) if group not in self._new else self._new[group]
        prim.relate(name, targets)
        if group not in self._new:
            self.stage.overs.put(prim, Prim(group), group)

    @cached_property
    def _new(self) -> Mapping[str, Prim]:
        return self.stage.new.prims

    def _relate(self, group: str) -> None:
        """Write what a group does not meet, and what only this program reads of its filter."""
        found = self.filters[group]
        unmet = [
            other
            for other, each in self.filters.items()
            if found is not None
            and not (meets(found, each) and (each is None or meets(each, found)))
        ]
        prim = self._new.get(group) or Prim(group)
        prim.relate("physics:filteredGroups", unmet)
        name, *others = map(self._name, (group, *unmet))
        plain = CollisionFilter(
            name=name, collision_systems=(name,), not_collide_with_systems=tuple(others)
        )
        there = self.stage.stage.GetPrimAtPath(group)
        if found != plain or (there and there.GetCustomDataByKey(CARRIER)):
            prim.carry("filter", UNFILTERED if found is None else text_from_value(found))
        if group not in self._new:
            prim.set("physics:invertFilteredGroups", "bool", False)
            self.stage.overs.put(prim, Prim(group), group)

    def _name(self, group: str) -> str:
        there = self.stage.stage.GetPrimAtPath(group)
        merged = there.GetAttribute("physics:mergeGroup").Get() if there else ""
        return merged or group.rpartition("/")[2]
