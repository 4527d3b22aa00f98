"""Blender's own Rigid Body Constraint of an object as a core value. SI units and radians."""

import math
from contextlib import suppress
from dataclasses import dataclass

import bpy

from ..core import rewrite
from ..core.engines.blender_constraint import (
    FREE,
    IDLE_CONSTRAINT,
    ConstraintType,
    Motor,
    Range,
    RigidBodyConstraint,
    Spring,
    constraint_settings,
)
from ..core.findings.finding import Finding
from ..core.model.attributes import JointAttributes
from ..core.model.body import MotionType
from ..core.model.joint import JointSettings
from .body import motion_of
from .exact import shortest_decimal

_AXES = ("x", "y", "z")
Ends = tuple[bpy.types.Object, bpy.types.Object]


def constraint_of(obj: bpy.types.Object) -> RigidBodyConstraint | None:
    """Return what the object's constraint says, None where it has none."""
    data = obj.rigid_body_constraint
    if data is None:
        return None
    return RigidBodyConstraint(
        type=ConstraintType(data.type),
        linear=tuple(_range(data, f"lin_{axis}") for axis in _AXES),
        angular=tuple(_range(data, f"ang_{axis}") for axis in _AXES),
        linear_springs=tuple(_spring(data, axis) for axis in _AXES),
        angular_springs=tuple(_spring(data, f"ang_{axis}") for axis in _AXES),
        has_old_springs=data.spring_type == "SPRING1",
        linear_motor=_motor(data, "lin"),
        angular_motor=_motor(data, "ang"),
        break_force=_break_force(obj, data),
    )


@dataclass(frozen=True, kw_only=True)
class ConstraintJoint:
    """The joint that a constraint means; both frames are where the constraint is."""

    body: bpy.types.Object
    """Object that the joint belongs to, the dynamic one if its settings can be turned so."""
    connected_body: bpy.types.Object
    settings: JointSettings
    attributes: JointAttributes
    enable_collision: bool


def constraint_joint(obj: bpy.types.Object) -> tuple[ConstraintJoint | None, list[Finding]]:
    """Return the joint that the object's constraint means, and where that is not exact.

    None where the constraint does nothing in Blender either.
    """
    data = obj.rigid_body_constraint
    constraint, ends = constraint_of(obj), _ends(obj)
    if data is None or constraint is None:
        return None, []
    if ends is None:
        return None, [IDLE_CONSTRAINT(obj.name)]
    settings, findings = constraint_settings(constraint, obj.name)
    first, second = ends
    if _is_dynamic(second) and not _is_dynamic(first):
        # OMI_physics_joint wants the joint below the dynamic body.
        with suppress(rewrite.swap.SwapError):
            settings = rewrite.swap.swapped_settings(settings)
            first, second = second, first
    joint = ConstraintJoint(
        body=first,
        connected_body=second,
        settings=settings,
        attributes=JointAttributes(
            break_force=constraint.break_force, break_torque=constraint.break_force
        ),
        enable_collision=not data.disable_collisions,
    )
    return joint, findings


def _is_dynamic(obj: bpy.types.Object) -> bool:
    motion = motion_of(obj)
    return motion is not None and motion.type == MotionType.DYNAMIC


def _ends(obj: bpy.types.Object) -> Ends | None:
    """Return the two different rigid bodies of a constraint that is switched on."""
    data = obj.rigid_body_constraint
    if data is None or not data.enabled:
        return None
    first, second = data.object1, data.object2
    if first is None or second is None or first == second:
        return None
    has_bodies = first.rigid_body is not None and second.rigid_body is not None
    return (first, second) if has_bodies else None


def break_rate(scene: bpy.types.Scene) -> float:
    """Return what a breaking threshold [N·s] times gives a force [N]: substeps a second, or 0."""
    world = scene.rigidbody_world
    if world is None or world.time_scale <= 0.0:
        return 0.0
    return world.substeps_per_frame * scene.render.fps / (scene.render.fps_base * world.time_scale)


def _break_force(obj: bpy.types.Object, data: bpy.types.RigidBodyConstraint) -> float:
    """Return the force [N or N·m] at which a constraint breaks."""
    rate = max(map(break_rate, obj.users_scene), default=0.0)
    if not (data.use_breaking and rate):
        return math.inf
    return float(f"{rate * data.breaking_threshold:.6g}")


def _range(data: bpy.types.RigidBodyConstraint, name: str) -> Range:
    if not getattr(data, f"use_limit_{name}"):
        return FREE
    return (
        shortest_decimal(getattr(data, f"limit_{name}_lower")),
        shortest_decimal(getattr(data, f"limit_{name}_upper")),
    )


def _spring(data: bpy.types.RigidBodyConstraint, name: str) -> Spring | None:
    if not getattr(data, f"use_spring_{name}"):
        return None
    return Spring(
        stiffness=shortest_decimal(getattr(data, f"spring_stiffness_{name}")),
        damping=shortest_decimal(getattr(data, f"spring_damping_{name}")),
    )


def _motor(data: bpy.types.RigidBodyConstraint, name: str) -> Motor | None:
    if not getattr(data, f"use_motor_{name}"):
        return None
    return Motor(
        velocity=shortest_decimal(getattr(data, f"motor_{name}_target_velocity")),
        max_force=shortest_decimal(getattr(data, f"motor_{name}_max_impulse")),
    )
