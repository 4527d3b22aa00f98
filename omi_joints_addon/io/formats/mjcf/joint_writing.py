"""Joints of a scene as elements of MJCF: hinges, slides and balls of a body, springs and servos."""

import math
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.authored import authored_angle
from ....core.meaning.axes import Interval, JointAxes, joint_axes, one_axis_limit
from ....core.meaning.freedom import cone_axis_of, values_of_pose
from ....core.model.actuator import matched_drives
from ....core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from ....core.model.axes import AXIS_LETTERS
from ....core.model.graph import SpanningTree
from ....core.model.joint import JointLimit
from ....core.model.plain import JsonObject
from ....core.model.scene import Joint, PhysicsScene
from ....core.model.settled import settled, settled_unit
from ...documents.number_words import counted_from
from .attributes import floats
from .drive_writing import DriveWriter, JointElement, Mover, ball_spring
from .exclusions import colliding_joints
from .joints import FORCE_RANGE, KEPT, NAME, NARROW, OF_STACK, OPEN, POLYNOMIALS, STACK
from .printing import Attributes, texts
from .schema import FIELDS
from .tendon_writing import TendonWriter

_STEP = 0.002
"""Of MuJoCo by default [s]."""
_ROUNDING = 1e-12
_NEAR = 1e-6
"""Frames that are apart by less are together [m and rad]."""


class _Frame(NamedTuple):
    """Where a joint is on its body, in the axes of that."""

    position: list[float]
    """[m]"""
    axes: list[list[float]]
    """Unit vectors X, Y and Z."""
    sign: float
    """Of the motion of the body."""


class JointWriter:
    """Writes the joints of a scene; losses gather on the way."""

    def __init__(self, scene: PhysicsScene, tree: SpanningTree, losses: Losses) -> None:
        self.tendons = TendonWriter(scene, losses)
        self._drives = DriveWriter(scene, losses)
        self._scene = scene
        self._losses = losses
        self._owner = scene.bodies().tolist()
        self._values = _values(scene)
        self._frames = self._frames_on(tree.joints)
        self.colliding = colliding_joints(scene, tree.loops)

    def written(self, number: int, body: int) -> list[JointElement]:
        """Return the elements of the joint of `body` to its parent; none is a weld."""
        joint = self._scene.joints[number]
        place = self._scene.names[joint.node]
        self._report_attributes(number, place)
        axes = joint_axes(joint.settings)
        values = self._values[number]
        self._report_gap(axes, values, place)
        moving = self._moving(axes, place)
        if not moving or len(moving) > 1:
            # A body without joints, or several of them: reading names other ones.
            for noun in (Noun.JOINT, Noun.FRAMES, Noun.LIMIT, Noun.LIMIT_SPRING):
                self._losses.same(place, noun)
        if not moving:
            for noun in (Noun.MOTION, Noun.INERTIA):
                self._losses.same(self._scene.names[body], noun)
        held = self._held(joint, axes, place)
        balls = held and self._ball_range(held)
        spring = ball_spring(joint.settings.drives)
        is_ball = moving == (3, 4, 5) and (balls is not False) and spring is not None
        if is_ball and all(axes.all[axis].own.is_free for axis in moving):
            written = self._ball(joint, body, balls or math.inf, place)
            written.attributes |= spring or {}
            return [written]
        if held:
            self._losses.lost(place, Noun.LIMIT, "MuJoCo has no joint or tendon with this limit")
        turning = [axis for axis in moving if axis >= 3]
        is_free = all(axes.all[n].own.is_free for n in turning)
        if len(turning) == 2 or (len(turning) == 3 and not is_free):
            text = "the ranges and locks of its angles become those of successive hinges"
            self._losses.converted(place, Noun.LIMIT, text)
        stack = _stack(joint, moving)
        return [
            self._axis(joint, axes, axis, body, values[axis], place, part=stack.get(axis))
            for axis in stack or moving
        ]

    def _held(self, joint: Joint, axes: JointAxes, place: str) -> tuple[JointLimit, ...]:
        """Return the limits over several axes that no tendon holds."""
        limits = [limit for limit in axes.shared if not _is_soft_lock(limit)]
        for limit in limits:
            if self.tendons.has_room_for(limit, axes):
                self.tendons.add_shared(joint, limit, place)
        return tuple(limit for limit in limits if not self.tendons.has_room_for(limit, axes))

    def _moving(self, axes: JointAxes, place: str) -> tuple[int, ...]:
        """Return the axes along and about which MuJoCo's joints move: soft locks are rigid."""
        soft = {n for n, each in enumerate(axes.all) if each.own.min == each.own.max == 0.0}
        for limit in filter(_is_soft_lock, axes.shared):
            soft |= {*limit.linear_axes, *(axis + 3 for axis in limit.angular_axes)}
        moving = axes.moving
        if soft.intersection(moving):
            text = "soft locks become rigid: their stiffness in MuJoCo is relative to mass"
            self._losses.converted(place, Noun.LIMIT_SPRING, text)
        return tuple(axis for axis in moving if axis not in soft)

    def _axis(
        self,
        joint: Joint,
        axes: JointAxes,
        axis: int,
        body: int,
        value: float,
        place: str,
        part: JsonObject | None,
    ) -> JointElement:
        """Return a hinge or slide: the body moves along its own axis as its position grows.

        `part` is what one of several joints is, None for a joint with one axis.
        """
        frame = self._frames[body]
        name, sign = self._part_name(part, axis, place), frame.sign
        if part and axes.all[axis].own.is_free and not (axes.all[axis].drives or value):
            sign *= float(part.get("sign", 1.0))
        direction = [sign * part for part in frame.axes[axis % 3]]
        attributes: Attributes = {"name": name, "type": "slide" if axis < 3 else "hinge"}
        attributes["pos"], attributes["axis"] = texts(frame.position), texts(direction)
        zero = joint.attributes.zero if axes.moving == (axis,) and axis >= 3 else 0.0
        mover = partial(self._mover, joint, axes, axis, body)
        soft = self._soft_limits(axes, axis, mover, place)
        own_range = axes.all[axis].own
        if soft is None or not own_range.is_soft:
            attributes |= self._range(own_range, joint.attributes, zero, place)
        written = JointElement(attributes, value)
        if reference := _reference(value, zero, own_range):
            attributes["ref"] = repr(reference)
        if part:
            written.attributes |= own_text(part, OF_STACK)
        own = joint.attributes.actuators
        if len(axes.moving) > 1:
            own = tuple(each for each in own if each.axis + 3 * each.is_angular == axis)
        written.actuators, drives = matched_drives(own, axes.all[axis].drives)
        for limit in soft or ():
            self.tendons.add_soft(written, limit, zero, place)
        for drive in drives:
            self._drives.add(written, drive, mover, zero, place, joint.attributes)
        _polynomials(written, joint)
        return written

    def _soft_limits(
        self, axes: JointAxes, axis: int, mover: Callable[[], Mover], place: str
    ) -> list[JointLimit] | None:
        """Return the limits of one axis that give way, None where a step is too long for them."""
        own = axes.all[axis].own
        numbers = ((axis,), ()) if axis < 3 else ((), (axis - 3,))
        found = [one_axis_limit(axis, own)] if own.is_soft else []
        found += [e for e in axes.further if (e.linear_axes, e.angular_axes) == numbers]
        inertia = self._drives.inertia(mover(), is_angular=axis >= 3) if found else 0.0
        if any(limit.stiffness * _STEP**2 > inertia for limit in found):
            text = "the limit becomes rigid: its spring swings faster than MuJoCo steps"
            self._losses.converted(place, Noun.LIMIT_SPRING, text)
            return None
        return found

    def _mover(self, joint: Joint, axes: JointAxes, axis: int, body: int) -> Mover:
        """Return what a drive along or about an axis moves."""
        frame = self._frames[body]
        ends = {self._owner[node] for node in (joint.node, joint.other)}
        turns_at_center = any(not each.own.is_locked for each in axes.linear)
        return Mover(
            body=body,
            axis=np.array(frame.axes[axis % 3]),
            anchor=None if turns_at_center else np.array(frame.position),
            is_other_still=not any(self._scene.is_dynamic(end) for end in ends - {body}),
        )

    def _part_name(self, part: JsonObject | None, axis: int, place: str) -> str:
        """Return the name of a joint, as the file had it where it is one of several."""
        if part is None:
            return place
        own = f"{place} {AXIS_LETTERS[axis % 3]}{'' if axis < 3 else ' angle'}"
        return str(part.get("name", own))

    def _ball(self, joint: Joint, body: int, largest: float, place: str) -> JointElement:
        position = texts(self._frames[body].position)
        attributes: Attributes = {"name": place, "type": "ball", "pos": position}
        if math.isfinite(largest):
            attributes["range"] = f"0 {largest!r}"
        return JointElement(attributes, 0.0)

    def _frames_on(self, joints: Mapping[int, int]) -> dict[int, _Frame]:
        """Return the frame on each body in its axes.

        `joints` connect the bodies to their parents. A limit measures the connected frame from the
        joint's; seen so the body of the joint node moves against the axis.
        """
        if not joints:
            return {}
        held = [self._scene.joints[number] for number in joints.values()]
        own = [self._owner[joint.node] == body for body, joint in zip(joints, held, strict=True)]
        nodes = [one.node if is_own else one.other for one, is_own in zip(held, own, strict=True)]
        worlds = self._scene.rigid_matrices[list(joints)]
        frames = np.linalg.inv(worlds) @ self._scene.matrices[nodes]
        places = settled(frames[:, :3, 3]).tolist()
        axes = np.swapaxes(frames[:, :3, :3], 1, 2)
        lengths = np.linalg.norm(axes, axis=2, keepdims=True)
        axes = settled_unit(axes / np.where(lengths > 0.0, lengths, 1.0))
        signs = [-1.0 if is_own else 1.0 for is_own in own]
        return dict(zip(joints, map(_Frame, places, axes.tolist(), signs), strict=True))

    def _report_gap(self, axes: JointAxes, values: list[float], place: str) -> None:
        if any(abs(value) > _NEAR and axes.all[n].own.is_locked for n, value in enumerate(values)):
            text = "its frames are apart although it holds them; MuJoCo uses the pose as it is"
            self._losses.converted(place, Noun.FRAMES, text)

    def _range(
        self, interval: Interval, own: JointAttributes, zero: float, place: str
    ) -> Attributes:
        if interval.is_free:
            return {} if own.whole_range is None else {"range": texts(own.whole_range)}
        low = max(counted_from(-zero, interval.min), -OPEN)
        high = min(counted_from(-zero, interval.max), OPEN)
        if low >= high:
            self._losses.same(place, Noun.LIMIT)
            high = low + NARROW
        return {"range": f"{low!r} {high!r}"}

    def _ball_range(self, held: tuple[JointLimit, ...]) -> float | bool:
        """Return the largest angle of a limit about all three axes, False for another one."""
        limit = held[0]
        is_ball = limit.angular_axes == (0, 1, 2) and not limit.linear_axes and limit.is_rigid
        return limit.max if is_ball and limit.min <= 0.0 and len(held) == 1 else False

    def _report_attributes(self, number: int, place: str) -> None:
        joint = self._scene.joints[number]
        for drive in joint.settings.drives:
            if not drive.has_known_type:
                self._losses.lost(
                    place,
                    Noun.DRIVE,
                    Sentence("drives of type {type!r} are unknown", type=drive.type),
                )
        self._losses.same(place, Noun.SETTINGS_NAME)  # every joint has its own
        if joint.enable_collision and number not in self.colliding:
            text = "a body and its parent never collide where both move"
            self._losses.lost(place, Noun.ENABLE_COLLISION, text)
        if joint.attributes is DEFAULT_ATTRIBUTES:
            return
        for name, noun in _NOUNS.items():
            if getattr(joint.attributes, name) != getattr(DEFAULT_ATTRIBUTES, name):
                self._losses.lost(place, noun, "MJCF joints do not have this attribute")


def _reference(value: float, zero: float, own: Interval) -> float:
    """Return the position of the file at rest."""
    if not zero:
        # Half a turn of an axis without a range is one place, whose sign is rounding.
        return math.pi if own.is_free and value == -math.pi else value
    found = round(authored_angle(value, zero, own), 12)
    return 0.0 if abs(found) < _NEAR else found


def _is_soft_lock(limit: JointLimit) -> bool:
    """Return whether a limit over several axes holds them at zero, however softly."""
    return limit.min <= 0.0 == limit.max


def own_text(kept: JsonObject, names: Collection[str]) -> Attributes:
    """Return those attributes of what is carried for MJCF."""
    return {key: str(value) for key, value in kept.items() if key in names}


def joint_attributes(joint: Joint) -> Attributes:
    """Return what MJCF joints have beyond limits and drives."""
    attributes = joint.attributes
    numbers = {name: getattr(attributes, field) for name, field in FIELDS.items()}
    found: Attributes = {name: repr(value) for name, value in numbers.items() if value}
    if text := _force_range(joint):
        found[FORCE_RANGE] = text
    return found | own_text(attributes.kept(NAME), KEPT)


def _force_range(joint: Joint) -> str:
    """Return the range of what actuators give; as its file had it where that is still so."""
    attributes = joint.attributes
    effort, text = attributes.effort, str(attributes.kept(NAME).get(FORCE_RANGE, ""))
    is_kept = max(map(abs, floats(text) or ()), default=0.0) == effort
    if math.isinf(effort):
        # Reading keeps the range of a joint whose own spring is all that drives it.
        is_kept = not attributes.actuators and any(each.stiffness for each in joint.settings.drives)
    if text and is_kept:
        return text
    return f"{-effort!r} {effort!r}" if math.isfinite(effort) else ""


def _polynomials(written: JointElement, joint: Joint) -> None:
    """Give springs and dampers the further coefficients that their file had."""
    kept = own_text(joint.attributes.kept(NAME), POLYNOMIALS)
    for name, text in kept.items():
        read = floats(text)
        if read and read[0] == float(written.attributes.get(name, "nan")):
            written.attributes[name] = text


def _values(scene: PhysicsScene) -> list[list[float]]:
    """Return the six values of all joints at rest [m and rad]."""
    poses = scene.relative_poses()
    found = np.zeros((len(scene.joints), 6))
    by_cone: dict[int | None, list[int]] = {}
    for number, joint in enumerate(scene.joints):
        by_cone.setdefault(cone_axis_of(joint.settings), []).append(number)
    for group in by_cone.values():
        # What settings mean for values is the axis of their cone alone.
        pose = poses.at(group)
        found[group] = values_of_pose(scene.joints[group[0]].settings, pose)
    rounded = np.where(np.abs(found) < _ROUNDING, 0.0, settled(found[:, :, None])[:, :, 0])
    # Rounding must not lead beyond half a turn.
    rounded[:, 3:] = np.clip(rounded[:, 3:], -math.pi, math.pi)
    values: list[list[float]] = rounded.tolist()
    return values


def _stack(joint: Joint, moving: tuple[int, ...]) -> dict[int, JsonObject]:
    """Return what each of several joints is by its axis, in the order of their file."""
    if len(moving) < 2:
        return {}
    parts = joint.attributes.kept(NAME).get(STACK, ())
    known = {part["axis"]: part for part in parts}
    return known if sorted(known) == [*moving] else {axis: {} for axis in moving}


_NOUNS = {
    "enabled": Noun.ENABLED,
    "break_force": Noun.BREAK_FORCE,
    "break_torque": Noun.BREAK_TORQUE,
    "velocity": Noun.VELOCITY_LIMIT,
}
