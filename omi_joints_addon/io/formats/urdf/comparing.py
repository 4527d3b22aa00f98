"""What a document that was written does not say of its scene."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from ....core.checks.difference import Difference
from ....core.checks.differences import differences
from ....core.checks.joint_differences import joint_differences
from ....core.findings.loss import How, Loss, Noun
from ....core.model.scene import PhysicsScene
from ....core.rewrite.same_joints import with_joints_described_as
from .losses import losses_of, mattering, start_of
from .plan import Plan


class WrittenRobot(Protocol):
    """What was decided about the robot that was written."""

    scene: PhysicsScene
    plan: Plan
    written: dict[int, str]
    """Name of each node that the document has."""

    def made_up_losses(self) -> Iterable[Loss]:
        """Return what was made up."""

    def moved_zeros(self) -> Iterable[tuple[str, str]]:
        """Return the joints whose zero is elsewhere, and by how much."""


def losses_of_written(
    writer: WrittenRobot, again: PhysicsScene, left: set[Difference], *, is_carried: bool
) -> Iterator[Loss]:
    """Yield what a robot, read as `again`, does not say; `left` is what nothing carries either."""
    scene, match = writer.scene, _match(writer.scene, again, writer)
    start = start_of(scene, again, writer.plan, match)
    if start is not None:
        again = replace(again, matrices=start @ again.matrices)
        text = "the robot starts at the origin: URDF has no start pose"
        yield Loss("", "placement", How.CARRIED, text)
    found = _described_alike(compared(scene, again, writer), scene, again, writer)
    for difference in mattering(found, scene, again, match):
        for loss in losses_of(scene, difference, is_left=difference in left):
            # What has no tensor has that of its shapes, which engines work out as well.
            is_given = loss.noun != Noun.INERTIA or any(
                scene.motions[difference.node].inertia_diagonal
            )
            if loss.noun != Noun.ZERO and is_given:
                yield loss
    yield from writer.made_up_losses()
    how = How.CARRIED if is_carried else How.LOST
    yield from (Loss(place, Noun.ZERO, how, text) for place, text in writer.moved_zeros())


def compared(scene: PhysicsScene, again: PhysicsScene, writer: WrittenRobot) -> list[Difference]:
    """Return what a document does not say of a scene, that is `again` when it is read."""
    return differences(scene, again, _match(scene, again, writer))


def _described_alike(
    found: Sequence[Difference], scene: PhysicsScene, again: PhysicsScene, writer: WrittenRobot
) -> Sequence[Difference]:
    """Return what differs beside the names of axes and ends, of which only frames are reported."""
    if not any(each.noun == Noun.LIMIT for each in found):
        return found
    match = _match(scene, again, writer)
    same, described = with_joints_described_as(scene, again, match)
    left, nodes = set(joint_differences(scene, same, match)), set(described)
    counted = (Noun.LIMIT, Noun.POSITION_TARGET)
    return [
        each
        for each in found
        if each in left
        or each.noun == Noun.FRAMES
        or (each.node not in nodes and each.noun not in counted)
    ]


def _match(scene: PhysicsScene, again: PhysicsScene, writer: WrittenRobot) -> dict[int, int]:
    """Return the node in `again` of each node that a document has."""
    match: dict[int, int] = {}
    places: dict[str, int] = {name: node for node, name in reversed(list(enumerate(again.names)))}
    match |= {n: places[name] for n, name in writer.written.items() if name in places}
    joints = {joint.place: joint for joint in again.joints}
    for number, name in writer.plan.joint_names.items():
        joint = scene.joints[number]
        if name in joints and joint.node not in scene.motions:
            match[joint.node] = joints[name].node
    return match
