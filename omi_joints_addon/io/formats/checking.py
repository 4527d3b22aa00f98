"""All that is wrong with a scene of a file: with its document, and with what it means."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...core.checks.scene import capped, check_scene
from ...core.checks.structure import NO_CONNECTED_NODE
from ...core.findings.finding import Finding
from .format import Read

if TYPE_CHECKING:
    from ...core.engines.engine import Engine


def check(read: Read, engine: "Engine | None" = None) -> list[Finding]:
    """Return the findings of a scene, at most a thousand of each rule.

    With an engine also what it makes of the scene.
    """
    found = [*read.findings, *_of_scene(read)]
    if engine is not None:
        found += read.engine_findings.get(engine.name, ())
        found += () if engine.name in read.judged else _of_engine(read, engine)
    return [_at(each, read.locate(each.place)) for each in capped(found)]


def _of_scene(read: Read) -> Iterator[Finding]:
    """Yield what is wrong with the scene; in a document a missing end has been reported."""
    reported = {found.place.removesuffix("/connectedNode") for found in read.findings}
    of_joints = {joint.place for joint in read.scene.joints}
    for found in check_scene(read.scene):
        is_known = found.rule == NO_CONNECTED_NODE and found.place in reported
        if is_known or found.code in read.exempt:
            continue
        # A joint only refers to its settings, which may be those of other joints, too.
        yield _at(found, found.place if found.place in of_joints else found.place + found.part)


def _of_engine(read: Read, engine: "Engine") -> Iterator[Finding]:
    """Yield what the engine makes of the scene; of settings that joints share once."""
    settings = {joint.place: joint.settings_place or joint.place for joint in read.scene.joints}
    seen: set[Finding] = set()
    for found in engine.check(read.scene):
        place = settings.get(found.place, found.place) if found.part else found.place
        placed = _at(found, place + found.part)
        is_known = bool(found.part) and placed in seen
        seen.add(placed)
        if not is_known and found.code not in read.exempt:
            yield placed


def _at(found: Finding, pointer: str) -> Finding:
    """Return a finding about a document at a JSON pointer, one about a scene as it is."""
    is_pointer = found.place.startswith("/")
    return Finding(found.rule, pointer, found.message) if is_pointer else found
