"""A document written and read again, so that nothing is dropped silently."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...core.findings.sentence import Sentence
from ..files import scratch
from .format import Format, Kept, Options, Source, Target, UnreadableError, UnwritableError, Written

if TYPE_CHECKING:
    from ...core.checks.difference import Difference
    from ...core.findings.loss import Loss
    from ...core.model.animation import Track
    from ...core.model.scene import PhysicsScene
    from .format import Read

_OF_KEEPING = {"source", "carry", "layer"}
"""Options that say how a document is kept."""


def written_scene(row: Format, scene: "PhysicsScene", target: Target) -> Written:
    """Return the document of a scene, with losses for all that reading it does not bring back.

    Where the scene was read from a document of the format, that is changed instead of replaced;
    the option `source` "new" writes anew. A writer that names all losses itself is believed.

    Raises `UnwritableError`, also where the document cannot be read.
    """
    from ...core.meaning.animated import animated_joints, animated_motions
    from .advice import advised
    from .details import Details
    from .preparing import prepared

    scene, of_bodies = prepared(scene, row.name)
    written = _written(row, scene, target)
    details = Details(scene, row.name)
    losses = [*written.losses, *of_bodies]
    losses += details.losses_of_scene(is_inventoried=target.kept is not None)
    if scene.tracks and not written.holds_animation:
        joints = animated_joints(scene).items()
        moving = {scene.joints[number].node: tracks for number, tracks in joints}
        losses += _losses_of_tracks(scene, moving)
    if scene.tracks and not (row.name == "gltf" and written.names_all):
        losses += _losses_of_tracks(scene, animated_motions(scene))
    if target.kept is None or target.kept.document.format != row.name:
        idle = _idle(scene)
        losses = [each for each in losses if (each.place, each.noun) not in idle]
    return written._replace(losses=advised(losses, row.label))


def _idle(scene: "PhysicsScene") -> "set[tuple[str, str]]":
    """Return the places and nouns that matter to nothing.

    They are what a weld could do, and collisions of joined bodies one of which has no shape.
    """
    from ...core.checks.acting_alike import welded_joints
    from ...core.findings.loss import Noun
    from ...core.model.attributes import DEFAULT_ATTRIBUTES
    from ...core.model.graph import joint_ends

    owner = scene.bodies()
    solid = {int(owner[node]) for node in scene.colliders}
    found = {
        (scene.names[joint.node], str(Noun.ENABLE_COLLISION))
        for joint, pair in zip(scene.joints, joint_ends(scene).pairs(), strict=True)
        if joint.enable_collision and not {*pair} <= solid
    }
    if any(joint.attributes != DEFAULT_ATTRIBUTES for joint in scene.joints):
        of_motion = (Noun.EFFORT, Noun.VELOCITY_LIMIT, Noun.FRICTION, Noun.ARMATURE)
        welds = (scene.names[scene.joints[number].node] for number in welded_joints(scene))
        found |= {(place, str(noun)) for place in welds for noun in of_motion}
    return found


def _losses_of_tracks(
    scene: "PhysicsScene", tracks_of: "Mapping[int, Sequence[Track]]"
) -> "Iterator[Loss]":
    """Yield the nodes whose numbers change over time, where a file holds their values at rest."""
    from ...core.findings.loss import How, Loss, Noun

    for node, tracks in tracks_of.items():
        members = ", ".join(sorted({track.member.replace("_", " ") for track in tracks}))
        text = Sentence("{members} over time; the file holds what is at rest", members=members)
        yield Loss(scene.names[node], Noun.ANIMATION, How.LOST, text)


def _written(row: Format, scene: "PhysicsScene", target: Target) -> Written:
    """Return what a format writes, with losses that reading it again shows."""
    kept = target.kept
    if kept is not None and target.options.get("source", "keep") == "keep":
        from .revising import revised_scene  # here, since Blender starts without numpy

        revised = revised_scene(row, scene, kept, target)
        if revised is not None:
            return revised
    if kept is not None and kept.is_single:
        from .revising import snapped_scene

        scene = snapped_scene(scene, kept)
    written = row.write(scene, target)
    if kept is not None:
        written = written._replace(losses=(*written.losses, *_unheld(row, kept, written, target)))
    if written.names_all:
        return written
    again = _read_again(row, written, target)
    found = tuple(unnamed(scene, again, written.losses, own=row.name))
    return written._replace(losses=(*written.losses, *found))


def kept_of(
    row: Format, read: "Read", wanted: Format, options: Options
) -> tuple[Kept | None, Options]:
    """Return the document that a scene was read from, and the options with which to write it.

    Options of how a document is written ask for a new one where the format is the same.
    """
    from .inventory import Inventoried

    if read.document is None:
        return None, options
    unheld = read.unread
    if row is not wanted:
        unheld = row.unheld(read.document) if isinstance(row, Inventoried) else unheld
    elif options.keys() - _OF_KEEPING:
        options = {**options, "source": "new"}
    return Kept(document=read.document, read=read, unheld=unheld), options


def _unheld(row: Format, kept: Kept, written: Written, target: Target) -> "Iterator[Loss]":
    """Yield what the document has that no scene holds and the written one lacks."""
    from .inventory import Inventoried

    if kept.document.format != row.name:
        for loss in kept.unheld:
            if loss.noun not in written.holds:
                yield loss
    elif isinstance(row, Inventoried):
        files = {target.path.name: bytes(written.files[target.path.name])}
        new = row.unheld(kept.document._replace(files=files))
        still = {loss.noun for loss in new}
        for loss in row.unheld(kept.document):
            if loss.noun not in still:
                yield loss._replace(text="a file that is written anew does not have this")


def unnamed(
    scene: "PhysicsScene",
    again: "PhysicsScene",
    losses: "Iterable[Loss]",
    *,
    own: str,
) -> "Iterator[Loss]":
    """Yield what a scene that was read again lacks and no loss names.

    Nodes are distinguished by their names; of those that were renamed, nothing is known. `own` is
    the name of the format: what others keep in the scene is named as theirs.
    """
    from ...core.checks.acting_alike import without_alike
    from ...core.checks.difference_values import DifferenceValues
    from ...core.checks.differences import differences
    from ...core.checks.matching import matched_by_name
    from ...core.findings.loss import How, Loss, Noun
    from ...core.rewrite.same_joints import with_joints_described_as
    from .details import Details

    known = _Named(scene, again, losses)
    match = matched_by_name(scene, again)
    # By other axes or ends joints move alike.
    again, _ = with_joints_described_as(scene, again, match)
    values, details = DifferenceValues(scene, again, match), Details(scene, own)
    found = differences(scene, again, match)
    for difference in without_alike(found, scene, again, match):
        if known.has(difference):
            continue
        if difference.noun == Noun.CARRIED:
            yield from details.losses(difference.node)
            continue
        how = How.CONVERTED if difference.noun in _EXPRESSED_OTHERWISE else How.LOST
        pair = values.of(difference)
        text = (
            "it is not in the file"
            if pair is None
            else Sentence("{one} becomes {new}", one=pair[0], new=pair[1])
        )
        yield Loss(known.place(difference), difference.noun, how, text)


class _Named:
    """Differences of a scene from what is read again that need no loss of their own."""

    def __init__(
        self, scene: "PhysicsScene", again: "PhysicsScene", losses: "Iterable[Loss]"
    ) -> None:
        from ...core.checks.matching import freely_named
        from ...core.findings.loss import Noun

        self._names = scene.names
        self._free = freely_named(scene)
        self._bodies = scene.motions.keys()
        self._named = {(loss.place, loss.noun) for loss in losses}
        of_nodes = (Noun.NAME, Noun.NODE)
        self._renamed = {place for place, noun in self._named if place and noun in of_nodes}
        self._parts = {
            Noun.COLLIDER: {again.names[node] for node in again.colliders},
            Noun.VISUAL: {again.names[node] for node in again.visuals},
        }

    def place(self, difference: "Difference") -> str:
        """Return the name of what differs, empty for the scene."""
        return self._names[difference.node] if difference.node >= 0 else ""

    def has(self, difference: "Difference") -> bool:
        """Return whether a difference is named or does not count.

        A part that has become a node of its own is where it was, and names of models and parts are
        free.
        """
        place, noun = self.place(difference), difference.noun
        # Bodies are where they are, whatever they are below.
        if noun == "parent" and difference.node in self._bodies:
            return True
        if noun == "name" and difference.node in self._free:
            return True
        if {(place, noun), ("", noun)} & self._named or place in self._renamed:
            return True
        return place in self._parts.get(noun, ()) or (not place and noun == "name")


_EXPRESSED_OTHERWISE = frozenset(("name", "parent", "pose", "frames", "shape", "inertia"))
"""Nouns that are in every document, though not always as they were."""


def _read_again(row: Format, written: Written, target: Target) -> "PhysicsScene":
    from ..contents import write_files

    with scratch() as folder:
        write_files(folder, written.files)
        largest = 1 + max(map(len, written.files.values()), default=0)
        try:
            return row.read(Source(path=folder / target.path.name, largest=largest))[0].scene
        except UnreadableError as error:
            raise UnwritableError(
                Sentence("the written file cannot be read back: {error}", error=error)
            ) from error
