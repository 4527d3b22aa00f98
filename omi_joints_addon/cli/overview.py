"""What `show` prints of a scene: who holds whom as a tree, then a table of all joints."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..core.engines.engine import Engine
from ..core.meaning.authored import authored_settings
from ..core.meaning.description import describe_drive, describe_limit
from ..core.meaning.naming import distinct_names
from ..core.meaning.recognition import joint_kind
from ..core.model.graph import joint_ends
from ..core.model.scene import Joint, PhysicsScene
from ..io.formats.checking import check
from ..io.formats.format import Read
from .file_report import amounts, plural
from .terminal import Painter, printable, table

_MOST = 50
"""Limits, and drives, of one joint that are shown."""
_DEEPEST = 40
"""Levels of the tree of bodies that are indented."""
_WORLD = -1
_Links = dict[int, list[tuple[int, Joint]]]
_Key = tuple[int, float, tuple[float, float] | None]


class _Description(NamedTuple):
    """What is shown of joint settings."""

    kind: str
    becomes: tuple[str, ...]
    """What the engine makes of them, nothing without an engine."""
    words: list[str]
    """What limits and drives do."""


def overview(read: Read, engine: Engine | None, painter: Painter) -> Iterator[str]:
    """Yield the lines about a scene; without an engine, nothing about what joints become."""
    scene = read.scene
    if read.name:
        yield painter.bold(f"Scene {printable(read.name)}")
    yield painter.bold(amounts(scene))
    shown = _descriptions(scene, engine)
    names = distinct_names(scene)
    yield from _Tree(scene, shown, names).lines()
    if scene.joints:
        yield ""
        yield from table(_rows(scene, engine, shown, names))
    if found := check(read):
        yield painter.dim(f"{plural(len(found), 'finding')}; run the check command for details")


def _descriptions(scene: PhysicsScene, engine: Engine | None) -> dict[_Key, _Description]:
    """Return what is shown of all joints, those that are alike once."""
    alike = {_key(joint): joint for joint in scene.joints}
    return {
        key: _Description(
            joint_kind(joint.settings).label,
            (engine.becomes(joint.settings),) if engine else (),
            list(described(joint)) or ["nothing"],
        )
        for key, joint in alike.items()
    }


def _key(joint: Joint) -> _Key:
    """Return what joints have in common that are shown alike."""
    return id(joint.settings), joint.attributes.zero, joint.attributes.whole_range


def described(joint: Joint) -> Iterator[str]:
    """Yield what limits and drives do, as the author counts; of very many those that one reads."""
    settings = authored_settings(joint.settings, joint.attributes)
    yield from map(describe_limit, settings.limits[:_MOST])
    yield from map(describe_drive, settings.drives[:_MOST])
    more = sum(max(0, len(parts) - _MOST) for parts in (settings.limits, settings.drives))
    if more:
        yield f"{more} more"


def _rows(
    scene: PhysicsScene,
    engine: Engine | None,
    shown: dict[_Key, _Description],
    names: Sequence[str],
) -> Iterator[tuple[str, ...]]:
    heads = ("JOINT", "KIND", *((engine.label.upper(),) if engine else ()))
    yield (*heads, "LIMITS AND DRIVES")
    for joint in scene.joints:
        kind, becomes, (first, *others) = shown[_key(joint)]
        yield (names[joint.node], kind, *becomes, first)
        for other in others:
            yield (*("" for _ in heads), other)


class _Tree:
    """The lines of the bodies, each below the one that holds it."""

    def __init__(
        self, scene: PhysicsScene, shown: dict[_Key, _Description], names: Sequence[str]
    ) -> None:
        self._scene = scene
        self._shown = shown
        self._names = names
        self._seen: set[int] = set()
        self._held: _Links = defaultdict(list)
        for joint, (body, holder) in zip(scene.joints, joint_ends(scene).pairs(), strict=True):
            self._held[holder].append((body, joint))

    def lines(self) -> Iterator[str]:
        """Yield a line for each body, and for each further joint of it."""
        below = {body for bodies in self._held.values() for body, _ in bodies}
        if _WORLD in self._held:
            yield "world"
            yield from self._branch(_WORLD)
        roots = [body for body in self._scene.motions if body not in below]
        # What is left is connected in loops.
        for body in (*roots, *self._scene.motions):
            if body not in self._seen:
                yield self._body(body)
                yield from self._branch(body)

    def _branch(self, root: int) -> Iterator[str]:
        """Yield what is connected to a body, without recursion: a rope may have thousands of links.

        Only where it branches the tree gets deeper: the links of a chain are in one column.
        """
        self._seen.add(root)
        stack = self._below(root, 0)
        while stack:
            depth, mark, body, joint = stack.pop()
            name = f"{self._shown[_key(joint)].kind} {printable(self._names[joint.node])}"
            again = " (see above)" if body in self._seen else ""
            indent = "  " * min(depth, _DEEPEST)
            yield f"{indent}{mark} {name}: {self._body(body)}{again}"
            if body not in self._seen:
                self._seen.add(body)
                stack += self._below(body, depth)

    def _below(self, body: int, depth: int) -> list[tuple[int, str, int, Joint]]:
        """Return depth, mark, body and joint of what is connected to a body, the first last."""
        links = self._held.get(body, [])
        mark, step = ("↓", 0) if depth and len(links) == 1 else ("└", 1)
        return [(depth + step, mark, *link) for link in reversed(links)]

    def _body(self, body: int) -> str:
        if body < 0:
            return "no body"
        motion = self._scene.motions[body]
        mass = f", {motion.mass:g} kg" if self._scene.is_dynamic(body) else ""
        return f"{printable(self._names[body])} [{printable(motion.type)}{mass}]"
