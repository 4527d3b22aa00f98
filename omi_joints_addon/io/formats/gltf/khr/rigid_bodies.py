"""KHR_physics_rigid_bodies: document JSON to core values and back. SI units, radians, glTF axes.

The values are those of the OMI extensions, whose codecs read and write what both have in common.
What one dialect cannot say is kept beside it as an original (`originals`):

- a limit names one kind of axes, so one over both is written as two (`limits`);
- a position target comes with a stiffness and a velocity target with a damping;
- no motion is a static body, a mass or moment of 0 is infinite, without mass the engine works it
  out;
- a collider has a geometry.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from .....core.findings.finding import Finding
from .....core.model.body import CombineMode, Motion, MotionType, PhysicsMaterial
from .....core.model.joint import JointDrive, JointSettings
from .....core.model.plain import JsonObject
from .....core.rewrite.merging import merged_drives
from ..members import Members, merged, object_of, read_or_none
from ..omi import body as omi_body
from ..omi import joint as omi_joint
from ..omi.body import BodiesDocument, NodeBody, NodeTrigger
from ..omi.body_resources import COMBINES, FRICTIONS
from ..omi.joint import JointsDocument, NodeJoint
from ..originals import take_original, with_original
from ..rules import INFINITE_INERTIA, INFINITE_MASS, MASS_LEFT_TO_ENGINE
from .geometry import GeometryReader, GeometryWriter
from .limits import both_kinds, khr_limits, read_limit, written_limit

EXTENSION = "KHR_physics_rigid_bodies"
_PAIRS = {"positionTarget": "stiffness", "velocityTarget": "damping"}
_DYNAMIC = {"isKinematic": False}
_NODE_NAMES = frozenset(("motion", "collider", "trigger", "joint"))


_NOTHING = NodeBody()


class PhysicsDocument(NamedTuple):
    """The extension object of the document; unknown members are those of `bodies`."""

    bodies: BodiesDocument = BodiesDocument()
    joints: JointsDocument = JointsDocument()


class NodePhysics(NamedTuple):
    """The extension object of a node; unknown members are those of `body`."""

    body: NodeBody = _NOTHING
    joint: NodeJoint | None = None


def document_from_json(value: Any, pointer: str) -> tuple[PhysicsDocument, list[Finding]]:
    """Return the document's materials, filters and joint settings and what is wrong with them.

    Raises `CodecError` where `value` is not an object.
    """
    members = Members(object_of(value, pointer), pointer)
    settings = members.elements("physicsJoints", settings_from_json)
    rest = {name: member for name, member in value.items() if name != "physicsJoints"}
    bodies, found = omi_body.document_from_json(rest, pointer)
    joints = JointsDocument(settings=settings)
    return PhysicsDocument(bodies=bodies, joints=joints), [*members.findings, *found]


def document_to_json(
    document: PhysicsDocument,
    pointer: str = "",
    *,
    keep_originals: bool = True,
    merges_drives: bool = False,
) -> JsonObject:
    """Return the extension object of the document; a missing element is written as a default one.

    `keep_originals` adds what only OMI can say, `merges_drives` makes drives on one axis one drive.
    Raises `CodecError` where a value has no place in JSON.
    """
    materials = tuple(each and khr_material(each) for each in document.bodies.materials)
    known = omi_body.document_to_json(document.bodies._replace(materials=materials), pointer)
    # The extension author's loader has other defaults: a friction of 0.5, the larger friction and
    # the smaller restitution of two.
    for material, written in zip(materials, known.get("physicsMaterials", ()), strict=True):
        for attribute, name in (FRICTIONS | COMBINES).items():
            written.setdefault(name, getattr(material or PhysicsMaterial(), attribute))
    joints = [
        settings_to_json(
            settings or JointSettings(),
            f"{pointer}/physicsJoints/{index}",
            keep_original=keep_originals,
            merges_drives=merges_drives,
        )
        for index, settings in enumerate(document.joints.settings)
    ]
    if joints:
        known["physicsJoints"] = joints
    return merged(known, document.joints.carried, frozenset(known), pointer)


def settings_from_json(value: object, pointer: str) -> tuple[JointSettings, list[Finding]]:
    """Return joint settings and what is wrong with them.

    Raises `CodecError` where `value` is not an object.
    """
    plain, original = take_original(object_of(value, pointer), omi_joint.EXTENSION)
    settings, findings = omi_joint.settings_from_json(plain, pointer)
    findings += both_kinds(settings.limits, pointer)
    settings = replace(settings, limits=tuple(map(read_limit, settings.limits)))
    if original is not None:
        kept, _ = omi_joint.settings_from_json(original, pointer)
        forms = khr_settings(kept), merged_settings(kept)
        if any(replace(each, carried="") == replace(settings, carried="") for each in forms):
            return kept, findings
    return settings, findings


def settings_to_json(
    settings: JointSettings,
    pointer: str = "",
    *,
    keep_original: bool = True,
    merges_drives: bool = False,
) -> JsonObject:
    """Return joint settings as JSON; raises `CodecError` where a value has no place in JSON."""
    form = merged_settings(settings) if merges_drives else khr_settings(settings)
    limits = tuple(map(written_limit, form.limits))
    value = omi_joint.settings_to_json(replace(form, limits=limits), pointer)
    # The extension author's loader refuses a whole file in which a joint has none.
    value.setdefault("limits", [])
    for drive in value.get("drives", ()):
        for target, factor in _PAIRS.items():
            if target in drive:
                drive.setdefault(factor, 0.0)
    if form == settings or not keep_original:
        return value
    return with_original(value, omi_joint.settings_to_json(settings, pointer), omi_joint.EXTENSION)


def khr_settings(settings: JointSettings) -> JointSettings:
    """Return settings that mean the same and that this dialect can say."""
    limits = tuple(part for limit in settings.limits for part in khr_limits(limit))
    drives = tuple(map(_paired, settings.drives))
    if (limits, drives) == (settings.limits, settings.drives):
        return settings
    return replace(settings, limits=limits, drives=drives)


def merged_settings(settings: JointSettings) -> JointSettings:
    """Return the same with drives on one axis as one where they can be: Havok has one for each."""
    form = khr_settings(settings)
    drives = tuple(map(_paired, merged_drives(form.drives)))
    return form if drives == form.drives else replace(form, drives=drives)


def _paired(drive: JointDrive) -> JointDrive:
    """Return a drive without factors that act on no target; a spring's damping brakes to rest."""
    if drive.position_target is None:
        drive = replace(drive, stiffness=0.0)
        return drive if drive.velocity_target is not None else replace(drive, damping=0.0)
    if drive.damping and drive.velocity_target is None:
        return replace(drive, velocity_target=0.0)
    return drive


def node_from_json(
    value: object, pointer: str, geometries: GeometryReader
) -> tuple[NodePhysics, list[Finding]]:
    """Return a node's motion, collider, trigger and joint and what is wrong with them.

    A collider's or trigger's shape is an index into the shapes of `geometries`. Raises `CodecError`
    where `value` is not an object.
    """
    plain, original = take_original(object_of(value, pointer), omi_body.EXTENSION)
    findings: list[Finding] = []
    parts = {name: member for name, member in plain.items() if name != "joint"}
    motion = parts.get("motion")
    if isinstance(motion, dict):
        parts["motion"] = _omi_motion(motion, f"{pointer}/motion", findings)
    for name in ("collider", "trigger"):
        if isinstance(parts.get(name), dict):
            parts[name] = geometries.omi_part(parts[name], f"{pointer}/{name}", findings)
    body, found = omi_body.node_body_from_json(parts, pointer)
    findings += found
    if original is not None:
        body = _completed(body, omi_body.node_body_from_json(original, pointer)[0])
    joint = None
    if "joint" in plain:
        joint = read_or_none(
            omi_joint.node_joint_from_json, plain["joint"], f"{pointer}/joint", findings
        )
    if joint is not None and body == NodeBody(carried=body.carried) and not joint.carried:
        # A joint alone is not a body in OMI, where unknown members are its own.
        body, joint = NodeBody(), joint._replace(carried=body.carried)
    return NodePhysics(body=body, joint=joint), findings


def node_to_json(
    physics: NodePhysics,
    geometries: GeometryWriter,
    pointer: str = "",
    *,
    keep_original: bool = True,
) -> JsonObject:
    """Return the extension object of a node, empty where this dialect has nothing to say.

    Raises `CodecError` where a value has no place in JSON.
    """
    body = physics.body
    omi = omi_body.node_body_to_json(body, pointer)
    value: JsonObject = {}
    if body.motion is not None and (motion := motion_to_json(body.motion, f"{pointer}/motion")):
        value["motion"] = motion
    for name in ("collider", "trigger"):
        if name in omi and (part := geometries.khr_part(omi[name], is_trigger=name == "trigger")):
            value[name] = part
    if physics.joint is not None:
        value["joint"] = omi_joint.node_joint_to_json(physics.joint, f"{pointer}/joint")
    value = merged(value, body.carried, _NODE_NAMES, pointer)
    expressed = khr_body(body)
    pairs = {name: getattr(body, name) for name in ("motion", "collider", "trigger")}
    remaining = {
        name: omi[name] for name, part in pairs.items() if getattr(expressed, name) != part
    }
    return (
        with_original(value, remaining, omi_body.EXTENSION)
        if remaining and keep_original
        else value
    )


def khr_body(body: NodeBody) -> NodeBody:
    """Return what this dialect can say of a body."""
    motion, collider, trigger = body.motion, body.collider, body.trigger
    if motion is not None and _original_motion(motion) is None:
        motion = _khr_motion(motion)
    if collider is not None and collider.shape is None:
        collider = None
    if trigger is not None and trigger.shape is not None:
        trigger = trigger._replace(nodes=())
    elif trigger is not None:
        trigger = trigger._replace(collision_filter=None) if trigger.nodes else None
    return body._replace(motion=motion, collider=collider, trigger=trigger)


def motion_to_json(motion: Motion, pointer: str = "") -> JsonObject | None:
    """Return a motion as JSON, None for one that this dialect says by having none.

    Raises `CodecError` where a value has no place in JSON.
    """
    expressed = _khr_motion(motion)
    if expressed is None:
        return None
    original = _original_motion(motion)
    if original is not None:
        # Blender's exporter drops empty objects.
        return original or dict(_DYNAMIC)
    value, _ = take_original(omi_body.motion_to_json(expressed, pointer), EXTENSION)
    value = {name: member for name, member in value.items() if name != "type"}
    value.pop("isKinematic", None)
    if expressed.type == MotionType.KINEMATIC:
        value["isKinematic"] = True
    if motion.mass > 0.0:
        value["mass"] = float(motion.mass)
    return value or dict(_DYNAMIC)


def _khr_motion(motion: Motion) -> Motion | None:
    """Return what this dialect can say of a motion: None is a static body."""
    if motion.type not in (MotionType.DYNAMIC, MotionType.KINEMATIC):
        return None
    if motion.mass <= 0.0:
        motion = replace(motion, mass=Motion().mass)
    if 0.0 in motion.inertia_diagonal:
        motion = replace(motion, inertia_diagonal=Motion().inertia_diagonal)
    return motion


def _original_motion(motion: Motion) -> JsonObject | None:
    """Return this dialect's original of a motion that was read from it and still says the same."""
    if EXTENSION not in motion.carried:
        return None
    _, original = take_original(omi_body.motion_to_json(motion), EXTENSION)
    if original is None:
        return None
    read, _ = omi_body.node_body_from_json({"motion": _omi_motion(original, "", [])}, "")
    if read.motion is None or replace(read.motion, carried="") != replace(motion, carried=""):
        return None
    return original


def _omi_motion(motion: JsonObject, pointer: str, findings: list[Finding]) -> JsonObject:
    """Return the members of a motion as OMI names them, with the original where that is less."""
    members = Members(motion, pointer, findings)
    is_kinematic = members.boolean("isKinematic") or False
    value = {name: member for name, member in motion.items() if name != "isKinematic"}
    is_less = "mass" not in value
    if is_less:
        findings.append(MASS_LEFT_TO_ENGINE(pointer, mass=Motion().mass))
    elif _is_zero(value["mass"]):
        is_kinematic = is_less = True
        del value["mass"]
        findings.append(INFINITE_MASS(pointer))
    diagonal = value.get("inertiaDiagonal")
    if isinstance(diagonal, list) and any(map(_is_zero, diagonal)):
        is_less = True
        del value["inertiaDiagonal"]
        findings.append(INFINITE_INERTIA(pointer))
    value["type"] = str(MotionType.KINEMATIC if is_kinematic else MotionType.DYNAMIC)
    return with_original(value, motion, EXTENSION) if is_less else value


def _completed(body: NodeBody, original: NodeBody) -> NodeBody:
    """Return a body with those parts of its original that still say what the file says."""
    expressed = khr_body(original)
    motion, collider, trigger = body.motion, body.collider, body.trigger
    if original.motion is not None and _same_motion(expressed.motion, motion):
        motion = original.motion
    if original.collider is not None and collider is None and expressed.collider is None:
        collider = original.collider
    if original.trigger is not None and _same_trigger(expressed.trigger, trigger):
        trigger = original.trigger._replace(shape=None if trigger is None else trigger.shape)
    return body._replace(motion=motion, collider=collider, trigger=trigger)


def khr_material(material: PhysicsMaterial) -> PhysicsMaterial:
    """Return a material without combine modes of other extensions, which this one forbids."""
    unknown: dict[str, Any] = {
        name: CombineMode.AVERAGE
        for name in ("friction_combine", "restitution_combine")
        if getattr(material, name) not in set(CombineMode)
    }
    return replace(material, **unknown)


def _same_motion(first: Motion | None, second: Motion | None) -> bool:
    """Return whether two motions say the same, whatever is carried beside."""
    if first is None or second is None:
        return first is second
    return replace(first, carried="") == replace(second, carried="")


def _same_trigger(first: NodeTrigger | None, second: NodeTrigger | None) -> bool:
    """Return whether two triggers say the same; each dialect counts shapes on its own."""
    if first is None or second is None:
        return first is second
    has_shapes = first.shape is not None, second.shape is not None
    one, other = (trigger._replace(shape=None, carried="") for trigger in (first, second))
    return len(set(has_shapes)) == 1 and one == other


def _is_zero(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == 0
