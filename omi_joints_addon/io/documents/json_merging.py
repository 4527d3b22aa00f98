"""What differs between two values of JSON, put into the text of a document that has the first."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...closeness import is_close
from .json_edits import JsonEdits, escaped


def _as_it_is(number: float) -> float:
    return number


def _are_close(_pointer: str, one: float, other: float) -> bool:
    return is_close(one, other)


@dataclass(frozen=True, slots=True)
class JsonMerge:
    """Puts edits into a text and into its values, which may hold more than what was compared."""

    edits: JsonEdits
    is_same: Callable[[str, float, float], bool] = _are_close
    """Whether numbers are one; takes the pointer of what they are a part of."""
    number: Callable[[float], float] = _as_it_is
    """Return a new number with the digits that are certain."""
    has_names: bool = True
    """Whether objects in lists belong together by their names, else by their numbers."""

    def members(self, pointer: str, own: Any, before: Any, after: Any) -> None:
        """Put what differs between two objects into a third, the value at a pointer.

        Members that are objects or lists are compared member by member.
        """
        for name in [*before, *(name for name in after if name not in before)]:
            one, new = before.get(name), after.get(name)
            inner = f"{pointer}/{escaped(name)}"
            if not self.is_alike(inner, one, new):
                self._put(inner, own, name, (one, new))

    def _put(self, pointer: str, holder: Any, key: Any, pair: tuple[Any, Any]) -> None:
        one, new = pair
        is_there = key in holder if isinstance(holder, Mapping) else True
        own = holder[key] if is_there else None
        if new is None and one is not None:
            if is_there:
                self.edits.remove(pointer)
                del holder[key]
        elif isinstance(own, dict) and isinstance(one, dict) and isinstance(new, dict):
            self.members(pointer, own, one, new)
        elif isinstance(own, list) and isinstance(one, list) and isinstance(new, list):
            self._list(pointer, holder, key, (one, new))
        else:
            self.set(pointer, holder, key, new)

    def _list(self, pointer: str, holder: Any, key: Any, pair: tuple[Any, Any]) -> None:
        one, new = pair
        own = holder[key]
        if self.has_names and all(map(_are_named, (own, one, new))):
            self.named(pointer, own, *map(_by_name, pair))
        elif len(own) >= len(one) == len(new):
            for number, (left, right) in enumerate(zip(one, new, strict=True)):
                inner = f"{pointer}/{number}"
                if not self.is_alike(inner, left, right):
                    self._put(inner, own, number, (left, right))
        else:
            self.set(pointer, holder, key, new)

    def named(
        self, pointer: str, own: list[Any], before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> None:
        """Put what differs in objects with names into a list of such."""
        there = {each.get("name"): number for number, each in reversed([*enumerate(own)])}
        for name in before.keys() - after.keys():
            if name in there:
                self.edits.remove(f"{pointer}/{there[name]}")
        for name, new in after.items():
            if name in before and name in there:
                number = there[name]
                self.members(f"{pointer}/{number}", own[number], before[name], new)
            elif new != before.get(name):
                self.append(pointer, own, new)

    def append(self, pointer: str, own: list[Any], value: Any) -> None:
        """Put a new value at the end of a list."""
        own.append(self._rounded(value))
        self.edits.append(pointer, own[-1])

    def set(self, pointer: str, holder: Any, key: Any, value: Any) -> None:
        """Set a value, or a new member of an object."""
        holder[key] = self._rounded(value)
        self.edits.set(pointer, holder[key])

    def _rounded(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._rounded(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self._rounded(each) for each in value]
        return self.number(value) if isinstance(value, float) else value

    def is_alike(self, pointer: str, one: Any, other: Any) -> bool:
        """Return whether two values of a pointer are one."""
        if one is other:
            return True
        if _is_number(one) and _is_number(other):
            return self.is_same(pointer, one, other)
        if isinstance(one, dict) and isinstance(other, dict):
            return one.keys() == other.keys() and all(
                self.is_alike(f"{pointer}/{name}", one[name], other[name]) for name in one
            )
        if isinstance(one, list) and isinstance(other, list):
            pairs = zip(one, other, strict=False)
            return len(one) == len(other) and all(self.is_alike(pointer, *pair) for pair in pairs)
        return type(one) is type(other) and bool(one == other)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_named(values: list[Any]) -> bool:
    return all(isinstance(each, dict) and "name" in each for each in values)


def _by_name(values: list[Any]) -> dict[str, Any]:
    return {each["name"]: each for each in values}
