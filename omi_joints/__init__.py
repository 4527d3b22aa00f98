"""Physics joints in files: read, write, check, convert, verify, simulate, measure and draw them.

The public interface of the package `omi-physics-joints`: what `__all__` lists is what others may
rely on, all else is private. Space is that of `PhysicsScene`: SI units, radians, Z up.
"""

from omi_joints_addon.core.engines.engines import ENGINES
from omi_joints_addon.core.findings.finding import Finding, Rule, Severity
from omi_joints_addon.core.findings.loss import How, Kind, Loss, Noun
from omi_joints_addon.core.meaning.recognition import JointKind
from omi_joints_addon.core.model.actuator import Actuator
from omi_joints_addon.core.model.animation import Interpolation, Track
from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import (
    Collider,
    CollisionFilter,
    CombineMode,
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
from omi_joints_addon.core.model.light import Light
from omi_joints_addon.core.model.mesh import Mesh, MeshData, Visual
from omi_joints_addon.core.model.named_pose import NamedPose
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    OtherShape,
    Shape,
    Sphere,
    Trimesh,
)
from omi_joints_addon.core.solver.trajectory import Trajectory, simulate
from omi_joints_addon.io.formats.format import UnreadableError, UnwritableError
from omi_joints_addon.io.staging import OutputError

from .building import (
    MeshSolid,
    Motor,
    SceneBuilder,
    Spring,
    box,
    capsule,
    cylinder,
    hull,
    mesh,
    sphere,
)
from .documents import Converted, Verified, check, convert, read, rules, verify, version, write
from .joints import Drawing, describe, draw, measure, recognize
from .scene import BodyView, JointView, Mimic, Reached, Scene

__version__ = version()

__all__ = [
    "ENGINES",
    "Actuator",
    "Articulation",
    "BodyView",
    "Box",
    "Capsule",
    "Collider",
    "CollisionFilter",
    "CombineMode",
    "Converted",
    "Convex",
    "Coupling",
    "Cylinder",
    "Drawing",
    "DriveMode",
    "DriveType",
    "Finding",
    "How",
    "Interpolation",
    "Joint",
    "JointAttributes",
    "JointDrive",
    "JointKind",
    "JointLimit",
    "JointSettings",
    "JointView",
    "Kind",
    "Light",
    "Loss",
    "Mesh",
    "MeshData",
    "MeshSolid",
    "Mimic",
    "Motion",
    "MotionType",
    "Motor",
    "NamedPose",
    "Noun",
    "OtherShape",
    "OutputError",
    "PhysicsMaterial",
    "PhysicsScene",
    "Pose",
    "Reached",
    "Rule",
    "Scene",
    "SceneBuilder",
    "Severity",
    "Shape",
    "Sphere",
    "Spring",
    "Track",
    "Trajectory",
    "Trigger",
    "Trimesh",
    "UnreadableError",
    "UnwritableError",
    "Verified",
    "Visual",
    "box",
    "capsule",
    "check",
    "convert",
    "cylinder",
    "describe",
    "draw",
    "hull",
    "measure",
    "mesh",
    "read",
    "recognize",
    "rules",
    "simulate",
    "sphere",
    "verify",
    "version",
    "write",
]
