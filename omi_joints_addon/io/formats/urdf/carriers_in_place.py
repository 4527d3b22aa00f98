"""What a changed URDF file cannot say, in elements that only this program reads.

Without it, an edit of one joint would make the element beside it stale, and its motor go.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from ....closeness import is_close
from ....core.checks.difference import Difference
from ....core.checks.matching import matched_by_name
from ....core.findings.loss import Loss, Noun
from ....core.model.plain import object_from_text
from ....core.model.scene import PhysicsScene
from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import XmlSource
from ..format import Target
from ..revision import Revision
from .carrying import carried_of, carriers_of
from .document import Carrier, JointElement, Limit, Robot
from .losses import losses_of, mattering
from .parsing import CARRIERS, parsed_robot
from .printing import carrier_to_xml, element_texts, elements_of, printed_element
from .rereading import reread
from .writing import RobotWriter

_RANGE = frozenset((Noun.LIMIT, Noun.FRAMES))
"""What the reader chooses for a range that is beyond a half turn."""


def with_carriers(
    data: bytes, revision: Revision, writer: RobotWriter, now: Robot, target: Target
) -> tuple[bytes, tuple[Loss, ...]]:
    """Return the text with what it does not say, and what becomes of that.

    `writer` and `now` are of what the text is to say, with the parts apart.
    """
    robot, _ = parsed_robot(data)
    missing = _Missing(revision, writer, now)
    bare = replace(robot, carriers=())
    plain = missing.of(bare)
    wanted = robot.carriers
    if target.options.get("carry", True):
        texts = element_texts(elements_of(robot)) if plain else {}
        found = carriers_of(writer.scene, writer.plan, texts, plain) if plain else ()
        # One without a digest is about an element that the text does not have.
        wanted = tuple(each for each in found if each.digest or each.tag == "omi_scene")
        wanted += _still_stale(revision, robot, wanted)
    left = set(missing.of(replace(robot, carriers=wanted))) if wanted else set(plain)
    again = missing.read(bare)
    match = matched_by_name(writer.scene, again)
    losses = tuple(
        loss
        for found in mattering(plain, writer.scene, again, match)
        for loss in losses_of(writer.scene, found, is_left=found in left)
    )
    return _with_elements(data, robot.carriers, wanted), tuple(dict.fromkeys(losses))


def _still_stale(
    revision: Revision, robot: Robot, wanted: Sequence[Carrier]
) -> tuple[Carrier, ...]:
    """Return the elements of a text that counted neither before nor now: they stay as they are."""
    if not robot.carriers:
        return ()
    before, _ = parsed_robot(next(iter(revision.document.files.values())))
    stale = {*carried_of(before).stale} & {*carried_of(robot).stale}
    new = {(each.tag, each.name) for each in wanted}
    return tuple(e for e in robot.carriers if e.name in stale and (e.tag, e.name) not in new)


class _Missing:
    """Finds what a robot does not say."""

    def __init__(self, revision: Revision, writer: RobotWriter, now: Robot) -> None:
        self._revision = revision
        self._scene: PhysicsScene = writer.scene
        self._read: tuple[Robot, PhysicsScene] | None = None
        self._now = {joint.name: joint for joint in now.joints}
        self._names = {
            self._scene.joints[number].node: name
            for number, name in writer.plan.joint_names.items()
        }

    def read(self, robot: Robot) -> PhysicsScene:
        """Return the scene of a robot, which is read once."""
        if self._read is None or self._read[0] != robot:
            self._read = robot, reread(robot)
        return self._read[1]

    def of(self, robot: Robot) -> list[Difference]:
        """Return what differs; a joint that is written alike is alike."""
        again = self.read(robot)
        found = self._revision.missing(again, self._scene)
        if not any(difference.noun in _RANGE for difference in found):
            return found
        written = {
            joint.name: joint for joint in RobotWriter(again, {"meshes": "none"}).robot().joints
        }
        return [
            each for each in found if each.noun not in _RANGE or not self._is_alike(each, written)
        ]

    def _is_alike(self, difference: Difference, written: dict[str, JointElement]) -> bool:
        name = self._names.get(difference.node, "")
        one, other = self._now.get(name), written.get(name)
        return one is not None and other is not None and _is_same_range(one.limit, other.limit)


def _is_same_range(one: Limit | None, other: Limit | None) -> bool:
    if one is None or other is None:
        return one is other
    if None in (one.lower, one.upper, other.lower, other.upper):
        return one == other
    return is_close(one.lower or 0.0, other.lower or 0.0) and is_close(
        one.upper or 0.0, other.upper or 0.0
    )


def _with_elements(data: bytes, old: Sequence[Carrier], wanted: Sequence[Carrier]) -> bytes:
    """Return the text with the wanted elements; those that say the same stay as they are."""
    if not (old or wanted):
        return data
    edits = XmlEdits(XmlSource(data))
    root = edits.source.root
    new = {_content(carrier): carrier for carrier in wanted}
    for element, carrier in zip(root.findall(*CARRIERS), old, strict=True):
        if new.pop(_content(carrier), None) is None:
            edits.remove(element)
    for carrier in new.values():
        edits.add(root, printed_element(carrier_to_xml(carrier)))
    return edits.data()


def _content(carrier: Carrier) -> Carrier:
    """Return a carrier whose text is the same however its JSON is printed."""
    try:
        text = json.dumps(object_from_text(carrier.text), sort_keys=True)
    except ValueError:
        return carrier
    return replace(carrier, text=text)
