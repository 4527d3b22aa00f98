"""What a prim says, as plain data: the one form between core values and stages.

Numbers of single precision types are rounded when they are set, so that what is written and what
is read back compare equal.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from ..carrier import Carried, digest

T = TypeVar("T")

SINGLE = ("float", "half", "3f", "4f", "2f", "quatf", "float2", "float3", "float4")
"""Endings of type names whose numbers are of single precision."""
CARRIER = "omi"
"""Dictionary in the custom data of a prim that holds what this program carries."""
_WHOLE = 2.0**24
"""Whole numbers below are the same in single precision."""
_FRAMES = "physics:local"
_COUNTED = ("physics:", "limit:", "drive:", "physx")
_SIZES = ("axis", "height", "radius", "radiusBottom", "radiusTop", "size")


@dataclass(slots=True)
class Prim:
    """Opinions about one prim."""

    path: str = ""
    type_name: str = ""
    """Type of a prim that is defined here; empty leaves an existing prim's."""
    schemas: list[str] = field(default_factory=list)
    """Names of applied API schemas, with `:instance` where they are applied several times."""
    attributes: dict[str, tuple[str, Any]] = field(default_factory=dict)
    """Type name and value by name; vectors are tuples, quaternions w x y z."""
    samples: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """Time codes and values, shape (n,) each, by name of an attribute that changes over time."""
    targets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Paths by name of a relationship."""
    uniform: set[str] = field(default_factory=set)
    """Names of attributes that do not vary over time."""
    data: dict[str, str] = field(default_factory=dict)
    """Texts in the dictionary `CARRIER` of the custom data."""
    info: dict[str, Any] = field(default_factory=dict)
    """Further metadata, such as `displayName`."""

    def copied(self, path: str) -> "Prim":
        """Return a copy of a prim that several share, which may be added to."""
        return replace(
            self,
            path=path,
            schemas=list(self.schemas),
            attributes=dict(self.attributes),
            samples=dict(self.samples),
            targets=dict(self.targets),
            uniform=set(self.uniform),
            data=dict(self.data),
        )

    def get(self, name: str, default: object = None) -> Any:
        """Return the value of an attribute as it is, unchecked."""
        return self.attributes.get(name, ("", default))[1]

    def apply(self, *schemas: str) -> None:
        """Add applied schemas that are not there yet."""
        self.schemas += [schema for schema in schemas if schema not in self.schemas]

    def set(self, name: str, kind: str, value: object, *, is_uniform: bool = False) -> None:
        """Set an attribute of a type of Sdf such as `float` or `quatf`."""
        self.attributes[name] = (kind, rounded(kind, value))
        if is_uniform:
            self.uniform.add(name)

    def relate(self, name: str, paths: Iterable[str]) -> None:
        """Set a relationship; an attribute of its name, which a damaged file had, gives way."""
        self.attributes.pop(name, None)
        self.targets[name] = tuple(paths)

    def carry(self, name: str, text: str) -> None:
        """Carry text, valid as long as the physics of the prim stays as it is when written."""
        self.data[name] = text

    def carried(self, name: str, kind: Carried[T]) -> T | None:
        """Return what is carried under a name, None where the prim was edited since."""
        text = self.data.get(name) or None
        is_unchanged = text is not None and self.data.get("digest") == prim_digest(self)
        return kind.read(text, is_unchanged=is_unchanged)

    def sealed_data(self) -> dict[str, str]:
        """Return what is carried, with the digest of what the prim says now."""
        return self.data | {"digest": prim_digest(self)} if self.data else {}


def rounded(kind: str, value: object) -> Any:
    """Return a value in the precision of its type, as the shortest decimals that have it."""
    return _rounded(value) if _is_single(kind) else value


@lru_cache(maxsize=1024)
def _is_single(kind: str) -> bool:
    return kind.removesuffix("[]").endswith(SINGLE)


def _rounded(value: Any) -> Any:
    kind = type(value)
    if kind is float:
        return _single(value)
    if kind is tuple:
        return tuple([_rounded(part) for part in value])
    return _single(value) if isinstance(value, int | float) else value


@lru_cache(maxsize=65536)
def _single(number: float) -> float:
    """Return a number in single precision, never the negative zero."""
    if abs(number) < _WHOLE and number == int(number):
        return float(int(number))
    with np.errstate(over="ignore"):
        return float(str(np.float32(number))) + 0.0


def prim_digest(prim: Prim) -> str:
    """Return a digest of the physics of a prim: type, applied schemas and attributes.

    Where the frames of a joint are does not count: it is always read from the attributes.
    """
    values = [(name, value) for name, (_kind, value) in prim.attributes.items() if is_counted(name)]
    try:
        return _digest(_joint_type(prim.type_name), tuple(prim.schemas), tuple(values))
    except TypeError:
        # An array of numbers does not tell which of two prims are alike.
        return _digest.__wrapped__(_joint_type(prim.type_name), tuple(prim.schemas), tuple(values))


@lru_cache(maxsize=65536)
def _digest(type_name: str, schemas: tuple[str, ...], values: tuple[tuple[str, Any], ...]) -> str:
    kept = sorted(schema for schema in schemas if schema.startswith(("Physics", "Physx")))
    text = json.dumps([type_name, kept, sorted(values)], separators=(",", ":"))
    return digest(text)


@lru_cache(maxsize=4096)
def is_counted(name: str) -> bool:
    """Return whether the digest of a prim has an attribute."""
    return name in _SIZES or (name.startswith(_COUNTED) and not name.startswith(_FRAMES))


def _joint_type(type_name: str) -> str:
    """Return the type where it is physics; what else a prim shows may change."""
    return type_name if type_name.startswith("Physics") else ""
