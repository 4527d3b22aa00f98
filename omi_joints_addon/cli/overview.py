"""What `show` prints of a scene: who holds whom as a tree, then a table of all joints."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ..core.engines.engine import Engine
from ..core.meaning.description import describe_drive, describe_limit
from ..core.meaning.recognition import joint_kind
from ..core.model.graph import joint_ends
from ..core.model.joint import JointSettings
from ..core.model.scene import Joint, PhysicsScene
from ..io.formats.checking import check
from ..io.formats.format import Read
from .terminal import Painter, printable, table

_MOST = 50
"""Limits, and drives, of one joint that are told."""
_DEEPEST = 200
"""Levels of the tree of bodies that are indented."""
_Links = dict[int, list[tuple[int, Joint]]]


class _Told(NamedTuple):
    """What is told of joint settings."""

    kind: str
    becomes: str
    """What the engine makes of them."""
    words: list[str]
    """What limits and drives do."""


def overview(read: Read, engine: Engine, painter: Painter) -> Iterator[str]:
    """Yield the lines about a scene."""
    scene = read.scene
    if read.name:
        yield painter.bold(f"Scene {printable(read.name)}")
    bodies = _counted(len(scene.motions), "body", "bodies")
    yield painter.bold(f"{bodies}, {_counted(len(scene.joints), 'joint', 'joints')}")
    told = _told_of_all(scene, engine)
    yield from _tree(scene, told)
    if scene.joints:
        yield ""
        yield from table(_rows(scene, engine, told))
    if found := check(read):
        findings = _counted(len(found), "finding", "findings")
        yield painter.dim(f"{findings}; run the check command for details")


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _told_of_all(scene: PhysicsScene, engine: Engine) -> dict[int, _Told]:
    """Return what is told of the settings of all joints, by their `id`."""
    settings = {id(joint.settings): joint.settings for joint in scene.joints}
    return {
        key: _Told(
            joint_kind(each).label, engine.becomes(each), list(_described(each)) or ["nothing"]
        )
        for key, each in settings.items()
    }


def _described(settings: JointSettings) -> Iterator[str]:
    """Yield what limits and drives do; of very many those that a person reads."""
    yield from map(describe_limit, settings.limits[:_MOST])
    yield from map(describe_drive, settings.drives[:_MOST])
    more = sum(max(0, len(parts) - _MOST) for parts in (settings.limits, settings.drives))
    if more:
        yield f"{more} more"


def _rows(scene: PhysicsScene, engine: Engine, told: dict[int, _Told]) -> Iterator[tuple[str, ...]]:
    yield ("JOINT", "KIND", engine.label.upper(), "LIMITS AND DRIVES")
    for joint in scene.joints:
        kind, becomes, (first, *others) = told[id(joint.settings)]
        yield (scene.names[joint.node], kind, becomes, first)
        for other in others:
            yield ("", "", "", other)


def _tree(scene: PhysicsScene, told: dict[int, _Told]) -> Iterator[str]:
    """Yield the bodies, each below the one that holds it."""
    held: _Links = defaultdict(list)
    for joint, (body, holder) in zip(scene.joints, joint_ends(scene).pairs(), strict=True):
        held[holder].append((body, joint))
    below = {body for bodies in held.values() for body, _ in bodies}
    seen: set[int] = set()
    if -1 in held:
        yield "world"
        yield from _branch(scene, held, -1, seen, told)
    roots = [body for body in scene.motions if body not in below]
    # What is left hangs together in circles.
    for body in (*roots, *scene.motions):
        if body not in seen:
            yield _body_line(scene, body)
            yield from _branch(scene, held, body, seen, told)


def _branch(
    scene: PhysicsScene, held: _Links, root: int, seen: set[int], told: dict[int, _Told]
) -> Iterator[str]:
    """Yield what hangs on a body, without recursion: a rope may have thousands of links."""
    seen.add(root)
    stack = [(1, body, joint) for body, joint in reversed(held.get(root, []))]
    while stack:
        depth, body, joint = stack.pop()
        indent = "  " * min(depth, _DEEPEST)
        name = f"{told[id(joint.settings)].kind} {printable(scene.names[joint.node])}"
        again = " (see above)" if body in seen else ""
        yield f"{indent}└ {name}: {_body_line(scene, body)}{again}"
        if body not in seen:
            seen.add(body)
            stack += [(depth + 1, *link) for link in reversed(held.get(body, []))]


def _body_line(scene: PhysicsScene, body: int) -> str:
    if body < 0:
        return "no body"
    motion = scene.motions[body]
    mass = f", {motion.mass:g} kg" if scene.is_dynamic(body) else ""
    return f"{printable(scene.names[body])} [{printable(motion.type)}{mass}]"
