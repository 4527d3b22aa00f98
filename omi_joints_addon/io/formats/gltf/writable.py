"""What of a scene has a place in JSON: the rest costs the part that it is of, and nothing else."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ....core.findings.loss import How, Loss, Noun
from ....core.model.body import Collider, Trigger
from ....core.model.scene import Joint
from ....core.model.shape import MeshShape
from .beyond import attributes_to_json
from .members import CodecError, merged
from .omi.body import NodeBody, node_body_to_json
from .omi.body_resources import filter_to_json, material_to_json
from .omi.joint import NodeJoint, node_joint_to_json, settings_to_json
from .omi.shape import shape_to_json
from .scene_physics import SceneContent


@dataclass(frozen=True, slots=True)
class WritablePart:
    """A part of a body, or a joint, that has no place in JSON."""

    noun: Noun
    """Motion, collider, trigger or joint."""
    number: int
    """Number of the node, of a joint its own among the joints."""
    node: int
    problem: str


def unwritable(content: SceneContent) -> list[WritablePart]:
    """Return the parts of bodies and the joints that cannot be written."""
    tables: tuple[tuple[Noun, Any, Callable[[Any], object]], ...] = (
        (Noun.MOTION, content.motions, _write_motion),
        (Noun.COLLIDER, content.colliders, _write_collider),
        (Noun.TRIGGER, content.triggers, _write_volume),
    )
    parts = [
        WritablePart(noun, node, node, problem)
        for noun, table, write in tables
        for node, value in table.items()
        if (problem := _problem(write, value))
    ]
    for number, joint in enumerate(content.joints):
        if problem := _problem(_write_joint, joint):
            parts.append(WritablePart(Noun.JOINT, number, joint.node, problem))
    return parts


def without(content: SceneContent, parts: Sequence[WritablePart]) -> SceneContent:
    """Return the content without some parts."""
    gone = {(part.noun, part.number) for part in parts}

    def kept(noun: Noun, table: Any) -> dict[int, Any]:
        return {node: value for node, value in table.items() if (noun, node) not in gone}

    return replace(
        content,
        motions=kept(Noun.MOTION, content.motions),
        colliders=kept(Noun.COLLIDER, content.colliders),
        triggers=kept(Noun.TRIGGER, content.triggers),
        joints=list(kept(Noun.JOINT, dict(enumerate(content.joints))).values()),
    )


def losses_of_parts(parts: Sequence[WritablePart], names: Sequence[str]) -> Iterator[Loss]:
    """Yield a loss for each part."""
    for part in parts:
        yield Loss(names[part.node], part.noun, How.LOST, part.problem)


def _problem(write: Callable[[Any], object], value: object) -> str:
    try:
        write(value)
    except CodecError as error:
        return error.message
    return ""


def _write_motion(motion: Any) -> None:
    node_body_to_json(NodeBody(motion=motion))


def _write_collider(collider: Collider) -> None:
    _write_volume(collider)
    if collider.material is not None:
        material_to_json(collider.material)


def _write_volume(volume: Collider | Trigger) -> None:
    shape = volume.shape
    if shape is not None:
        shape_to_json(replace(shape, mesh=0) if isinstance(shape, MeshShape) else shape)
    if volume.collision_filter is not None:
        filter_to_json(volume.collision_filter)
    merged({}, volume.carried, frozenset(), "")


def _write_joint(joint: Joint) -> None:
    settings_to_json(joint.settings)
    node_joint_to_json(NodeJoint(joint=0, connected_node=0, carried=joint.carried))
    attributes_to_json(joint.attributes)
