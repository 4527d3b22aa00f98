"""Shift JSON to a scene: Z up, every joint with its node below the body of its second frame."""

import json

import numpy as np

from ....core.findings.finding import Finding
from ....core.meaning.axes import FREE, moving_axes, one_axis_settings
from ....core.model.attributes import JointAttributes
from ....core.model.joint import JointLimit, JointSettings
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, rotation_matrix
from ....core.model.scene import Joint
from ....core.rewrite.turning import arcs, frames_of_axes
from ..format import Read, Source
from .bodies import SceneBodies
from .carried import Undeclared, carried_settings, undeclared_joints
from .kept import NAME, kept_members
from .layout import Layout
from .lights import lights_of
from .placing import ShiftJoint, joints_of, loop_gap, place_bodies
from .restraint_joints import HINGE_AXIS, SLIDER_AXIS, Added, Tie, restrained
from .restraints import law_of_joint
from .rules import CARRIED_MEMBER, INACTIVE, KEPT_UNITS, OPEN_LOOP
from .text import document_of_text
from .units import Units, units_of
from .upright import gravity_of, upright
from .velocities import body_velocities

_GAP, _ANGLE = 1e-3, np.radians(0.1)
"""How far a loop may be open unreported [m] and [rad]."""
_KNOWN = frozenset(
    (
        *("name", "type", "axis", "body_frame_pairs", "parent", "child", "active", "omi"),
        *("initial_displacement", "initial_velocity"),
        *("stiffness", "damping", "damping_coefficients"),
    )
)
"""Members of a joint that the scene holds."""
FRAMES = "frame_names"
"""Member of what joints carry: names of their frames in the file."""
POLYNOMIALS = ("stiffness", "damping", "damping_coefficients")
"""Members of a joint that are carried where only their beginnings are a drive."""
AXIS = "frame_axis"
"""Member of what joints carry: their axis in those frames."""
_ALL = (0, 1, 2)
WELD = JointSettings(limits=(JointLimit(linear_axes=_ALL, angular_axes=_ALL, min=0.0, max=0.0),))
PIN = JointSettings(limits=(JointLimit(linear_axes=_ALL, min=0.0, max=0.0),))


def read_model(source: Source) -> Read:
    """Return the scene of a file; raises `UnreadableError`."""
    text = source.text()
    document = document_of_text(text)
    findings: list[Finding] = []
    units = units_of(document, findings)
    layout = Layout(document, units, findings)
    joints = joints_of(layout)
    worlds, tree = place_bodies(layout, joints)
    velocities = body_velocities([(joints[number], end) for number, end in tree], worlds)
    added, ties, unread = restrained(layout, joints)
    lights = lights_of(document, layout)
    undeclared = list(undeclared_joints(document, layout))
    ends = {end for joint in joints for end in joint.ends()}
    ends |= {end for tie in ties for end in tie.ends}
    ends |= {end for each in undeclared for end in each.ends}
    ends |= {(light.body, light.frame) for light in lights if light.is_its_frame}
    bodies = SceneBodies(layout, source, worlds, velocities, ends)
    read = _Joints(bodies, added, frozenset(number for number, _ in tree))
    # Making joints makes the nodes of their frames.
    made = (*read.all_of(joints), *map(read.tie, ties), *map(read.undeclared, undeclared))
    bodies.build.joints += made
    bodies.shine(lights)
    scene = bodies.build.scene(
        carries=bodies.carries(),
        gravity=gravity_of(document, findings),
        carried={NAME: kept_members(document, layout, bodies.names_of, unread)},
    )
    _report_carried(document, layout)
    scene = upright(scene, source, findings)
    kept = source.document(NAME, {source.path.name: text})
    return Read(scene=scene, findings=tuple(findings), document=kept)


class _Joints:
    def __init__(
        self, bodies: SceneBodies, added: dict[ShiftJoint, Added], tree: frozenset[int]
    ) -> None:
        self._bodies = bodies
        self._added = added
        self._tree = tree
        self._turns: dict[tuple[bytes, int, bool], Array] = {}

    def all_of(self, joints: list[ShiftJoint]) -> list[Joint]:
        """Return the joints but those of type float, which only place bodies."""
        found = []
        for number, joint in enumerate(joints):
            if joint.kind != "float":
                found.append(self._joint(joint, is_loop=number not in self._tree))
        return found

    def tie(self, tie: Tie) -> Joint:
        """Return the joint of a restraint between two frames: measured in the axes of the first."""
        (one, first), (other, second) = tie.ends
        node = self._bodies.frame(tie.name, one, one.frames[first])
        connected = self._bodies.frame(f"{tie.name} connected", other, other.frames[second])
        attributes = JointAttributes(in_articulation=False)
        return Joint(
            node=node,
            connected=connected,
            settings=tie.settings,
            attributes=attributes,
            enable_collision=True,
            place=tie.place,
        )

    def undeclared(self, joint: Undeclared) -> Joint:
        """Return a joint that Shift has no type for, as it was carried."""
        (one, first), (other, second) = joint.ends
        return Joint(
            node=self._bodies.frame(joint.name, other, other.frames[second]),
            connected=self._bodies.frame(f"{joint.name} connected", one, one.frames[first]),
            settings=joint.settings,
            enable_collision=joint.enable_collision,
            place=joint.place,
        )

    def _joint(self, joint: ShiftJoint, *, is_loop: bool) -> Joint:
        # The node belongs on a body that moves; seen from there the position keeps its sign.
        own, settings = 0 if joint.bodies[1].assembly < 0 else 1, self._settings(joint)
        first, second = joint.frame(0), joint.frame(1)
        if joint.kind == "rigid":
            first = first @ joint.motion
        elif joint.kind != "spherical":
            turn = self._turn(joint.axis, _main_axis(joint, settings), is_half_turned=own == 1)
            first, second = first @ turn, second @ turn
        if is_loop:
            self._check_loop(joint)
        frames = (first, second)
        node = self._bodies.frame(joint.name, joint.bodies[own], frames[own])
        name = f"{joint.name} connected"
        connected = self._bodies.frame(name, joint.bodies[1 - own], frames[1 - own])
        return Joint(
            node=node,
            connected=connected,
            settings=settings,
            attributes=self._attributes(joint, own, is_loop=is_loop),
            place=joint.source.place,
        )

    def _turn(self, axis: Array, main: int, *, is_half_turned: bool) -> Array:
        """Return the matrix (4, 4) that turns the frames of a joint, `main` onto its axis."""
        key = (axis.tobytes(), main, is_half_turned)
        if key not in self._turns:
            turn = self._turns[key] = np.eye(4)
            rotation = (
                frames_of_axes(axis, main=main) if is_half_turned else arcs(np.eye(3)[main], axis)
            )
            turn[:3, :3] = rotation_matrix(rotation)
        return self._turns[key]

    def _settings(self, joint: ShiftJoint) -> JointSettings:
        carried = carried_settings(joint.source.members)
        if carried is not None:
            return carried
        if joint.kind in ("rigid", "spherical"):
            return WELD if joint.kind == "rigid" else PIN
        number = 3 + HINGE_AXIS if joint.kind == "revolute" else SLIDER_AXIS
        added = self._added[joint]
        settings = one_axis_settings(number, FREE, tuple(added.drives))
        return JointSettings(limits=(*settings.limits, *added.limits), drives=settings.drives)

    def _attributes(self, joint: ShiftJoint, own: int, *, is_loop: bool) -> JointAttributes:
        members = joint.source.members
        is_active = joint.source.is_active and all(body.is_active for body in joint.bodies)
        if members.get("active") is False:
            self._bodies.findings.append(INACTIVE(joint.source.place))
        rest = {name: value for name, value in members.items() if name not in _KNOWN}
        if not law_of_joint(members)[1]:
            rest |= {name: members[name] for name in POLYNOMIALS if name in members}
        rest[FRAMES] = [joint.frame_names[1 - own], joint.frame_names[own]]
        if own == 1 and joint.kind in ("revolute", "prismatic"):
            rest[AXIS] = joint.axis.tolist()
        carried = ((NAME, json.dumps(rest)),)
        return JointAttributes(enabled=is_active, in_articulation=not is_loop, carried=carried)

    def _check_loop(self, joint: ShiftJoint) -> None:
        distance, angle = loop_gap(joint, self._bodies.worlds)
        if distance > _GAP or angle > _ANGLE:
            gap = OPEN_LOOP(joint.source.place, distance=distance, angle=float(np.degrees(angle)))
            self._bodies.findings.append(gap)


def _main_axis(joint: ShiftJoint, settings: JointSettings) -> int:
    """Return the axis of the frames along or about which the settings of a joint let it move."""
    is_hinge, moving = joint.kind == "revolute", moving_axes(settings)
    if len(moving) == 1 and (moving[0] >= 3) == is_hinge:
        return moving[0] % 3
    return HINGE_AXIS if is_hinge else SLIDER_AXIS


def _report_carried(document: JsonObject, layout: Layout) -> None:
    """Note what belongs to Shift alone."""
    fixed = document.get("fixed")
    owners = [("", document), ("/fixed", fixed if isinstance(fixed, dict) else {})]
    owners += [(assembly.place, assembly.members) for assembly in layout.assemblies]
    for place, members in owners:
        for name in ("force_modules", "terrain"):
            if members.get(name):
                layout.findings.append(CARRIED_MEMBER(f"{place}/{name}", name=name))
    is_carried = any(found.code == CARRIED_MEMBER.code for found in layout.findings)
    if is_carried and layout.units != Units():
        layout.findings.append(KEPT_UNITS("/model_parameters/units"))
