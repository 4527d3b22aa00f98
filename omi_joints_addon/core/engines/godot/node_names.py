"""Names of nodes that Godot changes, so that each is there once."""

from collections.abc import Iterator

from ...findings.finding import INFO, Finding, rule
from ...model.scene import PhysicsScene

_FORBIDDEN = str.maketrans(dict.fromkeys('.:@/"%', "_"))

RENAMED = rule(
    "OMI-E128",
    INFO,
    "Godot: the node {wanted!r} becomes {name!r}, since an earlier one is named {taken!r}; give it "
    "a name of its own if scripts look for it",
    reason='Each of . : @ / " % becomes _, and a name that a file has before gets a number. '
    "Read in GLTFDocument::_gen_unique_name of Godot 4.",
)


def check_names(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield the joints and bodies that get a number, since another node has their name."""
    places = {node: scene.place_of(node) for node in scene.motions}
    places |= {joint.node: joint.place for joint in scene.joints}
    taken: dict[str, str] = {}
    last: dict[str, int] = {}
    for node, wanted in enumerate(scene.names):
        clean = name = wanted.translate(_FORBIDDEN)
        while name and name in taken:
            last[clean] = last.get(clean, 1) + 1
            name = f"{clean}{last[clean]}"
        if name != clean and node in places:
            yield RENAMED(places[node], wanted=wanted, name=name, taken=taken[clean])
        taken[name] = wanted
