"""Attributes of MJCF elements: defaults by class, numbers, compiler options."""

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.numbers import are_usable
from ....core.model.pose import Array, Pose, matrix_from_pose
from .orientations import NO_TURN, ORIENTATIONS, Rotation, rotation_of
from .rules import BAD_VALUE, UNKNOWN_CLASS
from .schema import ACTUATORS, ATTRIBUTES, WORDS, unknown_attributes

_SHARED = "actuator"
"""Name of the defaults that actuators of every kind have in common."""
_OF_ALL_ACTUATORS = frozenset(
    (
        *("group", "nsample", "interp", "delay", "ctrllimited", "forcelimited", "ctrlrange"),
        *("forcerange", "lengthrange", "gear", "cranklength", "user", "armature", "damping"),
    )
)
_INSTEAD = (("inheritrange", "ctrlrange"), ("ctrlrange", "inheritrange"), ("dampratio", "kv"))
"""Attributes of an actuator that count instead of an inherited one."""
_SHORTCUTS = {"position": "kp", "intvelocity": "kp", "velocity": "kv", "cylinder": "area"}
"""Attribute of an actuator that is the gain of a general one."""
_OF_LAWS = ("kp", "kv", "dampratio", "area", "bias")
"""Attributes of shortcuts that are parts of the law of their class."""
_DAMPING = 2
"""Place of the damping in `biasprm`."""
_MAIN = "main"
STIFF = "0.004 1"
"""Time constant [s] and damping of limits that are rigid elsewhere: the least for MuJoCo's step."""
_STIFFNESS = ("solref", "solreflimit")
Place = tuple[tuple[float, ...], Rotation]
"""Position [m], and rotation x y z w."""
Texts = Mapping[str, str]
Default = tuple[float, ...] | None


class _Law(NamedTuple):
    """What a class says of the laws of actuators."""

    kind: str
    """Of its last actuator."""
    words: dict[str, str]
    """As those of a general actuator, with what else a general one there says."""


@dataclass(slots=True)
class Compiler:
    """Options of the compiler that change what attributes mean."""

    angle: float = math.radians(1.0)
    """What one of the file's angles is [rad]."""
    euler_sequence: str = "xyz"
    has_auto_limits: bool = True
    inertia_from_geom: str = "auto"
    inertia_groups: tuple[int, int] = (0, 5)
    mesh_folder: str = ""
    total_mass: float = -1.0
    least_mass: float = 0.0
    least_inertia: float = 0.0
    balances_inertia: bool = False
    fits_bounds: bool = False


class Values:
    """Reads attributes of elements, with the defaults of their class."""

    def __init__(self, root: ET.Element, findings: list[Finding]) -> None:
        self.findings = findings
        self.compiler = Compiler()
        self._defaults: dict[str, dict[str, dict[str, str]]] = {_MAIN: {}}
        self._laws: dict[str, tuple[_Law, ...]] = {_MAIN: ()}
        for element in root.findall("default"):
            self._collect(element)
        for element in root.findall("compiler"):
            self._compile(element)
        findings += unknown_attributes(root)

    def attributes(
        self, element: ET.Element, child_class: str, *, kind: str = ""
    ) -> dict[str, str]:
        """Return the attributes of an element: its own, else those of its class, else nothing.

        `kind` is the element whose defaults count, by default its own.
        """
        name = element.get("class") or child_class or _MAIN
        if name not in self._defaults:
            place = element.get("name", element.tag)
            self.findings.append(UNKNOWN_CLASS(place, name=name))
            name = _MAIN
        inherited = self._of_class(name, kind or element.tag)
        for own, other in _INSTEAD if element.tag in ACTUATORS else ():
            # The range of an integrated velocity is that of its activation.
            if own in element.attrib and (element.tag, own) != ("intvelocity", "inheritrange"):
                inherited = {key: value for key, value in inherited.items() if key != other}
        law: dict[str, str] = {}
        if element.tag == "general":
            inherited |= self._laws[name][0].words if self._laws[name] else {}
        if element.tag in _SHORTCUTS:
            law = _words_of(element.tag, self._laws[name])
            law = {key: value for key, value in law.items() if not _is_instead(key, element)}
            inherited = {key: each for key, each in inherited.items() if key not in _OF_LAWS}
        return law | inherited | dict(element.attrib)

    def without_stiffness(self, attributes: dict[str, Any]) -> dict[str, Any]:
        """Return attributes without the stiffness that this program gives all limits."""
        if not self.is_stiff:
            return attributes
        return {
            name: value
            for name, value in attributes.items()
            if name not in _STIFFNESS or value != STIFF
        }

    @property
    def is_stiff(self) -> bool:
        """Whether limits are as stiff as this program writes them."""
        return self._defaults[_MAIN].get("joint", {}).get("solreflimit") == STIFF

    def defaults(self, element: ET.Element, kind: str) -> dict[str, str]:
        """Return what the class of an element says for elements of another kind."""
        name = element.get("class") or _MAIN
        return self._of_class(name if name in self._defaults else _MAIN, kind)

    def _of_class(self, name: str, kind: str) -> dict[str, str]:
        """Return the defaults of a class; actuators share those that all of them have."""
        found = self._defaults[name]
        own = found.get(kind, {})
        if kind not in ACTUATORS:
            return own
        shared = found.get(_SHARED, {}).items()
        return {key: value for key, value in shared if key in WORDS[kind]} | own

    def resolved(self, element: ET.Element, *, kind: str = "") -> ET.Element:
        """Return a copy of an element, and of those in it, with the defaults of their classes."""
        attributes = self.attributes(element, "", kind=kind)
        attributes.pop("class", None)
        copy = ET.Element(element.tag, attributes)
        copy.extend(self.resolved(child) for child in element)
        return copy

    def numbers(self, place: str, attributes: Texts, name: str, default: Default = None) -> Array:
        """Return the numbers of an attribute; those left out at the end have their defaults."""
        return np.array(self.floats(place, attributes, name, default))

    def floats(
        self, place: str, attributes: Texts, name: str, default: Default = None
    ) -> tuple[float, ...]:
        """Return the numbers of an attribute as they are, as `numbers` does as an array.

        `default` is for those whose default depends on their element.
        """
        text = attributes.get(name)
        default = ATTRIBUTES[name].default if default is None else default
        if text is None:
            return default
        found = floats(text)
        if found is None or not 0 < len(found) <= len(default):
            expected = f"{len(default)} numbers" if len(default) > 1 else "a number"
            self.findings.append(BAD_VALUE(place, name=name, expected=expected))
            return default
        return (*found, *default[len(found) :])

    def number(
        self, place: str, attributes: Texts, name: str, default: float | None = None
    ) -> float:
        """Return the number of an attribute."""
        return self.floats(place, attributes, name, None if default is None else (default,))[0]

    def list_of(self, place: str, attributes: Texts, name: str) -> list[float]:
        """Return all numbers of an attribute, however many there are."""
        found = floats(attributes[name]) if name in attributes else []
        if found is None:
            self.findings.append(BAD_VALUE(place, name=name, expected="numbers"))
        return found or []

    def pose(self, place: str, attributes: Texts) -> Array:
        """Return the matrix (4, 4) of `pos` and the orientation of an element."""
        pose: Array = self.poses([(place, attributes)])[0]
        return pose

    def poses(self, elements: Sequence[tuple[str, Mapping[str, str]]]) -> Array:
        """Return the matrices (n, 4, 4) of `pos` and the orientation of elements."""
        return matrices_of([self.place(*each) for each in elements])

    def place(self, place: str, attributes: Texts) -> Place:
        """Return `pos` and the orientation of an element."""
        return (
            self.floats(place, attributes, "pos"),
            self._rotation(place, attributes),
        )

    def _rotation(self, place: str, attributes: Texts) -> Rotation:
        """Return the orientation of an element, x y z w."""
        for name, count in ORIENTATIONS.items():
            if name not in attributes:
                continue
            found = floats(attributes[name])
            if found is not None and len(found) == count:
                angle, sequence = self.compiler.angle, self.compiler.euler_sequence
                rotation = rotation_of(name, found, angle=angle, sequence=sequence)
                if rotation is not None:
                    return rotation
            self.findings.append(BAD_VALUE(place, name=name, expected="an orientation"))
        return NO_TURN

    def _collect(self, top: ET.Element) -> None:
        """Gather the defaults of a class and of those within it."""
        stack = [(top, self._defaults[_MAIN], self._laws[_MAIN], top.get("class", _MAIN))]
        while stack:
            element, inherited, laws, name = stack.pop()
            own = {kind: dict(members) for kind, members in inherited.items()}
            kinds = [child.tag for child in element if child.tag in ACTUATORS - {"general"}]
            for child in element:
                if child.tag in ACTUATORS:
                    shared = {n: v for n, v in child.attrib.items() if n in _OF_ALL_ACTUATORS}
                    own[_SHARED] = own.get(_SHARED, {}) | shared
                # Shortcuts of a class share one law, that of the last.
                is_lost = child.tag in kinds and child.tag != kinds[-1]
                if child.tag != "default" and not is_lost:
                    own[child.tag] = own.get(child.tag, {}) | dict(child.attrib)
            laws = _laws_of(element, laws)
            self._defaults[name], self._laws[name] = own, laws
            if element is top:
                self._defaults[_MAIN], self._laws[_MAIN] = own, laws
            stack += [(c, own, laws, c.get("class", "")) for c in element.findall("default")]

    def _compile(self, element: ET.Element) -> None:
        options, compiler = element.attrib, self.compiler
        if "angle" in options:
            compiler.angle = 1.0 if options["angle"] == "radian" else math.radians(1.0)
        sequence = options.get("eulerseq", compiler.euler_sequence)
        if len(sequence) == 3 and set(sequence.lower()) <= set("xyz"):
            compiler.euler_sequence = sequence
        if "autolimits" in options:
            compiler.has_auto_limits = options["autolimits"] == "true"
        compiler.inertia_from_geom = options.get("inertiafromgeom", compiler.inertia_from_geom)
        compiler.mesh_folder = options.get("meshdir", options.get("assetdir", compiler.mesh_folder))
        groups = compiler.inertia_groups
        low, high = self.numbers("compiler", options, "inertiagrouprange", groups).tolist()
        compiler.inertia_groups = (int(low), int(high))
        if "fitaabb" in options:
            compiler.fits_bounds = options["fitaabb"] == "true"
        if "balanceinertia" in options:
            compiler.balances_inertia = options["balanceinertia"] == "true"
        least = compiler.least_mass, compiler.least_inertia
        compiler.least_mass = self.number("compiler", options, "boundmass", least[0])
        compiler.least_inertia = self.number("compiler", options, "boundinertia", least[1])
        compiler.total_mass = self.number("compiler", options, "settotalmass", compiler.total_mass)


def _laws_of(element: ET.Element, around: tuple[_Law, ...]) -> tuple[_Law, ...]:
    """Return the laws of a class and of those around it, its own first.

    A class has one law, that of its last actuator.
    """
    own: tuple[_Law, ...] = ()
    for child in element:
        if child.tag == "general":
            law = (*own, *around)[0].words if own or around else {}
            own = (_Law("general", law | dict(child.attrib)),)
        elif child.tag in ACTUATORS:
            law = _words_of(child.tag, (*own, *around))
            law = {key: value for key, value in law.items() if not _is_instead(key, child)}
            own = (_Law(child.tag, _as_general(child.tag, law | dict(child.attrib))),)
    return (*own, *around)


def _as_general(kind: str, own: Mapping[str, str]) -> dict[str, str]:
    """Return the law of a shortcut in the words of a general actuator."""
    if kind not in ("position", "velocity"):
        return {"gainprm": "1", "biastype": "none"}
    gain = own.get(_SHORTCUTS[kind], "1")
    damping = own.get("dampratio") or f"-{own.get('kv', '0')}"
    bias = f"0 -{gain} {damping}" if kind == "position" else f"0 0 -{gain}"
    return {"gainprm": gain, "biastype": "affine", "biasprm": bias}


def _words_of(kind: str, laws: Sequence[_Law]) -> dict[str, str]:
    """Return the law that a shortcut takes from its class, else from the next one around it.

    It takes none of other shortcuts.
    """
    words = next((law.words for law in laws if law.kind in (kind, "general")), {})
    gain, bias, filter_ = (
        (floats(words.get(f"{name}prm", "")) or [0.0]) for name in ("gain", "bias", "dyn")
    )
    found: dict[str, str] = {}
    if "gainprm" in words:
        found[_SHORTCUTS.get(kind, "")] = repr(gain[0])
    if kind in ("position", "intvelocity") and len(bias) > _DAMPING and bias[_DAMPING]:
        damping = bias[_DAMPING]
        found["kv" if damping < 0.0 else "dampratio"] = repr(abs(damping))
    if kind == "cylinder":
        found |= {"bias": words["biasprm"]} if "biasprm" in words else {}
        found |= {"timeconst": repr(filter_[0])} if "dynprm" in words else {}
    return found


def _is_instead(name: str, element: ET.Element) -> bool:
    """Return whether an element says the other one of damping and its ratio."""
    return {"kv": "dampratio", "dampratio": "kv"}.get(name) in element.attrib


def matrices_of(places: Sequence[Place]) -> Array:
    """Return the matrices (n, 4, 4) of places."""
    positions = np.array([position for position, _ in places]).reshape(len(places), 3)
    rotations = np.array([rotation for _, rotation in places]).reshape(len(places), 4)
    return matrix_from_pose(Pose(positions, rotations))


def floats(text: str) -> list[float] | None:
    """Return usable numbers, None where the text holds anything else."""
    try:
        found = list(map(float, text.split()))
    except ValueError:
        return None
    return found if are_usable(found) else None
