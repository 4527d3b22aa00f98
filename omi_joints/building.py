"""Scenes from nothing: bodies with shapes, and joints with a pivot and an axis.

The child of a joint moves along the axis, or counterclockwise about it, where positions grow.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model import scene_builder
from omi_joints_addon.core.model.body import Collider, Motion, MotionType
from omi_joints_addon.core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.mesh import Mesh, MeshData, Visual
from omi_joints_addon.core.model.pose import Array, rotation_matrix
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    MeshShape,
    Shape,
    Sphere,
    Trimesh,
)
from omi_joints_addon.core.rewrite.turning import frames_of_axes
from omi_joints_addon.core.shapes.hull import convex_hull
from omi_joints_addon.core.shapes.inertia import Solid, convex_solid, mesh_solid, primitive_solid

from .scene import Scene

Color = tuple[float, float, float, float]
_X, _Z = 0, 2
_UP = (0.0, 0.0, 1.0)


class MeshSolid(NamedTuple):
    """A shape of a mesh, as `hull` and `mesh` make it."""

    shape: MeshShape
    data: MeshData


class Motor(NamedTuple):
    """A motor that turns or slides a joint."""

    velocity: float
    """[rad/s or m/s]."""
    max_force: float = math.inf
    """Largest torque or force [N·m or N]."""
    damping: float = 10.0
    """Torque or force for what is missing of the velocity [N·m·s/rad or N·s/m]."""


class Spring(NamedTuple):
    """A spring that pulls a joint to a position."""

    stiffness: float
    """[N·m/rad or N/m]."""
    damping: float = 0.0
    """[N·m·s/rad or N·s/m]."""
    target: float = 0.0
    """[rad or m]."""
    max_force: float = math.inf
    """Largest torque or force [N·m or N]."""


def box(size: Sequence[float]) -> Box:
    """Return a box by its full extents [m]."""
    x, y, z = size
    return Box(size=(float(x), float(y), float(z)))


def sphere(radius: float) -> Sphere:
    """Return a sphere [m]."""
    return Sphere(radius=radius)


def capsule(radius: float, height: float) -> Capsule:
    """Return a capsule on Z; `height` [m] is between the centers of its two spheres."""
    return Capsule(height=height, radius_bottom=radius, radius_top=radius)


def cylinder(radius: float, height: float) -> Cylinder:
    """Return a cylinder on Z [m]."""
    return Cylinder(height=height, radius_bottom=radius, radius_top=radius)


def hull(points: ArrayLike) -> MeshSolid:
    """Return the convex hull of points (n, 3) [m]; raises `ValueError` where they are flat."""
    corners = np.asarray(points, float)
    triangles = convex_hull(corners)
    if not len(triangles):
        raise ValueError("the points are in one plane, so their hull has no volume")
    return MeshSolid(Convex(), MeshData(corners, triangles))


def mesh(points: ArrayLike, triangles: ArrayLike) -> MeshSolid:
    """Return the triangles (t, 3) between points (n, 3) [m], for what does not move."""
    indices: NDArray[np.intp] = np.asarray(triangles, np.intp)
    return MeshSolid(Trimesh(), MeshData(np.asarray(points, float), indices))


@dataclass(slots=True, eq=False)
class SceneBuilder(scene_builder.SceneBuilder):
    """A scene that grows: bodies and joints by name, or nodes one by one."""

    def add_body(
        self,
        name: str,
        *,
        pose: ArrayLike = (0.0, 0.0, 0.0),
        shape: Shape | MeshSolid | None = None,
        mass: float | None = None,
        density: float | None = None,
        parent: str | None = None,
        motion: MotionType = MotionType.DYNAMIC,
        color: Color | None = None,
    ) -> int:
        """Add a body and return its node.

        `pose` is a place (3,) [m] or a matrix (4, 4) in the world, or in the body `parent` where
        this one is nested below it. With `density` [kg/m³] the mass is that of the shape, else it
        is `mass` [kg], 1 by default. The shape is what collides and what is seen, in a `color` of
        linear red, green, blue and alpha. Raises `ValueError` for a name that exists, and for a
        density without a volume.
        """
        if name in self.names:
            raise ValueError(f"{name!r} already exists; choose another name")
        above = -1 if parent is None else self._body(parent)
        outer = np.eye(4) if above < 0 else self.matrices[above]
        node = self.add(name, above, outer @ _matrix(pose))
        if density is not None:
            mass = density * self._volume(name, shape)
        self.motions[node] = Motion(type=motion, mass=1.0 if mass is None else mass)
        if isinstance(shape, MeshSolid):
            self.meshes.append(Mesh(name=name, read=partial(_same, shape.data)))
            shape = replace(shape.shape, mesh=len(self.meshes) - 1)
        if shape is not None:
            number = shape.mesh if isinstance(shape, MeshShape) else None
            seen = Visual(mesh=number, shape=shape if number is None else None, color=color)
            # Nodes of their own, as most formats have shapes.
            self.colliders[self.add(f"{name} shape", node, self.matrices[node])] = Collider(
                shape=shape
            )
            self.visuals[self.add(f"{name} visual", node, self.matrices[node])] = seen
        return node

    def fixed(self, name: str, parent: str | None, child: str) -> int:
        """Weld a body to another, None for the world, and return the joint's number."""
        return self._joint(name, parent, child, presets.fixed(), self._place(child), _UP, _Z)

    def hinge(
        self,
        name: str,
        parent: str | None,
        child: str,
        *,
        pivot: Sequence[float],
        axis: Sequence[float] = _UP,
        lower: float = -math.inf,
        upper: float = math.inf,
        motor: Motor | None = None,
        spring: Spring | None = None,
    ) -> int:
        """Let a body turn about an axis at a pivot [m] between angles [rad]; return the number.

        Pivot and axis are in the world; `parent` None is the world.
        """
        settings = presets.hinge(axis=_Z, min_angle=lower, max_angle=upper)
        settings = _driven(settings, DriveType.ANGULAR, _Z, motor, spring)
        return self._joint(name, parent, child, settings, pivot, axis, _Z)

    def slider(
        self,
        name: str,
        parent: str | None,
        child: str,
        *,
        axis: Sequence[float],
        pivot: Sequence[float] | None = None,
        lower: float = -math.inf,
        upper: float = math.inf,
        motor: Motor | None = None,
        spring: Spring | None = None,
    ) -> int:
        """Let a body slide along an axis between distances [m] and return the joint's number.

        `pivot` is where the joint is drawn, the child's own place by default.
        """
        settings = presets.slider(axis=_X, min_distance=lower, max_distance=upper)
        settings = _driven(settings, DriveType.LINEAR, _X, motor, spring)
        place = self._place(child) if pivot is None else pivot
        return self._joint(name, parent, child, settings, place, axis, _X)

    def ball(
        self,
        name: str,
        parent: str | None,
        child: str,
        *,
        pivot: Sequence[float],
        axis: Sequence[float] = _UP,
        cone: float = math.inf,
        twist: float = math.inf,
    ) -> int:
        """Let a body turn about a pivot [m], its axis within a cone; return the joint's number.

        `cone` is the cone's half angle and `twist` the largest rotation about the axis, either way
        [rad].
        """
        settings = presets.ball_with_cone(axis=_X, cone=cone, twist=twist)
        return self._joint(name, parent, child, settings, pivot, axis, _X)

    def rope(
        self,
        name: str,
        parent: str | None,
        child: str,
        *,
        start: Sequence[float],
        end: Sequence[float],
        length: float | None = None,
    ) -> int:
        """Tie a point of a body to a point of another and return the joint's number.

        `start` is on the parent and `end` on the child [m], in the world; they stay within `length`
        [m], by default as far apart as they are.
        """
        most = math.dist(start, end) if length is None else length
        limit = JointLimit(linear_axes=(0, 1, 2), min=-most, max=most)
        settings = JointSettings(limits=(limit,))
        return self._joint(name, parent, child, settings, end, _UP, _Z, connected=start)

    def scene(self, **others: Any) -> Scene:
        """Return the scene; `others` are fields that do not grow, such as couplings."""
        built: PhysicsScene = scene_builder.SceneBuilder.scene(self, **others)
        return Scene.of(built)

    def _joint(
        self,
        name: str,
        parent: str | None,
        child: str,
        settings: JointSettings,
        pivot: Sequence[float],
        axis: Sequence[float],
        main: int,
        *,
        connected: Sequence[float] | None = None,
    ) -> int:
        """Add both frames at pivots, the main axis along `axis`, and the joint between them."""
        if name in self.names:
            raise ValueError(f"{name!r} already exists; choose another name")
        length = float(np.linalg.norm(axis))
        if not length > 0.0:
            raise ValueError(f"{name}: the axis {tuple(axis)} has no direction")
        frame = np.eye(4)
        rotation = frames_of_axes(np.asarray(axis, float) / length, main=main)
        frame[:3, :3] = rotation_matrix(rotation)
        ends = []
        bodies = (self._body(child), -1 if parent is None else self._body(parent))
        places = (pivot, pivot if connected is None else connected)
        for label, body, place in zip((name, f"{name} connected"), bodies, places, strict=True):
            matrix = frame.copy()
            matrix[:3, 3] = place
            ends.append(self.add(label, body, matrix))
        return self.add_joint(Joint(node=ends[0], connected=ends[1], settings=settings, place=name))

    def _body(self, name: str) -> int:
        for node in self.motions:
            if self.names[node - self.first] == name:
                return node
        raise KeyError(f"no body {name!r}; add_body comes first")

    def _place(self, name: str) -> Sequence[float]:
        place: list[float] = self.matrices[self._body(name) - self.first][:3, 3].tolist()
        return place

    def _volume(self, name: str, shape: Shape | MeshSolid | None) -> float:
        solid: Solid | None = None
        if isinstance(shape, MeshSolid):
            points, triangles = shape.data.points, shape.data.triangles
            is_hull = isinstance(shape.shape, Convex)
            solid = convex_solid(points) if is_hull else mesh_solid(points, triangles)
        elif shape is not None:
            solid = primitive_solid(shape)
        if solid is None:
            raise ValueError(f"{name}: a density needs a closed shape; give the mass instead")
        return solid.volume


def _same(data: MeshData) -> MeshData:
    return data


def _matrix(pose: ArrayLike) -> Array:
    """Return the matrix of a place (3,) or a matrix (4, 4)."""
    given = np.asarray(pose, float)
    if given.shape == (4, 4):
        return given
    matrix = np.eye(4)
    matrix[:3, 3] = given
    return matrix


def _driven(
    settings: JointSettings,
    kind: DriveType,
    axis: int,
    motor: Motor | None,
    spring: Spring | None,
) -> JointSettings:
    """Return settings with drives for a motor and a spring."""
    drives = []
    if motor is not None:
        velocity, force, damping = motor
        drives.append(JointDrive(velocity_target=velocity, max_force=force, damping=damping))
    if spring is not None:
        stiffness, damping, target, force = spring
        drives.append(
            JointDrive(
                position_target=target, stiffness=stiffness, damping=damping, max_force=force
            )
        )
    drives = [replace(drive, type=kind, axis=axis) for drive in drives]
    return replace(settings, drives=tuple(drives))
