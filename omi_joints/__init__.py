"""Physics joints in files: read, write, check, convert, verify, simulate, measure and draw them.

The public interface of the package `omi-physics-joints`: what `__all__` lists is what others may
rely on, all else is private. Space is that of `PhysicsScene`: SI units, radians, Z up.
"""

from omi_joints_addon.core.engines.engines import ENGINES
from omi_joints_addon.core.findings.finding import Finding, Rule, Severity
from omi_joints_addon.core.findings.loss import How, Loss
from omi_joints_addon.core.meaning.recognition import JointKind
from omi_joints_addon.core.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from omi_joints_addon.core.model.joint import (
    DriveMode,
    DriveType,
    JointDrive,
    JointLimit,
    JointSettings,
)
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.scene_builder import SceneBuilder
from omi_joints_addon.core.solver.trajectory import Trajectory, simulate
from omi_joints_addon.io.files import OutputError
from omi_joints_addon.io.formats.format import UnreadableError, UnwritableError

from .documents import Converted, Verified, check, convert, read, rules, verify, version, write
from .joints import Drawing, describe, draw, measure, recognize

__all__ = [
    "ENGINES",
    "Collider",
    "CollisionFilter",
    "Converted",
    "Drawing",
    "DriveMode",
    "DriveType",
    "Finding",
    "How",
    "Joint",
    "JointDrive",
    "JointKind",
    "JointLimit",
    "JointSettings",
    "Loss",
    "Motion",
    "MotionType",
    "OutputError",
    "PhysicsMaterial",
    "PhysicsScene",
    "Pose",
    "Rule",
    "SceneBuilder",
    "Severity",
    "Trajectory",
    "Trigger",
    "UnreadableError",
    "UnwritableError",
    "Verified",
    "check",
    "convert",
    "describe",
    "draw",
    "measure",
    "read",
    "recognize",
    "rules",
    "simulate",
    "verify",
    "version",
    "write",
]
