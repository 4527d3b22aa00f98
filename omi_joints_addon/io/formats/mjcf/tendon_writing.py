"""Limits that joints of MJCF do not have, as tendons: distances, cones and bounds that give way."""

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.meaning.axes import JointAxes
from ....core.model.graph import WORLD
from ....core.model.joint import JointLimit
from ....core.model.pose import Array
from ....core.model.scene import Joint, PhysicsScene
from ...documents.number_words import counted_from
from .joints import OPEN
from .printing import Attributes, numbers, placed

_AWAY = 1.0
"""How far the sites of a cone are from its tip [m]."""
_SECTION = "tendon"


class _Named(Protocol):
    """An element whose name may change until it is in its document."""

    attributes: Attributes


@dataclass(frozen=True, slots=True)
class _Site:
    body: int
    name: str
    world: Array
    """World matrix (4, 4)."""


@dataclass(frozen=True, slots=True)
class _Tendon:
    name: str
    attributes: Attributes
    ends: tuple[_Named] | tuple[_Site, _Site]
    """The joint of a fixed tendon, or the sites of a spatial one."""


class TendonWriter:
    """Gathers the tendons of limits; losses gather on the way."""

    def __init__(self, scene: PhysicsScene, losses: Losses) -> None:
        self._scene = scene
        self._losses = losses
        self._owner = scene.bodies()
        self._worlds = scene.rigid_matrices
        self._tendons: list[_Tendon] = []

    def add_soft(self, joint: _Named, limit: JointLimit, zero: float, place: str) -> None:
        """Add a soft limit along or about one axis; `zero` is added to its bounds."""
        low = max(counted_from(-zero, limit.min), -OPEN)
        high = min(counted_from(-zero, limit.max), OPEN)
        attributes = _spring(limit, low, high, 1.0)
        self._tendons.append(_Tendon(f"{place} limit", attributes, (joint,)))
        self._report_spring(limit, place)

    def has_room_for(self, limit: JointLimit, axes: JointAxes) -> bool:
        """Return whether a tendon between two sites can hold a limit over several axes.

        Distances need the axis that they leave out locked, cones all three lengths.
        """
        if limit.max == 0.0:
            return False
        left = set(range(3)) - set(limit.linear_axes)
        are_locked = all(axes.linear[axis].own.is_locked for axis in left)
        is_cone = not limit.linear_axes and len(limit.angular_axes) == 2
        return are_locked and (is_cone or not limit.angular_axes)

    def add_shared(self, joint: Joint, limit: JointLimit, place: str) -> None:
        """Add a distance or a cone."""
        assert joint.connected is not None
        low, high, scale = max(limit.min, 0.0), limit.max, 1.0
        offset = np.zeros(3)
        if limit.angular_axes:
            offset[3 - sum(limit.angular_axes)] = _AWAY
            held = high if high < math.pi else low
            scale = 1.0 / (_AWAY * math.cos(min(held, 3.0) / 2.0)) ** 2
            low = 2.0 * _AWAY * math.sin(low / 2.0)
            high = 2.0 * _AWAY * math.sin(high / 2.0) if high < math.pi else math.inf
        sites = (
            self._site(joint.node, offset, f"{place} limit a"),
            self._site(joint.connected, offset, f"{place} limit b"),
        )
        high = min(high, OPEN)
        if limit.is_rigid:
            attributes: Attributes = {"range": f"{low!r} {high!r}"}
            self._losses.same(place, Noun.LIMIT)  # a tendon holds it
            self._losses.same(place, Noun.LIMIT_SPRING)
        else:
            attributes = _spring(limit, low, high, scale)
            self._report_spring(limit, place)
        self._tendons.append(_Tendon(f"{place} limit", attributes, sites))

    def write(
        self,
        root: ET.Element,
        elements: Mapping[int, ET.Element],
        world_of: Callable[[int], Array],
        free: Callable[[str, str], str],
    ) -> None:
        """Add the tendons to a document, and their sites to the elements of bodies.

        `world_of` gives the world matrix (4, 4) of such an element, `free` a name of a kind.
        """
        if not self._tendons:
            return
        section = ET.SubElement(root, _SECTION)
        for tendon in self._tendons:
            kind = "fixed" if len(tendon.ends) == 1 else "spatial"
            attributes = {"name": free(_SECTION, tendon.name), **tendon.attributes}
            element = ET.SubElement(section, kind, attributes)
            for end in tendon.ends:
                if not isinstance(end, _Site):
                    name = end.attributes["name"]
                    ET.SubElement(element, "joint", {"joint": name, "coef": "1"})
                    continue
                pose = np.linalg.inv(world_of(end.body)) @ end.world
                name = free("site", end.name)
                holder = elements[end.body if end.body in elements else WORLD]
                where = placed(pose)
                ET.SubElement(holder, "site", {"name": name, **where, "group": "3"})
                ET.SubElement(element, "site", {"site": name})

    def _site(self, node: int, offset: Array, name: str) -> _Site:
        world = self._worlds[node].copy()
        world[:3, 3] += world[:3, :3] @ offset
        return _Site(int(self._owner[node]), name, world)

    def _report_spring(self, limit: JointLimit, place: str) -> None:
        self._losses.same(place, Noun.LIMIT)
        parts = ["its stiffness is that at the bound"] if len(limit.angular_axes) > 1 else []
        parts += ["its damping acts within the bounds, too"] if limit.damping else []
        if parts:
            text = "a tendon holds the soft limit: " + "; ".join(parts)
            self._losses.converted(place, Noun.LIMIT_SPRING, text)
        else:
            self._losses.same(place, Noun.LIMIT_SPRING)


def _spring(limit: JointLimit, low: float, high: float, scale: float) -> Attributes:
    """Return a spring that acts beyond two lengths; `scale` is that of its constants."""
    found = {
        "springlength": numbers(np.array((low, high))),
        "stiffness": repr(limit.stiffness * scale),
    }
    return found | ({"damping": repr(limit.damping * scale)} if limit.damping else {})
