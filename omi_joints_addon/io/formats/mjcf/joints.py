"""Joints of MJCF bodies: frames and settings of one hinge, slide or ball, and of several."""

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ....core.findings.finding import Finding
from ....core.meaning.axes import FREE, Interval, one_axis_settings
from ....core.meaning.presets import fixed, pin, planar
from ....core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from ....core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, matrix_from_pose, pose_from_matrix, rotation_matrix
from ....core.rewrite.turning import frames_of_axes, moved_connected_frames, zero_of_range
from .attributes import Values
from .rules import APPROXIMATE, COMBINED, WHOLE_TURN
from .schema import FIELDS, carried
from .skeleton import Element

NAME = "mjcf"
OPEN = 1e6
"""Written for the side of a range that is open [m or rad]."""
KEPT = carried("joint")
"""Attributes of a joint that it carries."""
POLYNOMIALS = ("stiffness", "damping")
"""Attributes of a joint that may be polynomials."""
FORCE_RANGE = "actuatorfrcrange"
NARROW = 1e-9
"""Width of a range that holds a joint in one place [m or rad], which needs some."""
_OF_MOTION = frozenset((*FIELDS, FORCE_RANGE))
"""Attributes of a joint that `JointAttributes` has a field for."""
_ZEROS = ("0", "0.0", "0.", ".0", "")
OF_STACK = (*KEPT, "armature", FORCE_RANGE, "actuatorfrclimited")
"""Attributes that each of several joints carries which are read as one."""
STACK = "stack"
"""Member of what a joint carries: the joints of a file that it is, in their order."""
SLIDES, TURNS = 0, 5
"""Axis of a slide and of a hinge among the six of `meaning.axes`."""


class Made(NamedTuple):
    """A joint as the scene has it."""

    name: str
    settings: JointSettings
    attributes: JointAttributes
    frame: Array
    """Of the joint on its body at rest, in the body's axes, shape (4, 4)."""
    connected: Array
    """Of the connected frame at rest, in the same axes."""
    zero: float
    """Position of the file that is zero here [m or rad]."""
    is_angular: bool
    has_one_axis: bool = False


class _Span(NamedTuple):
    """What a joint allows in the file [m or rad]."""

    low: float
    high: float
    zero: float | None
    """What becomes zero; None for a turn and more."""
    rest: float
    """Position that the pose of the file is at."""


class JointReader:
    """Makes joints of elements."""

    def __init__(self, values: Values, joints: list[Element], held: Mapping[str, float]) -> None:
        """`joints` are all of a model, which are placed at once; `held` are `held_positions`."""
        self._values = values
        self._held = held
        self.findings: list[Finding] = values.findings
        self._spans: dict[Element, _Span] = {}
        self._frames: dict[Element, tuple[Array, Array]] = {}
        for is_angular, kind in ((True, "hinge"), (False, "slide")):
            self._prepare(
                [joint for joint in joints if joint.attributes.get("type", "hinge") == kind],
                is_angular=is_angular,
            )

    def _prepare(self, joints: list[Element], *, is_angular: bool) -> None:
        """Make the frames of all hinges or slides."""
        if not joints:
            return
        main = (TURNS if is_angular else SLIDES) % 3
        spans = [self._span(joint, is_angular=is_angular) for joint in joints]
        axes, anchors = self._axes_and_anchors(joints)
        frames = np.tile(np.eye(4), (len(joints), 1, 1))
        frames[:, :3, :3] = rotation_matrix(frames_of_axes(axes, main=main))
        frames[:, :3, 3] = anchors
        by = np.array([(span.zero or 0.0) - span.rest for span in spans])
        moved = moved_connected_frames(
            pose_from_matrix(frames), is_angular=is_angular, axis=main, by=by
        )
        pairs = zip(frames, matrix_from_pose(moved), strict=True)
        self._spans |= dict(zip(joints, spans, strict=True))
        self._frames |= dict(zip(joints, pairs, strict=True))

    def _span(self, joint: Element, *, is_angular: bool) -> _Span:
        low, high = self._range(joint, is_angular=is_angular)
        reference = self._angle(joint, "ref", is_angular=is_angular)
        if joint.name in self._held:
            low = reference + self._held[joint.name]
            high = low + NARROW
        zero = zero_of_range(low, high) if is_angular else 0.0
        return _Span(low, high, zero, reference)

    def made(self, joint: Element) -> Made:
        """Return one joint."""
        if joint.attributes.get("type") == "ball":
            return self._ball(joint)
        is_angular = joint.attributes.get("type", "hinge") == "hinge"
        span = self._spans[joint]
        low, high, zero = span.low, span.high, span.zero
        interval, turn = FREE, None
        if zero is not None and (low, high) != (-math.inf, math.inf):
            interval = Interval(min=low - zero, max=high - zero)
        elif (open_range := _one_sided(low, high)) is not None:
            interval = open_range
        elif zero is None and math.isfinite(high - low):
            self.findings.append(WHOLE_TURN(joint.name, low=low, high=high))
            turn = (low, high)
        zero = zero or 0.0
        drives = self._springs(joint, is_angular=is_angular, zero=zero)
        number = TURNS if is_angular else SLIDES
        frame, connected = self._frames[joint]
        return Made(
            name=joint.name,
            settings=one_axis_settings(number, interval, drives),
            attributes=self._attributes(joint, zero, turn),
            frame=frame,
            connected=connected,
            zero=zero,
            is_angular=is_angular,
            has_one_axis=True,
        )

    def combined(self, joints: list[Element]) -> Made | None:
        """Return several joints of a body as one: exact for two free slides and a hinge across.

        None where they are not so.
        """
        kinds = [joint.attributes.get("type", "hinge") for joint in joints]
        if sorted(kinds) != ["hinge", "slide", "slide"] or any(map(self._is_held, joints)):
            return None
        hinge = joints[kinds.index("hinge")]
        slides = [self.axis(joint) for joint in joints if joint is not hinge]
        normal = self.axis(hinge)
        flat = [*(abs(float(each @ normal)) for each in slides), abs(float(slides[0] @ slides[1]))]
        if max(flat) > 1e-9:
            return None
        frame = np.eye(4)
        # As seen from the body all is the other way round; so are the axes of its frame.
        x = -slides[0]
        frame[:3, :3] = np.column_stack((x, np.cross(-normal, x), -normal))
        frame[:3, 3] = self.anchor(hinge)
        made = self._plain(hinge.name, planar(), frame)
        numbers = iter((0, 1))
        stack = [
            self._of_stack(joint, TURNS if joint is hinge else next(numbers), -frame[:3, :3])
            for joint in joints
        ]
        carried = ((NAME, json.dumps({STACK: stack})),)
        return made._replace(attributes=JointAttributes(carried=carried))

    def _of_stack(self, joint: Element, number: int, directions: Array) -> JsonObject:
        """Return what one of several joints has beside its axis; `directions` (3, 3) in columns."""
        attributes = joint.attributes
        is_along = float(self.axis(joint) @ directions[:, number % 3]) > 0.0
        kept = self._solver(attributes, OF_STACK)
        return {**kept, "name": joint.name, "axis": number, "sign": 1.0 if is_along else -1.0}

    def as_one(self, joints: list[Element]) -> Made | None:
        """Return hinges with a common anchor as one joint, which is not exact; None for others."""
        anchors = [self.anchor(joint) for joint in joints]
        axes = [self.axis(joint) for joint in joints]
        is_hinges = all(joint.attributes.get("type", "hinge") == "hinge" for joint in joints)
        gram = np.abs(np.array(axes) @ np.array(axes).T)
        if not is_hinges or len(joints) > 3 or np.ptp(anchors, axis=0).max() > 1e-9:
            return None
        if np.abs(gram - np.eye(len(joints))).max() > 1e-9:
            return None
        self.findings.append(COMBINED(joints[0].name, count=len(joints)))
        x, y = axes[0], axes[1]
        frame = np.eye(4)
        # The connected frame is seen from the body's, so every angle has the other sign.
        frame[:3, :3] = np.column_stack((x, y, np.cross(x, y)))
        frame[:3, 3] = anchors[0]
        limits = [JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)]
        for number, joint in enumerate(joints):
            low, high = self._range(joint, is_angular=True)
            if number == 2 and float(axes[2] @ np.cross(x, y)) < 0.0:
                low, high = -high, -low
            if math.isfinite(low) or math.isfinite(high):
                limits.append(JointLimit(angular_axes=(number,), min=-high, max=-low))
        if len(joints) == 2:
            limits.append(JointLimit(angular_axes=(2,), min=0.0, max=0.0))
        return self._plain(joints[0].name, JointSettings(limits=tuple(limits)), frame)

    def axis(self, joint: Element) -> Array:
        """Return the unit axis of a joint in the axes of its body, shape (3,)."""
        axis: Array = self._axes_and_anchors([joint])[0][0]
        return axis

    def anchor(self, joint: Element) -> Array:
        """Return the anchor of a joint in the axes of its body [m], shape (3,)."""
        anchor: Array = self._axes_and_anchors([joint])[1][0]
        return anchor

    def _axes_and_anchors(self, joints: list[Element]) -> tuple[Array, Array]:
        """Return unit axes and anchors [m] of joints in the axes of their bodies, (n, 3)."""
        read = self._values.floats
        axes = np.array([read(j.name, j.attributes, "axis") for j in joints])
        places = np.array([read(j.name, j.attributes, "pos") for j in joints])
        frames = np.array([joint.frame for joint in joints])
        turned = (frames[:, :3, :3] @ axes[:, :, None])[:, :, 0]
        anchors = (frames[:, :3, :3] @ places[:, :, None])[:, :, 0] + frames[:, :3, 3]
        return turned / np.linalg.norm(turned, axis=1, keepdims=True), anchors

    def _plain(self, name: str, settings: JointSettings, frame: Array) -> Made:
        return Made(name, settings, JointAttributes(), frame, frame, 0.0, is_angular=False)

    def _ball(self, joint: Element) -> Made:
        settings = pin()
        _, high = self._range(joint, is_angular=True)
        if math.isfinite(high):
            cone = JointLimit(angular_axes=(0, 1, 2), min=0.0, max=min(high, math.pi))
            settings = JointSettings(limits=(*settings.limits, cone))
        stiffness, damping = (self._coefficient(joint, name) for name in POLYNOMIALS)
        if stiffness or damping:
            drives = tuple(
                _spring(DriveType.ANGULAR, axis, stiffness, 0.0, damping) for axis in range(3)
            )
            settings = JointSettings(limits=settings.limits, drives=drives)
            what = "the spring of a ball joint becomes one for each axis, equal for small angles"
            self.findings.append(APPROXIMATE(joint.name, what=what))
        frame = np.eye(4)
        frame[:3, 3] = self.anchor(joint)
        return Made(
            joint.name, settings, self._attributes(joint), frame, frame, 0.0, is_angular=True
        )

    def _range(self, joint: Element, *, is_angular: bool) -> tuple[float, float]:
        """Return the bounds of a joint [m or rad], infinite where it has none."""
        attributes = joint.attributes
        limited = attributes.get("limited", "auto")
        has_range = "range" in attributes and self._values.compiler.has_auto_limits
        if limited == "false" or (limited == "auto" and not has_range):
            return -math.inf, math.inf
        factor = self._values.compiler.angle if is_angular else 1.0
        low, high = self._values.floats(joint.name, attributes, "range")
        return (low * factor, high * factor) if low < high else (-math.inf, math.inf)

    def _angle(self, joint: Element, name: str, *, is_angular: bool) -> float:
        factor = self._values.compiler.angle if is_angular else 1.0
        return self._values.number(joint.name, joint.attributes, name) * factor

    def _springs(self, joint: Element, *, is_angular: bool, zero: float) -> tuple[JointDrive, ...]:
        """Return the passive spring and damper of a hinge or slide as a drive."""
        stiffness, damping = (self._coefficient(joint, name) for name in POLYNOMIALS)
        if not (stiffness or damping):
            return ()
        kind = DriveType.ANGULAR if is_angular else DriveType.LINEAR
        axis = (TURNS if is_angular else SLIDES) % 3
        target = self._angle(joint, "springref", is_angular=is_angular) - zero
        return (_spring(kind, axis, stiffness, target, damping),)

    def _coefficient(self, joint: Element, name: str) -> float:
        """Return the linear coefficient of a spring or damper; further ones are carried."""
        found = self._values.list_of(joint.name, joint.attributes, name)
        if any(found[1:]):
            what = f"only the linear {name} acts here; the further coefficients are kept for MJCF"
            self.findings.append(APPROXIMATE(joint.name, what=what))
        return found[0] if found else 0.0

    def _is_held(self, joint: Element) -> bool:
        """Return whether a range or a spring holds a joint, or its zero is elsewhere."""
        is_angular = joint.attributes.get("type", "hinge") == "hinge"
        is_bounded = self._range(joint, is_angular=is_angular) != (-math.inf, math.inf)
        names = (*POLYNOMIALS, "ref", "frictionloss")
        texts = (joint.attributes.get(name, "0") for name in names)
        return is_bounded or any(text.strip() not in _ZEROS for text in texts)

    def _solver(self, attributes: dict[str, str], names: tuple[str, ...] = KEPT) -> JsonObject:
        """Return what is carried of the attributes, without what this program writes itself."""
        kept: JsonObject = {name: attributes[name] for name in names if name in attributes}
        return self._values.without_stiffness(kept)

    def _force_range(self, joint: Element) -> tuple[float, ...]:
        """Return the least and largest force that actuators have on a joint [N or N·m]."""
        limited = joint.attributes.get("actuatorfrclimited", "auto")
        is_auto = limited == "auto" and self._values.compiler.has_auto_limits
        names = joint.attributes if limited == "true" or is_auto else {}
        return self._values.floats(joint.name, names, FORCE_RANGE, (-math.inf, math.inf))

    def _attributes(
        self, joint: Element, zero: float = 0.0, whole_turn: tuple[float, float] | None = None
    ) -> JointAttributes:
        attributes = joint.attributes
        kept = self._solver(attributes)
        kept |= {n: attributes[n] for n in POLYNOMIALS if len(attributes.get(n, "").split()) > 1}
        if not (kept or zero or whole_turn or attributes.keys() & _OF_MOTION):
            return DEFAULT_ATTRIBUTES
        force = self._force_range(joint)
        if force[0] != -force[1]:
            kept[FORCE_RANGE] = attributes[FORCE_RANGE]
        numbers: dict[str, Any] = {
            field: self._values.number(joint.name, attributes, name)
            for name, field in FIELDS.items()
        }
        return JointAttributes(
            **numbers,
            effort=max(map(abs, force)),
            zero=zero,
            whole_range=whole_turn,
            carried=((NAME, json.dumps(kept)),) if kept else (),
        )


def _one_sided(low: float, high: float) -> Interval | None:
    """Return the range of a hinge with one bound, within half a turn; None for others."""
    if (low <= -OPEN) == (high >= OPEN) or min(abs(low), abs(high)) > math.pi:
        return None
    return Interval(max=high) if low <= -OPEN else Interval(min=low)


def welded(name: str) -> Made:
    """Return the joint of a body without joints, which is welded to its parent."""
    return Made(
        name=f"{name} weld",
        settings=fixed(),
        attributes=JointAttributes(),
        frame=np.eye(4),
        connected=np.eye(4),
        zero=0.0,
        is_angular=False,
    )


def _spring(
    kind: DriveType, axis: int, stiffness: float, target: float, damping: float
) -> JointDrive:
    return JointDrive(
        type=kind,
        axis=axis,
        position_target=target if stiffness else None,
        stiffness=stiffness,
        velocity_target=0.0 if damping else None,
        damping=damping,
    )
