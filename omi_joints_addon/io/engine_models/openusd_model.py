"""USD stages as OpenUSD loads them, and joints as UsdPhysics says that they move."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...core.model.pose import Array
from ..formats.beside import Folders
from ..formats.format import UnreadableError
from ..formats.usd.opening import stage_within
from ..formats.usd.pxr_access import UsdMissingError, usd
from .matrices import about, rigid, rotation
from .model import (
    EngineBody,
    EngineCollider,
    EngineModel,
    LoadError,
    Positions,
    screw,
)
from .openusd_joints import JointNumbers, StageJoint
from .openusd_shapes import AXES, shape_of

_ACTUATORS = frozenset({"MjcActuator", "NewtonActuator"})
"""Types of prims that are controls."""
_ALL = 6
"""Axes of a joint that holds nothing."""


def loaded(path: Path, folders: tuple[Path, ...] = ()) -> EngineModel:
    """Return the model of a stage, which may refer to its own folder and to these.

    Raises `LoadError`, and `ImportError` without OpenUSD.
    """
    try:
        pxr = usd()
    except UsdMissingError as error:
        raise ImportError(str(error)) from error
    try:
        stage, _ = stage_within(pxr, path, Folders(path, folders, {}))
    except (pxr.Tf.ErrorException, UnreadableError) as error:
        raise LoadError(str(error).splitlines()[0]) from error
    return _Loaded(stage).model()


class _Loaded:
    def __init__(self, stage: Any) -> None:
        from pxr import Usd, UsdGeom, UsdPhysics  # type: ignore[import-not-found]

        self._stage = stage
        self._physics = UsdPhysics
        self._meters = float(UsdGeom.GetStageMetersPerUnit(stage))
        self._kilograms = float(UsdPhysics.GetStageKilogramsPerUnit(stage))
        self._version = ".".join(map(str, Usd.GetVersion()))
        up = UsdGeom.GetStageUpAxis(stage)
        self._up = np.eye(4)
        if up == UsdGeom.Tokens.y:
            self._up[:3, :3] = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
        self._cache = UsdGeom.XformCache()
        proxies = Usd.PrimRange.Stage(stage, Usd.TraverseInstanceProxies())
        self._prims = [prim for prim in proxies if prim.IsActive()]
        bodies = [prim for prim in self._prims if prim.HasAPI(UsdPhysics.RigidBodyAPI)]
        self._bodies = bodies
        self._numbers = {prim.GetPath(): number for number, prim in enumerate(bodies)}
        self._scaled = [self._world(prim) for prim in bodies]
        self._rest = [rigid(matrix) for matrix in self._scaled]
        prims = [prim for prim in self._prims if prim.IsA(UsdPhysics.Joint)]
        actuators = [prim for prim in self._prims if str(prim.GetTypeName()) in _ACTUATORS]
        self._names = _names(bodies) | _names(prims) | _names(actuators)
        self._joints = [joint for prim in prims if (joint := self._joint(prim)) is not None]
        self._held = self._world_bodies()
        self._paths: dict[int, tuple[str, ...]] = {}
        """The joints from a root to each body, as `_placed` finds them."""

    def model(self) -> EngineModel:
        numbers = JointNumbers(self._physics, self._meters, self._kilograms, self._prims)
        moving = [joint for joint in self._joints if 0 < len(joint.axes) < _ALL]
        self._placed({})
        return EngineModel(
            engine=f"OpenUSD {self._version}",
            joints={joint.name: numbers.of(joint, self._screws(joint)) for joint in moving},
            bodies=lambda positions: tuple(self._engine_bodies(self._placed(positions))),
            actuators=dict(self._actuators()),
            commanded=frozenset(self._commanded()),
            driven=frozenset(self._driven()),
            poses=self._poses,
        )

    def _world(self, prim: Any) -> Array:
        """Return the world matrix of a prim (4, 4), with Z up and in meters."""
        matrix = np.array(self._cache.GetLocalToWorldTransform(prim), float).T
        matrix[:3] *= self._meters
        return np.asarray(self._up @ matrix)

    def _world_bodies(self) -> set[int]:
        """Return the bodies that cannot move: static ones and what is fixed to the world."""
        held = {n for n, prim in enumerate(self._bodies) if not self._is_dynamic(prim)}
        count = -1
        while len(held) != count:
            count = len(held)
            for joint in self._joints:
                pair = {*joint.bodies}
                if joint.kind == "fixed" and pair & {-1, *held}:
                    held |= pair - {-1}
        return held

    def _is_dynamic(self, prim: Any) -> bool:
        body = self._physics.RigidBodyAPI(prim)
        is_enabled = bool(body.GetRigidBodyEnabledAttr().Get())
        return is_enabled and not body.GetKinematicEnabledAttr().Get()

    def _joint(self, prim: Any) -> StageJoint | None:
        joint = self._physics.Joint(prim)
        if not joint.GetJointEnabledAttr().Get() or joint.GetExcludeFromArticulationAttr().Get():
            return None
        sides = [self._side(joint, number) for number in (0, 1)]
        if sides[0] is None or sides[1] is None:
            return None
        kind, axes = self._kind(prim)
        (one, first), (two, second) = sides[0], sides[1]
        return StageJoint(
            name=self._names[prim.GetPath()],
            prim=prim,
            bodies=(one, two),
            frames=(first, second),
            axes=axes,
            kind=kind,
        )

    def _side(self, joint: Any, number: int) -> tuple[int, Array] | None:
        """Return body and frame of a side."""
        relation = joint.GetBody0Rel() if number == 0 else joint.GetBody1Rel()
        place = joint.GetLocalPos0Attr() if number == 0 else joint.GetLocalPos1Attr()
        turn = joint.GetLocalRot0Attr() if number == 0 else joint.GetLocalRot1Attr()
        targets = relation.GetTargets()
        frame = np.eye(4)
        quaternion = turn.Get()
        frame[:3, :3] = rotation(quaternion.GetReal(), *quaternion.GetImaginary())
        frame[:3, 3] = tuple(place.Get())
        if not targets:
            frame[:3, 3] *= self._meters
            return -1, self._up @ frame
        prim = joint.GetPrim().GetStage().GetPrimAtPath(targets[0])
        body = prim
        while body and body.GetPath() not in self._numbers:
            body = body.GetParent()
        world = self._world(prim) if prim else np.eye(4)
        placed = rigid(world)
        placed[:3, :3] = placed[:3, :3] @ frame[:3, :3]
        placed[:3, 3] = (world @ frame[:, 3])[:3]
        if not body:
            return -1, placed
        own = self._numbers[body.GetPath()]
        return own, np.linalg.inv(self._rest[own]) @ placed

    def _kind(self, prim: Any) -> tuple[str, tuple[int, ...]]:
        physics = self._physics
        if prim.IsA(physics.FixedJoint):
            return "fixed", ()
        for schema, kind in ((physics.RevoluteJoint, "hinge"), (physics.PrismaticJoint, "slide")):
            if prim.IsA(schema):
                axis = AXES.get(str(schema(prim).GetAxisAttr().Get()), 0)
                return kind, (axis + 3 if kind == "hinge" else axis,)
        if prim.IsA(physics.SphericalJoint):
            return "ball", (3, 4, 5)
        dofs = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")
        limits = [physics.LimitAPI(prim, dof) for dof in dofs]
        free = tuple(
            n
            for n, (dof, limit) in enumerate(zip(dofs, limits, strict=True))
            if not prim.HasAPI(physics.LimitAPI, dof)
            or limit.GetLowAttr().Get() <= limit.GetHighAttr().Get()
        )
        if len(free) == 1:
            return ("slide" if free[0] < 3 else "hinge"), free
        return ("ball" if free == (3, 4, 5) else "free" if free else "fixed"), free

    def _placed(self, positions: Positions) -> list[Array]:
        """Return the world matrices of all bodies, joint by joint from what is held."""
        found: dict[int, Array] = {n: self._rest[n] for n in self._held}
        waiting, roots = [*self._joints], [*range(len(self._bodies))]
        while len(found) < len(self._bodies):
            rest = [joint for joint in waiting if not self._step(joint, found, positions)]
            if len(rest) == len(waiting):
                root = next(n for n in roots if n not in found)
                found[root] = self._rest[root]
            waiting = rest
        return [found[n] for n in range(len(self._bodies))]

    def _step(self, joint: StageJoint, found: dict[int, Array], positions: Positions) -> bool:
        """Place the other body of a joint; return whether the joint has nothing more to place."""
        one, two = (body < 0 or body in found for body in joint.bodies)
        if one == two:
            return one
        motion = np.eye(4)
        value = positions.get(joint.name, 0.0)
        if joint.kind == "slide":
            motion[joint.axis, 3] = value
        elif joint.kind == "hinge":
            motion[:3, :3] = about(joint.axis, value)
        elif joint.kind != "fixed":
            motion = self._present(joint)
        known, other = (0, 1) if one else (1, 0)
        motion = motion if one else np.linalg.inv(motion)
        base = np.eye(4) if joint.bodies[known] < 0 else found[joint.bodies[known]]
        matrix = base @ joint.frames[known] @ motion @ np.linalg.inv(joint.frames[other])
        found[joint.bodies[other]] = matrix
        own = (joint.name,) if 0 < len(joint.axes) < _ALL else ()
        self._paths[joint.bodies[other]] = (*self._paths.get(joint.bodies[known], ()), *own)
        return True

    def _present(self, joint: StageJoint) -> Array:
        """Return the second frame in the first one as the stage has it."""
        one, two = (
            (np.eye(4) if body < 0 else self._rest[body]) @ frame
            for body, frame in zip(joint.bodies, joint.frames, strict=True)
        )
        return np.asarray(np.linalg.inv(one) @ two)

    def _poses(self, positions: Positions) -> Mapping[str, Array]:
        placed = self._placed(positions)
        return {self._names[prim.GetPath()]: placed[n] for n, prim in enumerate(self._bodies)}

    def _screws(self, joint: StageJoint) -> Array:
        """Return the motions of a joint with the stage at rest."""
        body, frame = joint.bodies[0], joint.frames[0]
        matrix = frame if body < 0 else self._rest[body] @ frame
        return np.array(
            [screw(matrix[:3, axis % 3], matrix[:3, 3], turns=axis > 2) for axis in joint.axes]
        )

    def _actuators(self) -> Iterator[tuple[str, str]]:
        for prim in self._prims:
            if str(prim.GetTypeName()) in _ACTUATORS:
                yield self._names[prim.GetPath()], str(prim.GetTypeName())

    def _driven(self) -> Iterator[str]:
        api = self._physics.DriveAPI
        names = ("angular", "linear", "rotX", "rotY", "rotZ", "transX", "transY", "transZ")
        for joint in self._joints:
            if any(joint.prim.HasAPI(api, name) for name in names):
                yield joint.name

    def _commanded(self) -> Iterator[str]:
        for prim in self._prims:
            if str(prim.GetTypeName()) in _ACTUATORS:
                for relation in prim.GetRelationships():
                    for target in relation.GetTargets():
                        yield self._names.get(target, str(target))

    def _engine_bodies(self, placed: list[Array]) -> Iterator[EngineBody]:
        groups: dict[int, set[int]] = {}
        of = {n: n for n in range(len(self._bodies)) if n not in self._held}
        for joint in self._joints:
            one, two = joint.bodies
            if joint.kind == "fixed" and one in of and two in of:
                old, new = of[two], of[one]
                of = {n: new if root == old else root for n, root in of.items()}
        for number, root in of.items():
            groups.setdefault(root, set()).add(number)
        for numbers in groups.values():
            yield self._engine_body(sorted(numbers), placed)

    def _engine_body(self, numbers: list[int], placed: list[Array]) -> EngineBody:
        parts = [self._inertia(number, placed[number]) for number in numbers]
        known = [part for part in parts if part is not None]
        mass = sum(part[0] for part in known) if len(known) == len(parts) else None
        center = placed[numbers[0]][:3, 3]
        tensor = None
        if mass:
            center = sum((part[0] * part[1] for part in known), np.zeros(3)) / mass
            tensor = _summed(known, center)
        return EngineBody(
            names=frozenset(self._names[self._bodies[number].GetPath()] for number in numbers),
            path=min((self._paths.get(number, ()) for number in numbers), key=len),
            mass=mass,
            center=np.asarray(center),
            tensor=tensor,
            colliders=tuple(self._colliders(numbers, placed)),
        )

    def _inertia(self, number: int, matrix: Array) -> tuple[float, Array, Array | None] | None:
        """Return mass, center and tensor of a body in the world, None where shapes make them."""
        api = self._physics.MassAPI(self._bodies[number])
        mass = float(api.GetMassAttr().Get() or 0.0) * self._kilograms
        if not mass:
            return None
        place = api.GetCenterOfMassAttr().Get()
        scale = np.linalg.inv(self._rest[number]) @ self._scaled[number]
        local = np.zeros(3) if place is None or not np.isfinite(place).all() else np.array(place)
        center = (matrix @ scale @ (*local, 1.0))[:3]
        moments = api.GetDiagonalInertiaAttr().Get()
        if moments is None or not any(moments):
            return mass, center, None
        quaternion = api.GetPrincipalAxesAttr().Get()
        turn = matrix[:3, :3]
        if quaternion.GetReal() or any(quaternion.GetImaginary()):
            turn = turn @ rotation(quaternion.GetReal(), *quaternion.GetImaginary())
        units = self._kilograms * self._meters**2
        return mass, center, turn @ np.diag(np.array(moments, float) * units) @ turn.T

    def _colliders(self, numbers: list[int], placed: list[Array]) -> Iterator[EngineCollider]:
        api = self._physics.CollisionAPI
        for prim in self._prims:
            if not prim.HasAPI(api) or not api(prim).GetCollisionEnabledAttr().Get():
                continue
            body = prim
            while body and body.GetPath() not in self._numbers:
                body = body.GetParent()
            number = self._numbers[body.GetPath()] if body else -1
            if number in numbers:
                moved = placed[number] @ np.linalg.inv(self._rest[number]) @ self._world(prim)
                found = shape_of(prim, moved)
                if found is not None:
                    yield found


def _summed(parts: list[tuple[float, Array, Array | None]], center: Array) -> Array | None:
    """Return the tensor of bodies together about a point, None where shapes make one of them."""
    total = np.zeros((3, 3))
    for mass, place, tensor in parts:
        if tensor is None:
            return None
        arm = place - center
        total += tensor + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return total


def _names(prims: Iterable[Any]) -> dict[Any, str]:
    """Return the names of prims by their paths, numbered where several have one.

    It is the shown name where that is not the one of the path.
    """
    found, counts = dict[Any, str](), Counter[str]()
    for prim in prims:
        name = str(prim.GetDisplayName() or prim.GetName())
        found[prim.GetPath()] = f"{name}_{counts[name]}" if counts[name] else name
        counts[name] += 1
    return found
