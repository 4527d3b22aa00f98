"""Members of a Shift document that a scene does not hold, kept for writing Shift files.

By the names of nodes, so that they survive where nodes are counted anew. Missed by who writes a
model anew, as for another version of Shift: modules of forces, terrain, files of geometry.
"""

from collections.abc import Mapping
from typing import Any

from ....core.model.plain import JsonObject
from ....core.model.scene import PhysicsScene
from .layout import Assembly, Body, Layout

NAME = "shift"
"""Name of the format in what scenes carry."""
ROOT, FIXED, ASSEMBLIES, BODIES = "root", "fixed", "assemblies", "bodies"
_HELD = {
    ROOT: frozenset(("assemblies", "fixed", "frames", "lights", "omi")),
    FIXED: frozenset(("frames", "lights", "omi")),
    ASSEMBLIES: frozenset(
        ("name", "bodies", "joints", "assemblies", "lights", "restraints", "restraint", "omi")
    ),
    BODIES: frozenset(
        ("name", "frames", "mass", "center_of_mass", "moment_of_inertia", "inertia", "omi")
    ),
}
"""Members that the scene holds."""


def kept_members(
    document: JsonObject,
    layout: Layout,
    names: Mapping[Body | Assembly, str],
    restraints: Mapping[int, list[JsonObject]],
) -> JsonObject:
    """Return what is kept of a document.

    `names` are those of the nodes of bodies and assemblies, `restraints` those that are neither
    limits nor drives, by the number of their assembly.
    """
    assemblies = {}
    for number, assembly in enumerate(layout.assemblies):
        rest = _rest(ASSEMBLIES, assembly.members)
        if restraints.get(number):
            rest["restraints"] = restraints[number]
        assemblies[names[assembly]] = rest
    bodies = {names[body]: _rest(BODIES, body.members) for body in layout.bodies[1:]}
    kept = {
        ROOT: _rest(ROOT, document),
        FIXED: _rest(FIXED, layout.bodies[0].members),
        ASSEMBLIES: {name: rest for name, rest in assemblies.items() if rest},
        BODIES: {name: rest for name, rest in bodies.items() if rest},
    }
    return {part: members for part, members in kept.items() if members}


def kept_of(scene: PhysicsScene, part: str, name: str = "") -> JsonObject:
    """Return what a scene keeps for a part of the document, by `name` where there are several."""
    kept: Any = scene.carried.get(NAME)
    for key in (part, name) if name else (part,):
        kept = kept.get(key) if isinstance(kept, dict) else None
    return dict(kept) if isinstance(kept, dict) else {}


def _rest(part: str, members: JsonObject) -> JsonObject:
    rest = {name: value for name, value in members.items() if name not in _HELD[part]}
    if rest.get("active") is not False:
        rest.pop("active", None)
    return rest
