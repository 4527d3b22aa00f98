"""A scene put into the Shift file that it was read from, member by member."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.checks.difference import Difference
from ....core.checks.differences import differences
from ....core.findings.loss import Losses, Noun
from ....core.model.body import Motion
from ....core.model.plain import JsonObject, value_to_plain
from ....core.model.pose import rotation_matrix
from ....core.model.scene import Joint
from ...documents.json_edits import JsonEdits
from ...documents.number_words import is_close, shortest
from ..carrier import carrier
from ..format import Written
from ..revision import Revision
from .body_writing import TENSOR, carried_text
from .carried import CARRIER
from .joint_writing import written_joint
from .kept import NAME
from .layout import Body, Layout
from .placing import unit_of
from .reader import AXIS, read_model
from .text import document_of_text
from .units import Units, units_of

_MASSES = frozenset((Noun.MASS, Noun.CENTER_OF_MASS, Noun.INERTIA))
_SETTINGS = frozenset(
    (
        *(Noun.LIMIT, Noun.LIMIT_SPRING, Noun.DRIVE, Noun.DRIVE_MODE, Noun.MAX_FORCE),
        *(Noun.POSITION_TARGET, Noun.VELOCITY_TARGET, Noun.DRIVE_STIFFNESS, Noun.DRIVE_DAMPING),
    )
)
_POLYNOMIALS = ("stiffness", "damping")


def edited_model(revision: Revision) -> Written:
    """Return the file with what differs; raises `UneditableError`."""
    name, data = next(iter(revision.document.files.items()))
    editor = _Editor(revision, data)
    editor.edit()
    text = editor.edits.result()
    again = read_model(revision.document.source({name: text})).scene
    revision.report(again, editor.losses)
    return Written(files={name: text}, losses=tuple(editor.losses), names_all=True)


class _Editor:
    def __init__(self, revision: Revision, data: bytes) -> None:
        self.edits = JsonEdits(data)
        self.losses = Losses()
        self._revision = revision
        self._document = document_of_text(data)
        self._is_plain = units_of(self._document, []) == Units()
        layout = Layout(self._document, Units(), [])
        # Reading gives each body one motion, in the order of the file.
        self._bodies = dict(zip(revision.before.motions, layout.bodies, strict=False))
        self._digits = 6e-8 if revision.decimals is not None else 1e-15

    def edit(self) -> None:
        """Make all edits; what there is no rule for is reported when the text is read again."""
        revision = self._revision
        found = differences(revision.before, revision.after, revision.match, reach=revision.reach)
        nouns: dict[int, set[Noun]] = {}
        for each in found:
            nouns.setdefault(each.node, set()).add(each.noun)
        self._report_units(found)
        if not self._is_plain:
            return
        self._edit_nodes(nouns)
        after = {joint.node: joint for joint in revision.after.joints}
        for joint in revision.before.joints:
            new = after.get(revision.match.get(joint.node, -1))
            if new is not None:
                self._edit_joint(joint, new, nouns.get(joint.node, set()))

    def _edit_nodes(self, nouns: Mapping[int, set[Noun]]) -> None:
        revision = self._revision
        for node, body in self._bodies.items():
            if nouns.get(node, set()) & _MASSES:
                self._edit_motion(body, revision.after.motions[revision.match[node]])
        for node in revision.before.lights:
            if Noun.LIGHT in nouns.get(node, set()):
                self._edit_light(node)

    def _report_units(self, found: list[Difference]) -> None:
        if found and not self._is_plain:
            text = "the file is not in meters, kilograms, seconds and radians; write it anew"
            self.losses.lost("", "units", text)

    def _edit_motion(self, body: Body, motion: Motion) -> None:
        members, place = body.members, body.place
        name = "inertia" if "inertia" in members else "moment_of_inertia"
        inertia = members.get(name)
        inertia = inertia if isinstance(inertia, dict) else {}
        in_inertia = "mass" in inertia
        old = inertia["mass"] if in_inertia else members.get("mass", 1.0)
        if not _is_number(old) or not is_close(float(old), motion.mass):
            self.edits.set(f"{place}/{name}/mass" if in_inertia else f"{place}/mass", motion.mass)
        center = members.get("center_of_mass", [0.0, 0.0, 0.0])
        if not _are_near(center, motion.center_of_mass, self._revision.distance):
            self.edits.set(f"{place}/center_of_mass", self._numbers(motion.center_of_mass))
        self._edit_tensor(f"{place}/{name}", inertia, motion)

    def _edit_tensor(self, place: str, inertia: JsonObject, motion: Motion) -> None:
        turn = rotation_matrix(motion.inertia_orientation)
        tensor = turn @ np.diag(motion.inertia_diagonal) @ turn.T
        largest = max(float(np.abs(tensor).max()), 1e-12)
        values = {name: float(tensor[row, column]) for name, row, column in TENSOR}
        old = {name: inertia.get(name, 0.0) for name in values}
        if all(_is_number(v) and abs(v - values[n]) <= 1e-6 * largest for n, v in old.items()):
            return
        if place not in self.edits.spans:
            self.edits.set(place, values)
            return
        for name, value in values.items():
            near = 0.0 if abs(value) < 1e-9 * largest else shortest(value, self._digits)
            if near or name in inertia:
                self.edits.set(f"{place}/{name}", near)

    def _edit_joint(self, joint: Joint, new: Joint, nouns: set[Noun]) -> None:
        members = _at(self._document, joint.place)
        if not isinstance(members, dict):
            return
        if Noun.ENABLED in nouns:
            self.edits.set(f"{joint.place}/active", new.attributes.enabled)
            members["active"] = new.attributes.enabled
        if nouns & _SETTINGS:
            self._edit_settings(joint, new, members)

    def _edit_light(self, node: int) -> None:
        """Edit the color of a light that the file names as the scene does."""
        light = self._revision.after.lights.get(self._revision.match.get(node, -1))
        name = self._revision.before.names[node]
        for holder in ("/fixed/lights", "/lights"):
            for number, members in enumerate(_at(self._document, holder) or ()):
                is_own = isinstance(members, dict) and members.get("name") == name
                if is_own and light is not None and "Kd" in members:
                    self.edits.set(f"{holder}/{number}/Kd", self._numbers(light.color))

    def _edit_settings(self, joint: Joint, new: Joint, members: JsonObject) -> None:
        place = self._revision.after.names[new.node]
        axis = unit_of(carried_text(joint.attributes.carried, NAME).get(AXIS))
        one, two = (
            written_joint(each, place, Losses(), version="2.0.0", axis=axis)
            for each in (joint, new)
        )
        if one is None or two is None or one.kind != two.kind or one.restraints != two.restraints:
            self.losses.lost(place, Noun.JOINT, "Shift has another element for this; write it anew")
            return
        for name in _POLYNOMIALS:
            value = two.members.get(name)
            if one.members.get(name) != value:
                members[name] = [each + 0.0 for each in value or (0.0, 0.0)]
                self.edits.set(f"{joint.place}/{name}", members[name])
        if not two.is_whole or CARRIER in members:
            standard = {key: value for key, value in members.items() if key != CARRIER}
            kept = carrier({"settings": value_to_plain(new.settings)}, standard)
            self.edits.set(f"{joint.place}/{CARRIER}", kept)
            self.losses.carried(place, Noun.LIMIT, "Shift does not simulate it")

    def _numbers(self, values: tuple[float, ...]) -> list[float]:
        return [shortest(value, self._digits) for value in values]


def _at(document: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer, None where there is none."""
    for word in pointer.split("/")[1:]:
        key = word.replace("~1", "/").replace("~0", "~")
        if isinstance(document, list) and key.isdigit() and int(key) < len(document):
            document = document[int(key)]
        elif isinstance(document, Mapping):
            document = document.get(key)
        else:
            return None
    return document


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_near(one: object, other: tuple[float, ...], distance: float) -> bool:
    if not isinstance(one, list) or len(one) != len(other) or not all(map(_is_number, one)):
        return False
    return bool(max(abs(a - b) for a, b in zip(one, other, strict=True)) <= distance)
