"""What a Shift document holds: assemblies, bodies with their frames, joints; paths between them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....core.findings.finding import Finding
from ....core.model.plain import JsonObject
from ....core.model.pose import Array
from .rules import INACTIVE, NAME_TAKEN, WRONG_TYPE
from .units import Units

FIXED, ORIGIN = "fixed", "origin"
Path = tuple[str, ...]


@dataclass(slots=True, eq=False)
class Body:
    """A body, or `fixed`."""

    name: str
    assembly: int
    """Index of its assembly; -1 is the world, for `fixed`."""
    members: JsonObject
    place: str
    """JSON pointer."""
    frames: dict[str, Array] = field(default_factory=dict)
    """Matrices (4, 4) of its frames in its own axes, with `origin`."""
    is_active: bool = True


@dataclass(slots=True, eq=False)
class Assembly:
    """An assembly, or one within another."""

    name: str
    parent: int
    """Index of the assembly around it; -1 for none."""
    path: Path
    members: JsonObject
    is_active: bool
    place: str


@dataclass(slots=True, eq=False)
class JointMembers:
    """A joint as the file has it."""

    assembly: int
    members: JsonObject
    place: str
    is_active: bool


class Layout:
    """Everything in a document, found once; findings gather on the way."""

    def __init__(self, document: JsonObject, units: Units, findings: list[Finding]) -> None:
        self.document = document
        self.findings = findings
        self.units = units
        self.assemblies: list[Assembly] = []
        fixed = document.get("fixed")
        self.bodies: list[Body] = [
            Body(FIXED, -1, fixed if isinstance(fixed, dict) else {}, "/fixed")
        ]
        self.joints: list[JointMembers] = []
        matrices = self._matrices([self.bodies[0].members, document])
        self._frames(self.bodies[0], "/fixed", matrices)
        # Files of version 2 have the frames of `fixed` at their root.
        self._frames(Body(FIXED, -1, document, "", self.bodies[0].frames), "", matrices)
        self._walk(document)
        self._index = self._names()

    def resolve(self, path: object, assembly: int) -> Body | None:
        """Return the body that a path leads to from an assembly, None where there is none.

        Looked for in the assembly itself, in those around it, from the root, and last as the
        only body whose path ends so.
        """
        names = tuple(path.split(":")) if isinstance(path, str) else _names_of(path)
        if not names:
            return None
        while assembly >= 0:
            found = self._index.get((*self.assemblies[assembly].path, *names))
            if found is not None:
                return found
            assembly = self.assemblies[assembly].parent
        if names in self._index:
            return self._index[names]
        ends = [body for known, body in self._index.items() if known[-len(names) :] == names]
        return ends[0] if len(ends) == 1 else None

    def _names(self) -> dict[Path, Body]:
        index: dict[Path, Body] = {(FIXED,): self.bodies[0]}
        for body in self.bodies[1:]:
            path = (*self.assemblies[body.assembly].path, body.name)
            if path in index:
                self.findings.append(NAME_TAKEN(body.place, name=body.name))
            else:
                index[path] = body
        return index

    def _walk(self, document: JsonObject) -> None:
        """Find assemblies, without recursion, each before those within it."""
        stack = [
            (element, -1, place) for element, place in self._objects(document, "assemblies", "")
        ]
        stack.reverse()
        while stack:
            members, parent, place = stack.pop()
            index = len(self.assemblies)
            outer = self.assemblies[parent] if parent >= 0 else None
            name = str(members.get("name", f"assembly {index + 1}"))
            is_active = (outer is None or outer.is_active) and members.get("active") is not False
            path = (*(outer.path if outer else ()), name)
            self.assemblies.append(Assembly(name, parent, path, members, is_active, place))
            if members.get("active") is False:
                self.findings.append(INACTIVE(place))
            self._contents(members, index, place)
            inner = [(e, index, p) for e, p in self._objects(members, "assemblies", place)]
            stack += reversed(inner)

    def _contents(self, members: JsonObject, index: int, place: str) -> None:
        is_active = self.assemblies[index].is_active
        bodies = list(self._objects(members, "bodies", place))
        matrices = self._matrices([element for element, _ in bodies])
        for element, pointer in bodies:
            name = str(element.get("name", f"body {len(self.bodies)}"))
            body = Body(name, index, element, pointer)
            body.is_active = is_active and element.get("active") is not False
            self._frames(body, pointer, matrices)
            self.bodies.append(body)
        for element, pointer in self._objects(members, "joints", place):
            active = is_active and element.get("active") is not False
            self.joints.append(JointMembers(index, element, pointer, active))

    def _matrices(self, bodies: list[JsonObject]) -> dict[int, Array | None]:
        """Return the matrices of all frames of bodies by the identity of their objects."""
        lists = [found for body in bodies if isinstance(found := body.get("frames"), list)]
        frames = [element for found in lists for element in found if isinstance(element, dict)]
        return dict(zip(map(id, frames), matrices_of(frames, self.units), strict=True))

    def _frames(self, body: Body, place: str, matrices: Mapping[int, Array | None]) -> None:
        body.frames.setdefault(ORIGIN, np.eye(4))
        for element, pointer in self._objects(body.members, "frames", place):
            matrix = matrices[id(element)]
            if matrix is None:
                self._wrong(pointer, "the frame", "a rotation R and a translation T")
            else:
                body.frames.setdefault(str(element.get("name", "")), matrix)

    def _objects(
        self, owner: JsonObject, name: str, place: str
    ) -> Iterator[tuple[JsonObject, str]]:
        """Yield the objects of a list and their pointers."""
        value = owner.get(name)
        if value is None:
            return
        if not isinstance(value, list):
            self._wrong(f"{place}/{name}", name, "a list")
            return
        for number, element in enumerate(value):
            if isinstance(element, dict):
                yield element, f"{place}/{name}/{number}"
            else:
                self._wrong(f"{place}/{name}/{number}", f"{name}/{number}", "an object")

    def _wrong(self, place: str, name: str, expected: str) -> None:
        self.findings.append(WRONG_TYPE(place, name=name, expected=expected))


_LARGEST = 1e50
"""Largest number of vectors and matrices: what is composed of them stays finite."""
_UNTURNED, _UNMOVED = np.eye(3), np.zeros(3)
_SKEW = 0.1
"""How far products of rows of a rotation matrix may be from those of the unit matrix."""


def numbers_of(value: object, *shape: int) -> Array | None:
    """Return numbers of a shape that can be multiplied on, None where the value holds no such.

    `core.model.numbers.double` returns a single number.
    """
    try:
        numbers = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None
    if numbers.shape != shape or not (np.abs(numbers) <= _LARGEST).all():
        return None
    return numbers


def matrix_of(members: JsonObject, units: Units) -> Array | None:
    """Return the matrix (4, 4) of members R, given by rows, and T; None where one is unusable."""
    return matrices_of([members], units)[0]


def matrices_of(members: Sequence[JsonObject], units: Units) -> list[Array | None]:
    """Return the matrix (4, 4) of each members R, given by rows, and T; None as `matrix_of`."""
    rotations, are_turns = _rows([each.get("R", _UNTURNED) for each in members], 3, 3)
    translations, are_places = _rows([each.get("T", _UNMOVED) for each in members], 3)
    matrices = np.tile(np.eye(4), (len(members), 1, 1))
    matrices[:, :3, :3], matrices[:, :3, 3] = rotations, translations * units.length
    are_good = are_turns & are_places & _are_orthonormal(rotations)
    return [
        matrix if is_good else None
        for matrix, is_good in zip(matrices, are_good.tolist(), strict=True)
    ]


def _rows(values: Sequence[object], *shape: int) -> tuple[Array, NDArray[np.bool_]]:
    """Return numbers of a shape (n, ...) and which rows have them; the others are zeros."""
    found = numbers_of(values, len(values), *shape)
    if found is not None:
        return found, np.ones(len(values), dtype=bool)
    rows = [numbers_of(value, *shape) for value in values]
    numbers = [np.zeros(shape) if row is None else row for row in rows]
    return np.array(numbers).reshape(-1, *shape), np.array([row is not None for row in rows], bool)


def _are_orthonormal(rotations: Array) -> NDArray[np.bool_]:
    """Return of which matrices (n, 3, 3) the rows are of unit length and at right angles."""
    products = rotations @ np.swapaxes(rotations, 1, 2)
    return np.asarray((np.abs(products - _UNTURNED) <= _SKEW).all(axis=(1, 2)))


def _names_of(path: object) -> Path:
    if isinstance(path, list) and path and all(isinstance(name, str) for name in path):
        return tuple(path)
    return ()
