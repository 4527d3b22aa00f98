"""A scene put into the MJCF files that it was read from.

What the files say and what they are to say are both written as this program writes them; where
those two differ, the text is changed on the element itself, never on its class, in its own units.
"""

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import compress

import numpy as np

from ....closeness import is_close
from ....core.checks.difference import Difference
from ....core.findings.loss import Losses, Noun
from ....core.meaning.axes import joint_axes
from ....core.model.mesh import Mesh, MeshData
from ....core.model.pose import Array, pose_from_matrix, relative_pose
from ....core.model.scene import PhysicsScene
from ...documents.xml_source import SourceElement
from ..format import Written
from ..revision import Revision
from .actuator_editing import ActuatorEdits
from .attribute_edits import AttributeEdits, matrix_of
from .joints import NAME
from .pair_editing import edit_pairs, excluded_in
from .printing import PLACE, Attributes, placed
from .reader import read_model
from .references import Removal, rename
from .source_model import Placed, SourceModel, section_key
from .writer import root_of

_WEIGHT = frozenset((Noun.MASS, Noun.INERTIA, Noun.CENTER_OF_MASS))
_OF_ZERO = frozenset((Noun.POSE, Noun.FRAMES, Noun.LIMIT, Noun.POSITION_TARGET, Noun.CARRIED))
"""What of a joint depends on where its zero is."""
_KINDS = ("body", "joint", "geom", "site")
_CORNERS = np.vstack((np.zeros(3), np.eye(3)))
_STUB = MeshData(_CORNERS, np.array(((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)), dtype=np.intp))
"""A mesh that stands for each one: what is in their files does not count here."""


def edited_model(revision: Revision) -> Written:
    """Return the files with what differs; raises `UneditableError`."""
    model = SourceModel(revision.document.files)
    editor = _Editor(model, revision)
    editor.edit()
    files = model.data()
    again = read_model(revision.document.source(files)).scene
    missing = revision.missing(again)
    if editor.weigh(missing):
        files = model.data()
        again = read_model(revision.document.source(files)).scene
        missing = revision.missing(again)
    editor.report_missing(again, missing)
    return Written(files=files, losses=tuple(editor.losses), names_all=True)


class _Editor:
    """Puts the differences of two models into the texts of one."""

    def __init__(self, model: SourceModel, revision: Revision) -> None:
        self.losses = Losses()
        self._model = model
        self._revision = revision
        self._before = _Elements(_stubbed(revision.before))
        self._after = _Elements(_stubbed(revision.after_in_old_names()))
        self._rules = AttributeEdits(model, revision)

    def edit(self) -> None:
        """Make all edits."""
        self._remove()
        for key, one in self._before.found.items():
            new = self._after.found.get(key)
            holder = ("body", key[1]) if key[0] == "inertial" else key
            place = self._model.placed.get(holder)
            if new is None:
                continue
            if place is not None:
                problem = self._rules.edit(key[0], place, one.attrib, self._held(key, new))
            else:
                problem = self._rules.problem_of_unknown(one.attrib, new.attrib)
            if problem:
                self.losses.lost(key[1], key[0], problem)
        self._edit_sections()
        self._edit_actuators()
        self._edit_pairs()
        self._report_meshes()
        self._rename()

    def weigh(self, missing: list[Difference]) -> bool:
        """Give bodies whose mass edited geoms change one of their own; return whether any."""
        before, after = self._before.found, self._after.found
        old = {other: node for node, other in self._revision.match.items()}
        changed = [
            ("inertial", self._revision.before.names[old[found.node]])
            for found in missing
            if found.noun in _WEIGHT and found.node in old
        ]
        is_any = False
        for key in dict.fromkeys(changed):
            place = self._model.placed.get(("body", key[1]))
            if place is None or key not in before or key not in after:
                continue
            has_own = place.element.find("inertial") is not None
            if not has_own and self._rules.is_alike(before[key].attrib, after[key].attrib):
                problem = self._rules.edit("inertial", place, {}, after[key].attrib)
                is_any = is_any or not problem
        return is_any

    def _held(self, key: tuple[str, str], new: ET.Element) -> Attributes:
        """Return attributes of an element, which the text keeps in the body that it is in."""
        before, after = self._before, self._after
        if key[0] == "inertial" or before.holder(key) == after.holder(key):
            return new.attrib
        if key[0] == "joint":
            return before.found[key].attrib
        world = after.world(after.holder(key)) @ matrix_of(new.attrib)
        inside = np.linalg.inv(self._kept_world(before.holder(key))) @ world
        others = {name: value for name, value in new.attrib.items() if name not in PLACE}
        return others | placed(inside)

    def _kept_world(self, body: str) -> Array:
        """Return where a body of the text is (4, 4): one that is gone stays on what holds it."""
        inside = np.eye(4)
        while body and ("body", body) not in self._after.found:
            inside = matrix_of(self._before.found["body", body].attrib) @ inside
            body = self._before.holder(("body", body))
        return self._after.world(body) @ inside

    def report_missing(self, again: PhysicsScene, missing: list[Difference]) -> None:
        """Report what the changed files, read as `again`, do not say."""
        if missing:
            derived = self._derived()
            alike = self._written_alike(_Elements(_stubbed(again))) - self._apart()
            left = [
                found
                for found in missing
                if not (found.noun in _WEIGHT and found.node in derived)
                and not (found.noun in _OF_ZERO and found.node in alike)
            ]
            self._revision.report_missing(left, self.losses)
        self._revision.report_unwritten(again, self.losses)

    def _derived(self) -> set[int]:
        """Return the light bodies between joints, which have no element of their own."""
        before, after = self._revision.before, self._revision.after
        kept = after.carried.get(NAME)
        between = kept.get("between", {}).values() if isinstance(kept, dict) else ()
        light = {name for names in between for name in names}
        return {
            other
            for node, other in self._revision.match.items()
            if after.names[other] in light
            and other in after.motions
            and is_close(before.motions[node].mass, after.motions[other].mass)
        }

    def _written_alike(self, again: "_Elements") -> set[int]:
        """Return the joints that are written alike: their zero is the reader's choice."""
        found = set()
        for node, other in self._revision.match.items():
            one = self._after.found.get(("joint", self._revision.before.names[node]))
            new = again.found.get(("joint", self._revision.after.names[other]))
            if one is not None and new is not None and self._rules.is_alike(one.attrib, new.attrib):
                found.add(other)
        return found

    def _apart(self) -> set[int]:
        """Return the joints whose frames are apart along a locked axis: MJCF has one place."""
        scene, near = self._revision.after, self._revision.distance
        frames = pose_from_matrix(scene.matrices)
        ends = ([joint.node for joint in scene.joints], [joint.other for joint in scene.joints])
        gaps = np.abs(relative_pose(*map(frames.at, ends)).position)
        are_locked = [
            [axis.own.is_locked for axis in joint_axes(joint.settings).linear]
            for joint in scene.joints
        ]
        are_apart = (np.array(are_locked, bool).reshape(-1, 3) & (gaps > near)).any(axis=1)
        return set(compress(ends[0], are_apart.tolist()))

    def _remove(self) -> None:
        """Take out what is in the scene no more; what MuJoCo cannot free stays."""
        gone = [key for key in self._before.found if key not in self._after.found]
        removal = Removal(self._model)
        bodies = {name for kind, name in gone if kind == "body"}
        for name in bodies:
            self._remove_body(name, bodies, removal)
        for kind, name in gone:
            place = self._model.placed.get((kind, name))
            if place is not None and kind != "body" and place.body not in bodies:
                self._remove_part(kind, name, place, removal)
        self._remove_loops()
        for text in removal.went:
            self.losses.lost(text, Noun.CARRIED, "it is removed with what it refers to")

    def _remove_loops(self) -> None:
        """Take out the equalities of joints that the scene has no more."""
        before, after, match = self._revision.before, self._revision.after, self._revision.match
        there = {joint.node for joint in after.joints}
        gone = {
            before.names[joint.node]
            for joint in before.joints
            if match.get(joint.node, -1) not in there
        }
        for key in self._before.sections.keys() - self._after.sections.keys():
            element = self._model.section_of(key)
            if key[0] == "equality" and key[2] in gone and element is not None:
                self._model.edits_of(element).remove(element)

    def _remove_body(self, name: str, gone: set[str], removal: Removal) -> None:
        place = self._model.placed.get(("body", name))
        if place is None or place.body in gone:
            return
        if self._holds_others(place.element, gone):
            self.losses.lost(name, Noun.NODE, "it holds other bodies, so the file keeps it")
        else:
            removal.body(place.element)

    def _remove_part(self, kind: str, name: str, place: Placed, removal: Removal) -> None:
        if kind != "joint":
            self._model.edits_of(place.element).remove(place.element)
        elif self._after.is_free(place.body):
            text = "without it, the body would be welded to the one above; the file keeps it"
            self.losses.lost(name, Noun.JOINT, text)
        else:
            removal.joints([place.element])

    def _holds_others(self, body: SourceElement, gone: set[str]) -> bool:
        places = self._model.placed.items()
        inside = {
            name
            for (kind, name), place in places
            if kind == "body" and self._model.is_below(place.element, body)
        }
        return not inside <= gone

    def _edit_sections(self) -> None:
        """Edit actuators and equalities that the text has under the same names."""
        for key, one in self._before.sections.items():
            new = self._after.sections.get(key)
            if new is None or dict(one.attrib) == dict(new.attrib):
                continue
            element = self._model.section_of(key)
            problem = self._rules.edit_section(element, one.attrib, new.attrib)
            if problem:
                self.losses.lost(key[2] or key[1], key[0], problem)

    def _edit_actuators(self) -> None:
        edits = ActuatorEdits(self._model, self._rules, self._new_names())
        edits.edit(self._before.sections, self._after.sections, self._after.root)

    def _edit_pairs(self) -> None:
        names = self._new_names()
        edit_pairs(self._model, self._before.excluded, self._after.excluded, names)

    def _new_names(self) -> dict[str, str]:
        """Return the names that nodes are to have, by those that they have in the text."""
        revision = self._revision
        return {
            revision.before.names[node]: revision.after.names[other]
            for node, other in revision.match.items()
        }

    def _report_meshes(self) -> None:
        scene = self._revision.after
        for node in self._revision.remeshed:
            text = "an edited mesh is not written into the file; write it anew"
            self.losses.lost(scene.names[node], Noun.MESH, text)

    def _rename(self) -> None:
        revision = self._revision
        for node, other in revision.match.items():
            old, new = revision.before.names[node], revision.after.names[other]
            for kind in _KINDS if old != new else ():
                place = self._model.placed.get((kind, old))
                if place is not None and (kind, old) in self._before.found:
                    rename(self._model, kind, place.element, new)
                    break


class _Elements:
    """Elements of a scene as this program writes it."""

    def __init__(self, scene: PhysicsScene) -> None:
        root = self.root = root_of(scene)
        self.found: dict[tuple[str, str], ET.Element] = {}
        self.sections: dict[tuple[str, str, str], ET.Element] = {}
        """Actuators and equalities by section, tag and what distinguishes them."""
        self.excluded = excluded_in(root)
        self._above: dict[ET.Element, ET.Element] = {}
        world = root.find("worldbody")
        for element in () if world is None else world.iter():
            name = element.get("name", "")
            if element.tag in _KINDS and name:
                self.found[element.tag, name] = element
            inertial = element.find("inertial")
            if inertial is not None:
                self.found["inertial", name] = inertial
            self._above.update(dict.fromkeys(element, element))
        for section in ("actuator", "equality"):
            for element in root.iterfind(f"{section}/*"):
                self.sections[section, element.tag, section_key(element.attrib)] = element

    def holder(self, key: tuple[str, str]) -> str:
        """Return the body that an element is in, empty for the world."""
        return self._above[self.found[key]].get("name", "")

    def world(self, body: str) -> Array:
        """Return where a body is in the world (4, 4)."""
        world, element = np.eye(4), self.found.get(("body", body))
        while element is not None and element.tag == "body":
            world, element = matrix_of(element.attrib) @ world, self._above[element]
        return world

    def is_free(self, body: str) -> bool:
        """Return whether a body is a root."""
        element = self.found.get(("body", body))
        return element is not None and element.find("freejoint") is not None


def _stubbed(scene: PhysicsScene) -> PhysicsScene:
    """Return a scene whose meshes cost nothing."""
    meshes = tuple(Mesh(name=mesh.name, uri=mesh.uri, read=lambda: _STUB) for mesh in scene.meshes)
    return replace(scene, meshes=meshes)
