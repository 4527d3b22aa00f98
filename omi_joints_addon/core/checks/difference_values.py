"""The two values of a difference between scenes, in words."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from ..findings.loss import ATTRIBUTE_NOUNS, Noun
from ..model.joint import JointLimit
from ..model.pose import pose_from_matrix
from ..model.scene import Joint, PhysicsScene
from .difference import Difference
from .differences import MOTION


class DifferenceValues:
    """What two scenes say of the fields that differ; `match` is that of `differences`."""

    def __init__(self, before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]) -> None:
        self._match = match
        self._before = _SceneValues(before)
        self._after = _SceneValues(after)

    def of(self, difference: Difference) -> tuple[str, str] | None:
        """Return the values before and after, None where words cannot tell."""
        node, other = difference.node, self._match.get(difference.node, -1)
        if node >= 0 and other < 0:
            return None
        one = self._before.of(node, difference.noun)
        new = self._after.of(other, difference.noun)
        return None if one is None or new is None or one == new else (one, new)


class _SceneValues:
    def __init__(self, scene: PhysicsScene) -> None:
        self._scene = scene
        self._joints = {joint.node: joint for joint in reversed(scene.joints)}

    def of(self, node: int, noun: Noun) -> str | None:
        """Return a field of a node, of the scene for -1; None where words cannot tell."""
        scene = self._scene
        if node < 0:
            wholes: dict[Noun, Callable[[], str]] = {
                Noun.NAME: lambda: repr(scene.name),
                Noun.GRAVITY: lambda: _numbers(scene.gravity),
            }
            return wholes[noun]() if noun in wholes else None
        if noun in (Noun.NAME, Noun.PARENT, Noun.POSE):
            return _of_node(scene, node, noun)
        motion = scene.motions.get(node)
        if noun in _MOTIONS:
            return None if motion is None else _plain(getattr(motion, _MOTIONS[noun]))
        joint = self._joints.get(node)
        if joint is not None:
            return self._of_joint(joint, noun)
        return _of_part(scene, node, noun)

    def _of_joint(self, joint: Joint, noun: Noun) -> str | None:
        if noun in _ATTRIBUTES:
            return _plain(getattr(joint.attributes, _ATTRIBUTES[noun]))
        if noun in _DRIVES:
            return _list([_plain(getattr(each, _DRIVES[noun])) for each in joint.settings.drives])
        if noun in (Noun.LIMIT, Noun.LIMIT_SPRING):
            return _list([_limit(limit, noun) for limit in joint.settings.limits])
        if noun == Noun.FRAMES:
            return " and ".join(
                map(_numbers, [self._places[node] for node in (joint.node, joint.other)])
            )
        return None

    @cached_property
    def _places(self) -> list[list[float]]:
        """Where nodes are [m]."""
        places: list[list[float]] = self._scene.matrices[:, :3, 3].tolist()
        return places


def _of_node(scene: PhysicsScene, node: int, noun: Noun) -> str:
    if noun == Noun.NAME:
        return repr(scene.names[node])
    if noun == Noun.PARENT:
        above = int(scene.parents[node])
        return repr(scene.names[above]) if above >= 0 else "the world"
    pose = pose_from_matrix(scene.matrices[node])
    return f"{_numbers(pose.position.tolist())} turned {_numbers(pose.rotation.tolist())}"


_MOTIONS = {noun: name for noun, name in MOTION.items() if name != "carried"}
_ATTRIBUTES: Mapping[Noun, str] = {
    noun: name for name, noun in ATTRIBUTE_NOUNS.items() if noun != Noun.CARRIED
}
_DRIVES: Mapping[Noun, str] = {
    Noun.DRIVE: "type",
    Noun.DRIVE_MODE: "mode",
    Noun.MAX_FORCE: "max_force",
    Noun.POSITION_TARGET: "position_target",
    Noun.VELOCITY_TARGET: "velocity_target",
    Noun.DRIVE_STIFFNESS: "stiffness",
    Noun.DRIVE_DAMPING: "damping",
}


@lru_cache(maxsize=256)
def _limit(limit: JointLimit, noun: Noun) -> str:
    """Return a limit in words; most joints have the locks of others."""
    axes = "".join("XYZ"[axis] for axis in limit.linear_axes)
    axes += "".join("xyz"[axis] for axis in limit.angular_axes)
    if noun == Noun.LIMIT_SPRING:
        return f"{axes} {limit.stiffness:.6g} {limit.damping:.6g}"
    return f"{axes} {limit.min:.6g} to {limit.max:.6g}"


def _of_part(scene: PhysicsScene, node: int, noun: Noun) -> str | None:
    collider, visual = scene.colliders.get(node), scene.visuals.get(node)
    if noun == Noun.COLOR and visual is not None:
        return _plain(visual.color)
    if noun in (Noun.LOOK, Noun.TEXTURE) and visual is not None:
        return repr(visual.material if noun == Noun.LOOK else visual.texture)
    if noun == Noun.SHAPE:
        shape: Any = collider.shape if collider is not None else getattr(visual, "shape", None)
        return None if shape is None else type(shape).__name__.lower()
    if noun == Noun.MATERIAL and collider is not None and collider.material is not None:
        material = collider.material
        return f"friction {material.dynamic_friction:.6g}, bounce {material.restitution:.6g}"
    return None


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return _numbers(value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _numbers(values: Iterable[float]) -> str:
    return "(" + ", ".join([f"{float(value) + 0.0:.6g}" for value in values]) + ")"


def _list(texts: Iterable[str]) -> str:
    return "; ".join(texts) or "none"
