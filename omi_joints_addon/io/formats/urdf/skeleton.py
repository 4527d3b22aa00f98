"""Which link is whose child, what is a body, and where every link is at the zero of all joints."""

from collections.abc import Iterable, Sequence

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import MotionType
from ....core.model.pose import Array
from ..origins import matrices_of_origins
from .carrying import CarriedRobot, matrices_of
from .document import JointElement, Robot
from .rules import CIRCLE, LEFT_OUT, SECOND_PARENT, SEVERAL_ROOTS

_MOST_NAMES = 5
_ORIGIN = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)


class Skeleton:
    """The tree of a robot's links. `base` is "auto", "fixed" or "floating"."""

    def __init__(self, robot: Robot, kept: CarriedRobot, *, base: str) -> None:
        self.findings: list[Finding] = []
        self._masses = {
            link.name: link.inertial is not None and link.inertial.mass > 0.0
            for link in robot.links
        }
        self._base = base
        self._kept = kept
        self.joints = self._usable(robot.joints)
        self.parents: dict[str, str] = {}
        """Parent of each link that has one."""
        self._joint_of: dict[str, JointElement] = {}
        """Joint of each link to its parent."""
        self._places: dict[str, Array] = {}
        """Matrix of each of these links in its parent."""
        self._hang()
        self.roots = [name for name in self._masses if name not in self.parents]
        self.order: list[str] = []
        """Links, each after its parent."""
        self.matrices: dict[str, Array] = {}
        """World matrix of each link that is in a tree."""
        self._place(self.roots)
        self._open_circles()
        self.findings += [SEVERAL_ROOTS(name, count=len(self.roots)) for name in self.roots[1:]]
        self.holders: dict[str, str] = {}
        """Link that holds each link that is not a body."""
        self._types: dict[str, str] = {}
        self._find_bodies()

    def motion_type_of(self, link: str) -> str | None:
        """Return how the body of a link moves, None for a link that is not a body."""
        return self._types.get(link)

    def frame_joints(self) -> dict[str, str]:
        """Return the names of the fixed joints that hold links which are not bodies, by link."""
        return {link: self._joint_of[link].name for link in self.holders if link in self._joint_of}

    def body_of(self, link: str) -> str:
        """Return the link that is the body which a link is part of."""
        while link not in self._types:
            link = self.holders[link]
        return link

    def frames_of(self, elements: Sequence[JointElement]) -> Array:
        """Return the world matrices (n, 4, 4) of joints as their parents have them."""
        parents = np.array([self.matrices[element.parent] for element in elements])
        origins = matrices_of_origins([element.origin for element in elements])
        return parents.reshape(-1, 4, 4) @ origins

    def _usable(self, joints: Iterable[JointElement]) -> list[JointElement]:
        found = []
        for element in joints:
            missing = [n for n in (element.parent, element.child) if n not in self._masses]
            if missing:
                problem = f"the link {missing[0]!r} does not exist"
                self.findings.append(LEFT_OUT(element.name, problem=problem))
            else:
                found.append(element)
        return found

    def _hang(self) -> None:
        for element in self.joints:
            if element.child in self.parents:
                self.findings.append(SECOND_PARENT(element.name, child=element.child))
            else:
                self.parents[element.child] = element.parent
                self._joint_of[element.child] = element
        places = matrices_of_origins([element.origin for element in self._joint_of.values()])
        self._places = dict(zip(self._joint_of, places, strict=True))

    def _place(self, roots: Sequence[str]) -> None:
        """Record order and matrices of links and of all below them."""
        children: dict[str, list[str]] = {}
        for child, parent in self.parents.items():
            children.setdefault(parent, []).append(child)
        kept = self._kept.roots
        matrices = matrices_of([kept.get(name, _ORIGIN) for name in roots])
        front = [*zip(reversed(roots), reversed(matrices), strict=True)]
        while front:
            name, matrix = front.pop()
            self.order.append(name)
            self.matrices[name] = matrix
            front += [
                (child, matrix @ self._places[child]) for child in reversed(children.get(name, ()))
            ]

    def _open_circles(self) -> None:
        """Have the last joint of each circle close a loop, so that its link is a root."""
        numbers = {id(element): number for number, element in enumerate(self.joints)}
        for name in self._masses:
            if name in self.matrices:
                continue
            circle = self._circle_above(name)
            last = max(circle, key=lambda link: numbers[id(self._joint_of[link])])
            more = f" and {len(circle) - _MOST_NAMES} more" if len(circle) > _MOST_NAMES else ""
            names = ", ".join(circle[:_MOST_NAMES]) + more
            self.findings.append(CIRCLE(self._joint_of[last].name, names=names))
            del self.parents[last], self._joint_of[last]
            self.roots.append(last)
            self._place([last])

    def _circle_above(self, link: str) -> list[str]:
        """Return the links of the circle that a link is in or below."""
        above: dict[str, None] = {}
        while link not in above:
            above[link] = None
            link = self.parents[link]
        names = list(above)
        return names[names.index(link) :]

    def _find_bodies(self) -> None:
        for name in self.order:
            joint, kept = self._joint_of.get(name), self._kept.bodies.get(name)
            if kept is not None:
                self._types[name] = kept.motion.type
            elif joint is None:
                self._find_root(name)
            elif name in self.holders or name in self._types:
                continue
            elif joint.type == "fixed" and not self._masses[name]:
                self.holders[name] = joint.parent
            else:
                self._types[name] = MotionType.DYNAMIC

    def _find_root(self, name: str) -> None:
        """Find the body of a root link.

        Where it floats and has no mass, that is the first link with mass which is fixed to it.
        """
        if not self._is_floating(name):
            self._types[name] = MotionType.STATIC
            return
        self._types[name] = MotionType.DYNAMIC
        if self._masses[name]:
            return
        body = self._fixed_body_of(name)
        if body is None:
            return
        del self._types[name]
        self._types[body] = MotionType.DYNAMIC
        link = body
        while link != name:
            self.holders[self.parents[link]] = link
            link = self.parents[link]

    def _is_floating(self, name: str) -> bool:
        if self._base != "auto" and name != self._kept.world:
            return self._base == "floating"
        return self._masses[name] and name != "world"

    def _fixed_body_of(self, root: str) -> str | None:
        reached = {root}
        for name in self.order:
            joint = self._joint_of.get(name)
            if joint is None or joint.type != "fixed" or joint.parent not in reached:
                continue
            if self._masses[name]:
                return name
            reached.add(name)
        return None
