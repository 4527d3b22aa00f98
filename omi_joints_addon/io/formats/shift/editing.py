"""A scene put into the Shift file that it was read from, member by member.

What the file says and what it is to say are both written as this program writes them; where those
two differ, the text is changed, in the units of the file and where the file has it.
"""

from collections.abc import Iterator
from typing import Any

from ....closeness import is_close
from ....core.checks.difference import Difference
from ....core.checks.differences import differences
from ....core.findings.loss import Losses, Noun
from ....core.model.plain import JsonObject
from ....core.model.scene import PhysicsScene
from ...documents.json_edits import JsonEdits
from ...documents.json_merging import JsonMerge
from ...documents.number_words import shortest
from ..carrier import carrier
from ..format import Written
from ..revision import Revision
from .body_writing import TENSOR
from .carried import CARRIER
from .layout import FIXED, Layout
from .parts import (
    BODY,
    FLOAT,
    JOINT,
    LISTS,
    RESTRAINT,
    Key,
    OwnParts,
    Part,
    paths_as,
    written_name,
    written_parts,
)
from .reader import read_model
from .text import document_of_text
from .units import Units, in_units, units_of
from .upright import as_in_file
from .writer import model_document

_MOMENTS = tuple(name for name, *_ in TENSOR)
_PLACES = frozenset(("T", "R", "center_of_mass", "initial_displacement"))
"""Members that are places, which are near within a distance."""
_NO_NAMES: frozenset[str] = frozenset()


def edited_model(revision: Revision) -> Written:
    """Return the file with what differs; raises `UneditableError`.

    Where a part of the file says more than this program writes of it, and an edit would change
    that, too, the part stays as it is.
    """
    name, data = next(iter(revision.document.files.items()))
    kept, losses = _NO_NAMES, Losses()
    wanted = set(_edits(revision))
    for _ in range(2):
        editor = _Editor(revision, data, kept)
        editor.edit()
        losses, text = editor.losses, editor.merge.edits.result()
        again = read_model(revision.document.source({name: text})).scene
        # Frames may be called otherwise.
        missing = [
            each for each in revision.missing(again) if each.noun != Noun.CARRIED or each in wanted
        ]
        spoiled = [each for each in missing if each not in wanted]
        if not spoiled:
            break
        kept = frozenset(revision.after.names[each.node] for each in spoiled if each.node >= 0)
    else:
        text, losses, again, missing = data, Losses(), revision.before, []
    revision.report_missing(missing, losses)
    revision.report_unwritten(again, losses)
    return Written(files={name: text}, losses=tuple(losses), names_all=True)


def _edits(revision: Revision) -> Iterator[Difference]:
    for each in revision.edits:
        yield each._replace(node=revision.match.get(each.node, -1))
    back = {other: node for node, other in revision.match.items()}
    yield from differences(revision.after, revision.before, back, reach=revision.reach)


class _Editor:
    def __init__(self, revision: Revision, data: bytes, kept: frozenset[str]) -> None:
        """`kept` are the names of what stays as it is."""
        self.losses = Losses()
        self._revision = revision
        self._kept = {written_name(name) for name in kept}
        self._document = document_of_text(data)
        self.merge = JsonMerge(
            JsonEdits(data), self._are_same, lambda value: shortest(value, revision.digits)
        )
        self._layout = Layout(self._document, Units(), [])
        self._own = OwnParts(self._layout, revision.before)
        one, self._before, losses = self._written(revision.before)
        two, self._after, new_losses = self._written(revision.after_in_old_names())
        known = set(losses)
        self.losses.found += [each for each in new_losses if each not in known]
        self._documents = one, two

    def _written(self, scene: PhysicsScene) -> tuple[JsonObject, dict[Key, Part], Losses]:
        """Return the document of a scene and its parts, as the file has axes, paths and units."""
        scene = as_in_file(scene, self._document, self._revision.document.source())
        is_new = "fixed" not in self._document and "frames" in self._document
        document, losses = model_document(scene, "2.0.0" if is_new else "0.2")
        in_units(document, units_of(self._document, []))
        paths = {name: self._own.path_of(name) for name in self._own.bodies}
        known = {name: path for name, path in paths.items() if path is not None}
        parts = written_parts(document)
        for (kind, *_), part in parts.items():
            if kind != BODY:
                paths_as(part.members, known)
        return document, parts, losses

    def _are_same(self, pointer: str, one: float, other: float) -> bool:
        name = next(each for each in reversed(pointer.split("/")) if not each.isdigit())
        if name in _PLACES:
            return abs(one - other) <= self._revision.distance
        return is_close(one, other)

    def edit(self) -> None:
        """Make all edits; what there is no rule for is reported when the text is read again."""
        self._edit_whole()
        for key in self._before.keys() - self._after.keys():
            if key in self._own.found and key[1] not in self._kept:
                self.merge.edits.remove(self._own.found[key].place)
        for key, new in self._after.items():
            own, one = self._own.found.get(key), self._before.get(key)
            if key[1] in self._kept or (one is not None and one.members == new.members):
                continue
            if own is not None and one is not None:
                self._edit_part(key, own, one.members, new.members)
            elif one is None or key[0] == FLOAT:
                self._add(key, new)
        self._rename()

    def _edit_whole(self) -> None:
        """Put gravity, the frames of what does not move, and what is carried whole."""
        one, two = ({CARRIER: each[CARRIER]} if CARRIER in each else {} for each in self._documents)
        self.merge.members("", self._document, one, two)
        name = "model_parameters"
        one, two = ({name: {"gravity": each[name]["gravity"]}} for each in self._documents)
        self.merge.members("", self._document, one, two)
        has_fixed = isinstance(self._document.get(FIXED), dict)
        holder = self._document[FIXED] if has_fixed else self._document
        one, two = ({"frames": each.get(FIXED, each).get("frames", [])} for each in self._documents)
        _name_frames(holder, one, two)
        self.merge.members("/fixed" if has_fixed else "", holder, one, two)

    def _edit_part(self, key: Key, own: Part, one: JsonObject, new: JsonObject) -> None:
        if key[0] == BODY:
            one, new = (_in_form(own.members, each) for each in (one, new))
            _settle(one, new)
            _name_frames(own.members, one, new)
        before, after = ({**each, "name": ""} for each in (one, new))
        if key[0] == JOINT:
            carried = [each.pop(CARRIER, None) for each in (before, after)]
            self.merge.members(own.place, own.members, before, after)
            if any(carried):
                self._carry(own, carried[1])
            return
        if key[0] == RESTRAINT:
            before["joint"] = after["joint"]
        self.merge.members(own.place, own.members, before, after)

    def _carry(self, own: Part, wanted: JsonObject | None) -> None:
        """Carry with a joint what Shift does not have, beside what it says now."""
        standard = {name: value for name, value in own.members.items() if name != CARRIER}
        if wanted is None:
            if CARRIER in own.members:
                self.merge.edits.remove(f"{own.place}/{CARRIER}")
            return
        values = {name: value for name, value in wanted.items() if name != "digest"}
        pointer, found = f"{own.place}/{CARRIER}", carrier(values, standard)
        kept = own.members.get(CARRIER)
        if isinstance(kept, dict):
            self.merge.members(pointer, kept, dict(kept), found)
        else:
            self.merge.edits.set(pointer, found)

    def _add(self, key: Key, new: Part) -> None:
        """Put a new part at the end of its list."""
        name = LISTS[key[0]]
        assemblies = self._own.assemblies
        assembly = assemblies.get(new.assembly, next(iter(assemblies.values()), None))
        place, members = "/fixed", self._layout.bodies[0].members
        if new.assembly != FIXED and assembly is not None:
            place, members = assembly.place, assembly.members
        listed = members.get(name)
        if isinstance(listed, list):
            self.merge.append(f"{place}/{name}", listed, new.members)
        else:
            self.merge.set(f"{place}/{name}", members, name, [new.members])

    def _rename(self) -> None:
        """Give bodies and joints new names, and all that refers to them."""
        revision, own = self._revision, self._own
        for node, other in revision.match.items():
            old, new = (
                written_name(name)
                for name in (revision.before.names[node], revision.after.names[other])
            )
            for kind in (BODY, JOINT) if old != new else ():
                part = own.found.get((kind, old))
                if part is not None and (kind, old) in self._after:
                    self.merge.edits.set(f"{part.place}/name", new)
                    self._rename_ends(old, new) if kind == BODY else self._rename_joint(old, new)
                    break

    def _rename_ends(self, old: str, new: str) -> None:
        body = self._own.bodies[old]
        for key, part in self._own.found.items():
            assembly = self._own.assemblies.get(part.assembly)
            number = -1 if assembly is None else self._layout.assemblies.index(assembly)
            for pointer, pair in _pairs(part) if key[0] != BODY else ():
                if isinstance(pair, list) and self._layout.resolve(pair[0], number) is body:
                    is_list = isinstance(pair[0], list)
                    path = [*(pair[0] if is_list else pair[0].split(":"))[:-1], new]
                    self.merge.edits.set(f"{pointer}/0", path if is_list else ":".join(path))

    def _rename_joint(self, old: str, new: str) -> None:
        for key, part in self._own.found.items():
            if key[0] == RESTRAINT and key[1] == old:
                self.merge.edits.set(f"{part.place}/joint", new)


def _pairs(part: Part) -> Iterator[tuple[str, Any]]:
    """Yield what leads to a body and a frame, with its pointer."""
    for name in ("body_frame_pairs", "body_frame_pair"):
        pairs = part.members.get(name)
        for number, pair in enumerate(pairs if isinstance(pairs, list) else ()):
            yield f"{part.place}/{name}/{number}", pair
    yield from ((f"{part.place}/{name}", part.members.get(name)) for name in ("parent", "child"))


def _in_form(own: JsonObject, written: JsonObject) -> JsonObject:
    """Return a written body with its mass and moments where another one has them."""
    found = dict(written)
    moments = dict(found.pop("moment_of_inertia", None) or found.pop("inertia"))
    mass = moments.pop("mass", None) or found.pop("mass", None)
    name = "inertia" if "inertia" in own else "moment_of_inertia"
    inner = own.get(name)
    has_mass = isinstance(inner, dict) and "mass" in inner
    return found | (
        {name: {"mass": mass, **moments}} if has_mass else {"mass": mass, name: moments}
    )


def _settle(one: JsonObject, new: JsonObject) -> None:
    """Leave out of moments what is rounding beside the largest."""
    name = "inertia" if "inertia" in one else "moment_of_inertia"
    largest = max(1e-12, *(abs(new[name][each]) for each in _MOMENTS))
    gaps = [abs(one[name][each] - new[name][each]) for each in _MOMENTS]
    for each in _MOMENTS:
        if max(gaps) <= 1e-6 * largest:
            new[name][each] = one[name][each]
        elif abs(new[name][each]) < 1e-9 * largest:
            new[name][each] = 0.0


def _name_frames(own: JsonObject, before: JsonObject, after: JsonObject) -> None:
    """Call written frames as the document does: nodes have names of their own, with numbers.

    A frame that nothing needs any more may stay.
    """
    listed = own.get("frames")
    known = {each.get("name") for each in listed or () if isinstance(each, dict)}
    for frames in (each.get("frames", ()) for each in (before, after)):
        taken = {frame["name"] for frame in frames}
        for frame in frames:
            bare, _, number = frame["name"].rpartition(".")
            if number.isdigit() and frame["name"] not in known and bare in known - taken:
                frame["name"] = bare
    new = {frame["name"] for frame in after.get("frames", ())}
    left = [frame for frame in before.get("frames", ()) if frame["name"] not in new]
    if left:
        after["frames"] = [*after.get("frames", ()), *left]
