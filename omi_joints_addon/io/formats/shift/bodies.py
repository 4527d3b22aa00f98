"""Nodes of a scene from a Shift layout: assemblies, bodies with their frames, frames of joints."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ....core.model.body import Collider, Motion, MotionType, Quaternion, Vector
from ....core.model.numbers import double
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, cross
from ....core.model.scene_builder import SceneBuilder
from ....core.model.shape import Convex
from ....core.shapes.inertia import principal_axes
from ..format import Source
from .carried import carried_motion
from .geometry import Geometry
from .layout import ORIGIN, Assembly, Body, Layout, numbers_of
from .lights import ShiftLight
from .rules import CARRIED_MEMBER, IMPOSSIBLE_INERTIA, WRONG_TYPE
from .velocities import Velocity

_LARGEST = 1e300
"""Moments [kg·m²] whose sums are still numbers."""
_MOMENTS = ("Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Izx")


class SceneBodies:
    """Makes nodes, parents before children; names that are taken get a number."""

    def __init__(
        self,
        layout: Layout,
        source: Source,
        worlds: Mapping[Body, Array],
        velocities: Mapping[Body, Velocity],
        used: Collection[tuple[Body, str]],
    ) -> None:
        """Make the nodes of assemblies, bodies, and the frames that joints have not `used`."""
        self.findings = layout.findings
        self.worlds = worlds
        self._units = layout.units
        self._taken: dict[str, int] = {}
        self.names_of: dict[Body | Assembly, str] = {}
        """Names of the nodes of bodies and assemblies."""
        self._geometry = Geometry(source, layout.findings)
        self.build = SceneBuilder(meshes=self._geometry.meshes)
        """Scene with the nodes."""
        self._nodes: dict[Body, int] = {}
        self._used = used
        places: list[int] = []
        for each in layout.assemblies:
            parent = places[each.parent] if each.parent >= 0 else -1
            places.append(self._node(each.name, parent, np.eye(4)))
            self.names_of[each] = self.build.names[-1]
        for body in layout.bodies:
            self._body(body, places[body.assembly] if body.assembly >= 0 else -1, velocities)

    def carries(self) -> dict[int, frozenset[str]]:
        """Return what else nodes carry (`PhysicsScene.carries`)."""
        lights = {node: frozenset(("light",)) for node in self.build.lights}
        return lights | {node: frozenset(("collider",)) for node in self.build.colliders}

    def shine(self, lights: Sequence[ShiftLight]) -> None:
        """Add lights on nodes of their own, which are also their frames where these are alike."""
        for light in lights:
            self.build.lights[self.frame(light.name, light.body, light.matrix)] = light.light

    def frame(self, name: str, body: Body, matrix: Array) -> int:
        """Return a new node on a body, `matrix` (4, 4) in the axes of the body."""
        return self._node(name, self._nodes[body], self.worlds[body] @ matrix)

    def _node(self, name: str, parent: int, matrix: Array) -> int:
        return self.build.add(self._free(name), parent, matrix)

    def _free(self, name: str) -> str:
        count = self._taken.get(name, 0)
        self._taken[name] = count + 1
        if not count:
            return name
        numbered = f"{name}.{count:03d}"
        return self._free(name) if numbered in self._taken else self._free(numbered)

    def _body(self, body: Body, parent: int, velocities: Mapping[Body, Velocity]) -> None:
        node = self._nodes[body] = self._node(body.name, parent, self.worlds[body])
        self.names_of[body] = self.build.names[node]
        if body.assembly < 0:
            self.build.motions[node] = Motion(type=MotionType.STATIC)
        else:
            self.build.motions[node] = self._motion(body, velocities.get(body))
            visual = self._geometry.visual(body.members, body.place)
            if visual is not None:
                self.build.visuals[node] = visual
            self._collide(node, body)
        for name, matrix in body.frames.items():
            if name != ORIGIN and (body, name) not in self._used:
                self.frame(name, body, matrix)

    def _collide(self, node: int, body: Body) -> None:
        """Give a body the hull of what it shows, where the file says so."""
        kind = body.members.get("collision_geometry")
        if kind is None:
            return
        visual = self.build.visuals.get(node)
        if kind == "convex_hull" and visual is not None:
            self.build.colliders[node] = Collider(shape=Convex(mesh=visual.mesh))
        else:
            place = f"{body.place}/collision_geometry"
            self.findings.append(CARRIED_MEMBER(place, name=f"the shape {str(kind)[:40]!r}"))

    def _motion(self, body: Body, velocity: Velocity | None) -> Motion:
        members, units = body.members, self._units
        inertia = members.get("inertia", members.get("moment_of_inertia", {}))
        inertia = inertia if isinstance(inertia, dict) else {}
        mass = self._number(inertia.get("mass", members.get("mass", 1.0)), body, "mass", 1.0)
        center = numbers_of(members.get("center_of_mass", (0.0, 0.0, 0.0)), 3)
        if center is None:
            self._wrong(body, "center_of_mass", "three numbers")
            center = np.zeros(3)
        center = center * units.length
        diagonal, orientation = self._inertia(inertia, body)
        linear, angular = self._local(velocity, body, center)
        kind, gravity_factor = carried_motion(members)
        return Motion(
            type=kind,
            gravity_factor=gravity_factor,
            mass=mass * units.mass,
            center_of_mass=_vector(center),
            inertia_diagonal=diagonal,
            inertia_orientation=orientation,
            linear_velocity=linear,
            angular_velocity=angular,
        )

    def _inertia(self, members: JsonObject, body: Body) -> tuple[Vector, Quaternion]:
        xx, yy, zz, xy, yz, zx = (
            self._number(members.get(name, 0.0), body, name, 0.0) for name in _MOMENTS
        )
        tensor = np.array(((xx, xy, zx), (xy, yy, yz), (zx, yz, zz)))
        tensor *= self._units.mass * self._units.length**2
        nothing = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
        if not tensor.any():
            return nothing
        if np.abs(tensor).max() > _LARGEST:
            self.findings.append(IMPOSSIBLE_INERTIA(body.place, moments="beyond all numbers"))
            return nothing
        moments, turn = principal_axes(tensor)
        largest = float(moments.max())
        if moments.min() < 0.0 or largest > (moments.sum() - largest) * (1.0 + 1e-9):
            shown = ", ".join(f"{moment:.4g}" for moment in moments)
            self.findings.append(IMPOSSIBLE_INERTIA(body.place, moments=shown))
        x, y, z, w = turn.tolist()
        return _vector(moments), (x, y, z, w)

    def _local(self, velocity: Velocity | None, body: Body, center: Array) -> tuple[Vector, Vector]:
        """Return the velocity of the center of mass and the angular one in the body's axes."""
        if velocity is None:
            return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        axes = self.worlds[body][:3, :3]
        linear, angular = velocity
        linear = linear + cross(angular, axes @ center)
        return _vector(linear @ axes), _vector(angular @ axes)

    def _number(self, value: object, body: Body, name: str, default: float) -> float:
        number = double(value)
        if number is None:
            self._wrong(body, name, "a number")
            return default
        return number

    def _wrong(self, body: Body, name: str, expected: str) -> None:
        self.findings.append(WRONG_TYPE(f"{body.place}/{name}", name=name, expected=expected))


def _vector(numbers: Array) -> Vector:
    x, y, z = numbers.tolist()
    return (x, y, z)
