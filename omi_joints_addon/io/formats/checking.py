"""All that is wrong with a scene of a file: with its document, and with what it means."""

from collections.abc import Iterator

from ...core.checks.scene import capped, check_scene
from ...core.checks.structure import NO_CONNECTED_NODE
from ...core.findings.finding import Finding
from .format import Read


def check(read: Read) -> list[Finding]:
    """Return the findings of a scene, at most a thousand of each rule."""
    return capped([*read.findings, *_of_scene(read)])


def _of_scene(read: Read) -> Iterator[Finding]:
    """Yield what is wrong with the scene; in a document a missing end has been told."""
    told = {found.place.removesuffix("/connectedNode") for found in read.findings}
    for found in check_scene(read.scene):
        is_told = found.rule == NO_CONNECTED_NODE and found.place in told
        if is_told or found.code in read.exempt:
            continue
        is_pointer = found.part and found.place.startswith("/")
        if is_pointer:
            yield Finding(found.rule, found.place + found.part, found.message)
        else:
            yield found
