"""Stages as OpenUSD composes them, and joints as UsdPhysics says that they move."""

import math
from pathlib import Path

import numpy as np
from pxr import Usd, UsdGeom, UsdPhysics, UsdShade

from tests.facts.facts import (
    WORLD,
    File,
    Moving,
    Weight,
    angle_between,
    extent,
    from_linear,
    key,
    pose,
    quaternion,
    rigid,
)

_AXES = {"X": 0, "Y": 1, "Z": 2}
_TURNED = {0: (1, 2, 0), 1: (2, 0, 1), 2: (0, 1, 2)}
"""Which columns make an axis of a round shape the third one."""


def facts(path: Path) -> File:
    return _Stage(path).facts()


class _Stage:
    def __init__(self, path: Path) -> None:
        self.stage = Usd.Stage.Open(str(path))
        assert UsdGeom.GetStageUpAxis(self.stage) == "Z"
        assert UsdGeom.GetStageMetersPerUnit(self.stage) == 1.0
        self.cache = UsdGeom.XformCache()
        self.found = File()
        self.prims = list(self.stage.Traverse())
        self.bodies = {p.GetPath(): _name(p) for p in self.prims if self._is_body(p)}

    def facts(self) -> File:
        for prim in filter(self._is_body, self.prims):
            self._add_body(prim)
        for schema, add in (
            (UsdPhysics.Scene, self._add_gravity),
            (UsdGeom.Gprim, self._add_shape),
            (UsdPhysics.Joint, self._add_joint),
        ):
            for prim in self.prims:
                if prim.IsA(schema):
                    add(prim)
        self._add_others()
        return self.found

    def _add_others(self) -> None:
        for prim in self.prims:
            if prim.GetTypeName() == "MjcActuator":
                self._add_actuator(prim)
            if pairs := prim.GetRelationship("physics:filteredPairs"):
                for path in pairs.GetTargets():
                    self.found.apart.add(frozenset((_name(prim), self.bodies.get(path, WORLD))))

    @staticmethod
    def _is_body(prim) -> bool:
        return bool(prim.HasAPI(UsdPhysics.RigidBodyAPI))

    def world(self, prim) -> np.ndarray:
        return np.array(self.cache.GetLocalToWorldTransform(prim), float).T

    def _add_gravity(self, prim) -> None:
        scene = UsdPhysics.Scene(prim)
        size = scene.GetGravityMagnitudeAttr().Get()
        way = np.array(scene.GetGravityDirectionAttr().Get(), float)
        self.found.whole["gravity"] = tuple((size * way).tolist())

    def _add_body(self, prim) -> None:
        name, matrix = _name(prim), rigid(self.world(prim))
        self.found.links[name] = matrix
        api = UsdPhysics.RigidBodyAPI(prim)
        if not api.GetRigidBodyEnabledAttr().Get() or api.GetKinematicEnabledAttr().Get():
            self.found.held.add(name)
            return
        mass = UsdPhysics.MassAPI(prim)
        moments = np.array(mass.GetDiagonalInertiaAttr().Get(), float)
        turn = matrix[:3, :3] @ _turn(mass.GetPrincipalAxesAttr().Get())
        center = np.array(mass.GetCenterOfMassAttr().Get(), float)
        self.found.weights[name] = Weight(
            float(mass.GetMassAttr().Get()),
            (self.world(prim) @ (*center, 1.0))[:3],
            turn @ np.diag(moments) @ turn.T if moments.any() else None,
        )

    def _end(self, relation, place, turn) -> tuple[str, np.ndarray]:
        frame = pose(_turn(turn.Get()), np.array(place.Get(), float))
        targets = relation.GetTargets()
        if not targets:
            return WORLD, frame
        prim = self.stage.GetPrimAtPath(targets[0])
        matrix = self.world(prim)
        frame[:3, 3] = (matrix @ (*frame[:3, 3], 1.0))[:3]
        frame[:3, :3] = rigid(matrix)[:3, :3] @ frame[:3, :3]
        while prim and prim.GetPath() not in self.bodies:
            prim = prim.GetParent()
        return self.bodies.get(prim.GetPath(), WORLD) if prim else WORLD, frame

    def _add_joint(self, prim) -> None:
        joint = UsdPhysics.Joint(prim)
        (parent, one), (child, two) = (
            self._end(joint.GetBody0Rel(), joint.GetLocalPos0Attr(), joint.GetLocalRot0Attr()),
            self._end(joint.GetBody1Rel(), joint.GetLocalPos1Attr(), joint.GetLocalRot1Attr()),
        )
        parent = WORLD if parent in self.found.held else parent
        kind = {"PhysicsRevoluteJoint": "hinge", "PhysicsPrismaticJoint": "slide"}.get(
            str(prim.GetTypeName()), "other"
        )
        kind = {"PhysicsFixedJoint": "fixed", "PhysicsSphericalJoint": "ball"}.get(
            str(prim.GetTypeName()), kind
        )
        moving = Moving(kind, parent, child)
        if kind in ("hinge", "slide"):
            axis = _AXES[prim.GetAttribute("physics:axis").Get()]
            moving.axis, moving.anchor = two[:3, axis], two[:3, 3]
            shift = one[:3, :3].T @ (two[:3, 3] - one[:3, 3])
            moving.rest = float(shift[axis]) if kind == "slide" else angle_between(one, two, axis)
            unit = math.radians(1.0) if kind == "hinge" else 1.0
            low, high = (
                prim.GetAttribute(f"physics:{end}Limit").Get() * unit for end in ("lower", "upper")
            )
            moving.range = (low, high)
            moving.values = self._values(prim, unit)
        self.found.joints[_name(prim)] = moving
        if not joint.GetCollisionEnabledAttr().Get():
            self.found.apart.add(frozenset((parent, child)))

    def _values(self, prim, unit: float) -> dict[str, object]:
        kind = "angular" if unit != 1.0 else "linear"
        stiffness = damping = pull = 0.0
        effort = math.inf
        if prim.HasAPI(UsdPhysics.DriveAPI, kind):
            drive = UsdPhysics.DriveAPI(prim, kind)
            stiffness = drive.GetStiffnessAttr().Get() / unit
            damping = drive.GetDampingAttr().Get() / unit
            pull = stiffness * (drive.GetTargetPositionAttr().Get() or 0.0) * unit
            effort = float(drive.GetMaxForceAttr().Get())
        for name, factor in (("mjc:damping", 1.0), ("mjc:stiffness", 1.0)):
            value = prim.GetAttribute(name)
            if value and value.HasAuthoredValue():
                damping += value.Get() * factor if name.endswith("damping") else 0.0
                stiffness += value.Get() * factor if name.endswith("stiffness") else 0.0
        values: dict[str, object] = {"drive": (stiffness, damping, pull), "effort": effort}
        for noun, names, factor in (
            ("friction", ("mjc:frictionloss", "physxJoint:jointFriction"), 1.0),
            ("armature", ("mjc:armature", "physxJoint:armature"), 1.0),
            ("velocity limit", ("physxJoint:maxJointVelocity",), unit),
        ):
            authored = [a.Get() * factor for n in names if (a := prim.GetAttribute(n)) and a.Get()]
            values[noun] = float(authored[0]) if authored else _NONE[noun]
        if coupled := prim.GetRelationship("newton:mimicJoint"):
            offset, factor = (prim.GetAttribute(f"newton:mimicCoef{n}").Get() for n in (0, 1))
            source = self.stage.GetPrimAtPath(coupled.GetTargets()[0])
            values["coupling"] = (_name(source), offset * unit, float(factor))
        return values

    def _add_actuator(self, prim) -> None:
        bias = prim.GetAttribute("mjc:biasPrm").Get() or ()
        targets = prim.GetRelationship("mjc:target").GetTargets()
        joint = self.found.joints.get(_name(self.stage.GetPrimAtPath(targets[0])))
        if joint is not None and len(bias) > 2:
            stiffness, damping, pull = joint.values["drive"]
            joint.values["drive"] = (stiffness - bias[1], damping - bias[2], pull)

    def _add_shape(self, prim) -> None:
        owner = prim
        while owner and owner.GetPath() not in self.bodies:
            owner = owner.GetParent()
        color = UsdGeom.Gprim(prim).GetDisplayColorAttr().Get()
        material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        if material:
            shader = UsdShade.Shader(material.ComputeSurfaceSource()[0])
            color = [shader.GetInput("diffuseColor").Get()] if shader else color
        if color:
            self.found.colors.add(from_linear(color[0]))
        shape = _shape(prim, self.world(prim)) if prim.HasAPI(UsdPhysics.CollisionAPI) else None
        if shape is not None:
            link = self.bodies[owner.GetPath()] if owner else WORLD
            bound = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")[0]
            if bound and bound.GetPrim().HasAPI(UsdPhysics.MaterialAPI):
                friction = UsdPhysics.MaterialAPI(bound).GetDynamicFrictionAttr().Get()
                surfaces = self.found.surfaces.setdefault(link, set())
                surfaces.add(round(float(friction), 6))
            self.found.extents.setdefault(link, []).append(shape)


_NONE = {"friction": 0.0, "armature": 0.0, "velocity limit": math.inf}


def _name(prim) -> str:
    return key(prim.GetDisplayName() or prim.GetName())


def _turn(value) -> np.ndarray:
    x, y, z = value.GetImaginary()
    w = value.GetReal()
    return quaternion(x, y, z, w) if w or x or y or z else np.eye(3)


def _shape(prim, matrix: np.ndarray) -> np.ndarray | None:
    size = np.linalg.norm(matrix[:3, :3], axis=0)
    place = rigid(matrix)
    if prim.IsA(UsdGeom.Cube):
        half = 0.5 * UsdGeom.Cube(prim).GetSizeAttr().Get() * size
        return extent("box", tuple(half), place)
    if prim.IsA(UsdGeom.Sphere):
        return extent("sphere", (UsdGeom.Sphere(prim).GetRadiusAttr().Get() * size[0],), place)
    for schema, kind in ((UsdGeom.Capsule, "capsule"), (UsdGeom.Cylinder, "cylinder")):
        if prim.IsA(schema):
            shape = schema(prim)
            axis = _AXES[str(shape.GetAxisAttr().Get())]
            place[:3, :3] = place[:3, _TURNED[axis]]
            sizes = (shape.GetRadiusAttr().Get(), 0.5 * shape.GetHeightAttr().Get())
            return extent(kind, tuple(size[0] * np.array(sizes)), place)
    return None
