"""Property groups as Blender stores them: by one call all that was ever set.

What was never set is not stored and has the value of its definition; what is stored is what RNA
shows of the property, as long as it is of the right kind. The first reading of a value takes twice
the time of RNA, each further one of an equal value a third of it: what is stored is the key of what
was made of it. An object without a group gets none, as it does where it is asked for the group.
"""

import marshal
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import bpy

from .bones import Node
from .exact import single

T = TypeVar("T")
Stored = dict[str, Any]
"""What was set in a group: numbers, texts, lists, groups and data-blocks by name."""
Values = dict[str, Any]
"""What the properties of a group hold: numbers, words of enums, texts, tuples, values of groups.

Pointers to data-blocks are not among them (`Group.blocks`).
"""
_MOST_KEPT = 65536
"""Values of which the first are known."""


class Group(NamedTuple):
    """What is stored of one property group."""

    key: bytes
    """All but data-blocks, exactly: groups with equal keys hold the same."""
    blocks: Mapping[str, Any]
    """Data-blocks that pointers lead to, by path, such as "coupling.source".

    Of a list of groups it is a tuple of as many, None where a pointer leads nowhere.
    """


def read_group(obj: Node, name: str) -> Group | None:
    """Return what is stored of a property group of a node, None where nothing was ever set."""
    return group_in(getattr(obj, name), name) if obj.is_property_set(name) else None


def group_in(group: bpy.types.PropertyGroup, name: str) -> Group:
    """Return what is stored of a property group that nodes have under a name."""
    stored, blocks = stored_in(group), dict[str, Any]()
    _definition(name).take(stored, blocks)
    return Group(key_of(stored), blocks)


def stored_in(group: bpy.types.PropertyGroup) -> Stored:
    """Return what is stored of a property group."""
    properties: Any = group.id_properties_ensure()
    stored: Stored = properties.to_dict()
    return stored


def key_of(stored: Stored) -> bytes:
    """Return what is stored, but for data-blocks, as an exact key: equal ones hold the same."""
    try:
        return marshal.dumps(stored, 2)
    except ValueError:
        # Data-blocks where none belong.
        return marshal.dumps(_plain(stored), 2)


def stored_at(key: bytes) -> Stored:
    """Return what a key is of, but for data-blocks."""
    stored: Stored = marshal.loads(key)
    return stored


def values_of(stored: Stored, *path: str) -> Values:
    """Return the values of a group that is stored; its definition is at `path`."""
    return _definition(*path).values(stored)


def values_in(group: bpy.types.PropertyGroup, *path: str) -> Values:
    """Return the values of a group, whose definition is at `path`."""
    return values_of(stored_in(group), *path)


class _Firsts(dict[Any, Any]):
    """The first of all equal values, for as many as are worth their memory."""

    def of(self, value: T) -> T:
        """Return the first that equals a value."""
        if len(self) >= _MOST_KEPT:
            self.clear()
        first: T = self.setdefault(value, value)
        return first


same = _Firsts().of
"""Return the first of all equal values, so that equal ones are one."""


def _plain(stored: Any) -> Any:
    if isinstance(stored, dict):
        return {name: _plain(value) for name, value in stored.items()}
    if isinstance(stored, list):
        return [_plain(value) for value in stored]
    return stored if isinstance(stored, bool | int | float | str | bytes) else None


class _Definition:
    """What the properties of a group hold by default, and how each is stored."""

    def __init__(self, properties: Any) -> None:
        self.parts: dict[str, _Definition] = {}
        """Groups in the group, and in its lists."""
        self._pointers: dict[str, type] = {}
        """Properties that point to data-blocks, and to which ones."""
        self._pointing: dict[str, _Definition] = {}
        """Those of the parts in which there are such."""
        self._defaults: Values = {}
        self._conversions: dict[str, Callable[[Any], Any]] = {}
        for each in properties:
            if each.identifier not in {"rna_type", "name"} and not each.is_skip_save:
                self._add(each)

    def values(self, stored: Stored) -> Values:
        """Return the values of what is stored; what is of another kind counts as never set."""
        values = self._defaults.copy()
        for name, value in stored.items():
            conversion = self._conversions.get(name)
            held = None if conversion is None else conversion(value)
            if held is not None:
                values[name] = held
        return values

    def take(self, stored: Stored, blocks: dict[str, Any], above: str = "") -> None:
        """Take the data-blocks out of what is stored, into `blocks`."""
        for name, kind in self._pointers.items():
            block = stored.pop(name, None)
            if isinstance(block, kind):
                blocks[above + name] = block
        for name, part in self._pointing.items():
            held = stored.get(name)
            if isinstance(held, dict):
                part.take(held, blocks, f"{above}{name}.")
            elif isinstance(held, list):
                blocks[above + name] = tuple(part.taken(each) for each in held)

    def taken(self, stored: Any) -> Any:
        """Take the data-block out of an item of a list, None where it has none."""
        blocks: dict[str, Any] = {}
        if isinstance(stored, dict):
            self.take(stored, blocks)
        return next(iter(blocks.values()), None)

    def _add(self, each: Any) -> None:
        name = each.identifier
        if each.type in {"POINTER", "COLLECTION"}:
            self._add_part(each)
            return
        is_word = each.type == "ENUM"
        conversion = _word(each.enum_items) if is_word else _CONVERSIONS[each.type]
        length = each.array_length if getattr(each, "is_array", False) else 0
        self._defaults[name] = tuple(each.default_array) if length else each.default
        self._conversions[name] = _several(conversion, length) if length else conversion

    def _add_part(self, each: Any) -> None:
        name = each.identifier
        if each.fixed_type.base is None or each.fixed_type.base.identifier != "PropertyGroup":
            self._pointers[name] = getattr(bpy.types, each.fixed_type.identifier)
            return
        part = self.parts[name] = _Definition(each.fixed_type.properties)
        if part._pointers or part._pointing:
            self._pointing[name] = part
        is_list = each.type == "COLLECTION"
        self._defaults[name] = () if is_list else part.values({})
        self._conversions[name] = _groups(part) if is_list else _group(part)


@lru_cache(maxsize=64)
def _definition(owner: str, *path: str) -> _Definition:
    """Return the definition of a group of objects, or of a group in it."""
    if not path:
        return _Definition(bpy.types.Object.bl_rna.properties[owner].fixed_type.properties)  # type: ignore[attr-defined]
    return _definition(owner, *path[:-1]).parts[path[-1]]


def _flag(value: Any) -> bool | None:
    return bool(value) if isinstance(value, int) else None


def _whole(value: Any) -> int | None:
    return value if type(value) is int else None


def _number(value: Any) -> float | None:
    # Scripts may store a double, of which Blender shows the single.
    return single(value) if isinstance(value, float) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "BOOLEAN": _flag,
    "INT": _whole,
    "FLOAT": _number,
    "STRING": _text,
}


def _word(items: Any) -> Callable[[Any], Any]:
    words = {item.value: item.identifier for item in items}
    return lambda value: words.get(value) if type(value) is int else None


def _several(conversion: Callable[[Any], Any], length: int) -> Callable[[Any], Any]:
    def convert(value: Any) -> tuple[Any, ...] | None:
        if not isinstance(value, list) or len(value) != length:
            return None
        held = tuple(map(conversion, value))
        return None if None in held else held

    return convert


def _group(part: _Definition) -> Callable[[Any], Any]:
    return lambda value: part.values(value) if isinstance(value, dict) else None


def _groups(part: _Definition) -> Callable[[Any], Any]:
    def convert(value: Any) -> tuple[Values, ...] | None:
        if not isinstance(value, list):
            return None
        return tuple(part.values(each if isinstance(each, dict) else {}) for each in value)

    return convert
