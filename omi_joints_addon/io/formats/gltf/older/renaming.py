"""Applies the rows of `parts` to a document, which is changed in place."""

from collections.abc import Iterator
from typing import Any

from .....core.findings.finding import Finding
from .....core.model.plain import JsonObject
from ..document_members import extension_of, nodes_of
from ..rules import OLDER_FORM, OLDER_MEMBERS
from .parts import ARRAYS, DOCUMENT, ELSEWHERE, NODE, NOT_READ, OlderPart, Row
from .values import SHAPE_TYPES


class Renaming:
    """Turns the extension objects of one part into those of the next form."""

    def __init__(self, document: JsonObject, part: OlderPart, findings: list[Finding]) -> None:
        self._document = document
        self._part = part
        self._findings = findings
        self._rows = {row.path: row for row in part.rows}
        self._not_read: dict[str, list[str]] = {}
        """Members that are not read, by the place of their object."""

    def apply(self) -> bool:
        """Change the document; return whether anything was of this form."""
        is_older = False
        for place, owner, value in list(self._owners()):
            new = self._upgraded(value, "", place)
            if self._part.extension == self._part.following and new == value:
                continue
            is_older = True
            extensions = dict(owner["extensions"])
            del extensions[self._part.extension]
            there = extensions.get(self._part.following)
            extensions[self._part.following] = _joined(there if there is not None else {}, new)
            owner["extensions"] = extensions
        for place, names in self._not_read.items():
            self._findings.append(OLDER_MEMBERS(place, names=", ".join(names)))
        return is_older

    def changes(self) -> bool:
        """Return whether an object of the document would become another one; nothing is changed."""
        return any(self._upgraded(value, "", place) != value for place, _, value in self._owners())

    def _owners(self) -> Iterator[tuple[str, JsonObject, JsonObject]]:
        """Yield what has an extension object of this form, with its pointer and the object."""
        name = self._part.extension
        document = self._document
        found = [("", document)] if self._part.owner == DOCUMENT else []
        if self._part.owner == NODE:
            found = [(f"/nodes/{index}", node) for index, node in enumerate(nodes_of(document))]
        for place, owner in found:
            value = extension_of(owner, name)
            if isinstance(value, dict) and (name != self._part.following or self._is_older(value)):
                yield f"{place}/extensions/{name}", owner, value

    def _is_older(self, value: JsonObject) -> bool:
        return any(_has(value, path) for path in self._rows)

    def _upgraded(self, value: Any, path: str, place: str) -> Any:
        """Return a value at a path within the extension object in the next form."""
        if isinstance(value, list):
            return [
                self._upgraded(element, f"{path}[]", f"{place}/{index}")
                for index, element in enumerate(value)
            ]
        return self._object(value, path, place) if isinstance(value, dict) else value

    def _object(self, value: JsonObject, path: str, place: str) -> JsonObject:
        new: JsonObject = {}
        moved: dict[str, JsonObject] = {}
        for name, member in value.items():
            at = f"{path}.{name}" if path else name
            row = self._rows.get(at)
            if row is not None and row.name == NOT_READ:
                if member != row.default:
                    self._not_read.setdefault(place, []).append(name)
            elif row is None or row.name == ELSEWHERE:
                new[name] = self._upgraded(member, at, f"{place}/{name}")
            elif member is not None:
                self._move(row, self._upgraded(member, at, f"{place}/{name}"), new, moved, value)
        return new | {ARRAYS[name][1]: self._added(name, each) for name, each in moved.items()}

    def _move(
        self, row: Row, value: Any, new: JsonObject, moved: dict[str, JsonObject], old: JsonObject
    ) -> None:
        value = row.convert(value) if row.convert is not None else value
        if row.name.startswith("/"):
            _, array, name = row.name.split("/")
            moved.setdefault(array, {})[name] = value
            return
        type_ = old.get("type")
        type_ = SHAPE_TYPES.get(type_, type_) if isinstance(type_, str) else "type"
        *above, name = row.name.replace("{type}", type_).split(".")
        for step in above:
            there = new.get(step)
            new[step] = dict(there) if isinstance(there, dict) else {}
            new = new[step]
        if name == "*":
            new |= value
        else:
            new[name] = value

    def _added(self, array: str, element: JsonObject) -> int:
        """Return the index of an element in an array of the document, added where it is new."""
        extension = ARRAYS[array][0]
        if array == "colliders":
            element = {"type": next(iter(element)), **element}
        extensions = self._document.get("extensions")
        root = extension_of(self._document, extension)
        root = root if isinstance(root, dict) else {}
        there = root.get(array)
        elements = list(there) if isinstance(there, list) else []
        if element not in elements:
            elements.append(element)
        known = extensions if isinstance(extensions, dict) else {}
        self._document["extensions"] = known | {extension: root | {array: elements}}
        return elements.index(element)


def older_form(extension: str, until: str) -> Finding:
    """Return the finding that a document has an extension in the form that it had until a month."""
    return OLDER_FORM(f"/extensions/{extension}", extension=extension, until=until)


def _joined(there: Any, new: JsonObject) -> Any:
    """Return an object with the members of another one, objects within joined."""
    if not isinstance(there, dict):
        return there
    both = {
        name: there[name] | value
        for name, value in new.items()
        if isinstance(value, dict) and isinstance(there.get(name), dict)
    }
    return new | there | both


def _has(value: Any, path: str) -> bool:
    """Return whether there is a member at a path, in any element of an array."""
    name, _, rest = path.partition(".")
    member = value.get(name.removesuffix("[]")) if isinstance(value, dict) else None
    if member is None:
        return False
    if not name.endswith("[]"):
        return not rest or _has(member, rest)
    return isinstance(member, list) and any(_has(element, rest) for element in member)
