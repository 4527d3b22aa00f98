"""Joints of a document, their frames on nodes that are nothing else."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ....core.findings.finding import Finding
from ....core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from ....core.model.scene import Joint
from .dialect_physics import Physics
from .document_nodes import shown_index
from .rules import NO_SUCH_ELEMENT


def read_joints(
    chosen: Mapping[int, Physics], *, count: int, findings: list[Finding]
) -> list[Joint]:
    """Return the joints of nodes, each from the dialect that counts for it.

    One whose settings are missing is left out, a connected node beyond `count` is ignored.
    """
    joints = (_joint(node, physics, count, findings) for node, physics in chosen.items())
    return [joint for joint in joints if joint is not None]


def _joint(node: int, physics: Physics, count: int, findings: list[Finding]) -> Joint | None:
    joint, place = physics.nodes[node].joint, physics.joint_place(node)
    if joint is None:
        return None
    known, number, connected = physics.joints.settings, joint.joint, joint.connected_node
    settings = known[number] if number < len(known) else None
    if settings is None:
        shown = shown_index(number)
        findings.append(NO_SUCH_ELEMENT(f"{place}/joint", name="physics joint", index=shown))
        return None
    if connected is not None and connected >= count:
        shown = shown_index(connected)
        findings.append(NO_SUCH_ELEMENT(f"{place}/connectedNode", name="node", index=shown))
        connected = None
    return Joint(
        node=node,
        connected=connected,
        settings=settings,
        enable_collision=joint.enable_collision,
        carried=joint.carried,
        place=place,
        settings_place=f"{physics.joints_place}/physicsJoints/{number}",
    )


def on_frames(
    joints: Sequence[Joint],
    means_more: Collection[int],
    count: int,
    attributes: Mapping[int, JointAttributes],
) -> tuple[tuple[Joint, ...], dict[int, int]]:
    """Return joints whose frames are nothing else, and whose frame each new node is.

    New nodes are counted from `count`; nodes that `means_more` get one below them. `attributes`
    are those of joints by their nodes, where they are not the usual ones.
    """
    ends = {end for joint in joints for end in (joint.node, joint.other)}
    split = {node: count + number for number, node in enumerate(sorted(ends & set(means_more)))}
    if split or attributes:
        joints = [_on_frames(joint, split, attributes) for joint in joints]
    return tuple(joints), {frame: node for node, frame in split.items()}


def _on_frames(
    joint: Joint, split: Mapping[int, int], attributes: Mapping[int, JointAttributes]
) -> Joint:
    connected = joint.connected
    return replace(
        joint,
        node=split.get(joint.node, joint.node),
        connected=None if connected is None else split.get(connected, connected),
        attributes=attributes.get(joint.node, DEFAULT_ATTRIBUTES),
    )
