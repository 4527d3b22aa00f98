"""The bodies, joints, restraints and lights of Shift documents by what they are of.

So one document that this program writes finds its parts in another that somebody else wrote.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ....core.model.plain import JsonObject
from ....core.model.scene import PhysicsScene
from .layout import FIXED, Assembly, Body, JointMembers, Layout

Key = tuple[str, ...]
"""What a part is, and the names of what it is of in a scene."""
BODY, JOINT, FLOAT, RESTRAINT, TIE, LIGHT = ("body", "joint", "float", "restraint", "tie", "light")
LISTS = {BODY: "bodies", JOINT: "joints", FLOAT: "joints", RESTRAINT: "restraints"} | {
    TIE: "restraints",
    LIGHT: "lights",
}
"""Lists of assemblies by what is in them."""


@dataclass(frozen=True, slots=True)
class Part:
    """An object of a document."""

    members: JsonObject
    place: str
    """JSON pointer, empty in a document that has no text yet."""
    assembly: str
    """Name of the assembly that has it, in a scene."""


def written_name(name: str) -> str:
    """Return the name of a node as a path can have it."""
    return name.replace(":", "_")


def written_parts(document: JsonObject) -> dict[Key, Part]:
    """Return the parts of a document that this program writes, where each name is there once."""
    found: dict[Key, Part] = {}
    stack = list(document["assemblies"])
    while stack:
        assembly = stack.pop(0)
        name = assembly["name"]
        for members in assembly.get("bodies", ()):
            found[BODY, members["name"]] = Part(members, "", name)
        for members in assembly.get("joints", ()):
            found[_joint_key(members)] = Part(members, "", name)
        for key, members in _restraints(assembly):
            found[key] = Part(members, "", name)
        stack += assembly.get("assemblies", ())
    fixed = document.get(FIXED, document)
    for members in fixed.get("lights", ()):
        found[LIGHT, members["name"]] = Part(members, "", FIXED)
    return found


def _joint_key(members: JsonObject) -> Key:
    if members["type"] != "float":
        return JOINT, members["name"]
    return FLOAT, _last(ends_of(members)[1])


def _restraints(assembly: JsonObject) -> Iterator[tuple[Key, JsonObject]]:
    counts: dict[str, int] = {}
    listed = assembly.get("restraints", ())
    for members in listed if isinstance(listed, list) else ():
        joint = members.get("joint")
        if isinstance(joint, str):
            counts[joint] = counts.get(joint, 0) + 1
            yield (RESTRAINT, joint, str(counts[joint])), members
        else:
            yield (TIE, str(members.get("name"))), members


def ends_of(members: JsonObject) -> list[Any]:
    """Return both ends of a joint: pairs of a path and the name of a frame."""
    pairs = members.get("body_frame_pairs", [members.get("parent"), members.get("child")])
    return pairs if isinstance(pairs, list) and len(pairs) == 2 else [None, None]


def _last(pair: Any) -> str:
    """Return the name of the body that a pair leads to."""
    path = pair[0] if isinstance(pair, list) and pair else ""
    names = path.split(":") if isinstance(path, str) else path
    return str(names[-1]) if names else ""


class OwnParts:
    """The parts of a document by the names that reading gives them."""

    def __init__(self, layout: Layout, scene: PhysicsScene) -> None:
        self._layout = layout
        self._names = [written_name(name) for name in scene.names]
        self.assemblies: dict[str, Assembly] = dict(
            zip(self._names, layout.assemblies, strict=False)
        )
        """Assemblies by the names of their nodes, which are the first ones."""
        nodes = zip(scene.motions, layout.bodies, strict=False)
        self.bodies: dict[str, Body] = {self._names[node]: body for node, body in nodes}
        self._places = {joint.place: self._names[joint.node] for joint in scene.joints}
        self.found: dict[Key, Part] = dict(self._parts(scene))

    def _parts(self, scene: PhysicsScene) -> Iterator[tuple[Key, Part]]:
        for name, body in self.bodies.items():
            if body.assembly >= 0:
                yield (BODY, name), Part(body.members, body.place, self._holder(body.assembly))
        for joint in self._layout.joints:
            key = self._joint(joint)
            if key is not None:
                yield key, Part(joint.members, joint.place, self._holder(joint.assembly))
        for number, assembly in enumerate(self._layout.assemblies):
            yield from self._restraints(number, assembly)
        yield from self._lights({scene.names[node] for node in scene.lights})

    def _lights(self, names: set[str]) -> Iterator[tuple[Key, Part]]:
        for place, holder in (("/fixed", self._layout.bodies[0].members), *self._holders()):
            listed = holder.get("lights")
            for number, members in enumerate(listed if isinstance(listed, list) else ()):
                if isinstance(members, dict) and members.get("name") in names:
                    key = LIGHT, written_name(members["name"])
                    yield key, Part(members, f"{place}/lights/{number}", FIXED)

    def _holders(self) -> Iterator[tuple[str, JsonObject]]:
        yield "", self._layout.document
        yield from ((assembly.place, assembly.members) for assembly in self._layout.assemblies)

    def _joint(self, joint: JointMembers) -> Key | None:
        if joint.place in self._places:
            return JOINT, self._places[joint.place]
        pair = ends_of(joint.members)[1]
        path = pair[0] if isinstance(pair, list) and pair else None
        body = self._layout.resolve(path, joint.assembly)
        names = [name for name, each in self.bodies.items() if each is body]
        return (FLOAT, names[0]) if names and joint.members.get("type") == "float" else None

    def _restraints(self, number: int, assembly: Assembly) -> Iterator[tuple[Key, Part]]:
        joints = {
            str(joint.members.get("name")): self._places[joint.place]
            for joint in self._layout.joints
            if joint.assembly == number and joint.place in self._places
        }
        keys = {id(members): key for key, members in _restraints(assembly.members)}
        listed = assembly.members.get("restraints")
        for index, members in enumerate(listed if isinstance(listed, list) else ()):
            key, place = keys.get(id(members)), f"{assembly.place}/restraints/{index}"
            if key is not None and key[0] == RESTRAINT and key[1] in joints:
                key = (RESTRAINT, joints[key[1]], key[2])
            elif place in self._places:
                key = (TIE, self._places[place])
            if key is not None:
                yield key, Part(members, place, self._holder(number))

    def _holder(self, number: int) -> str:
        return self._names[number]

    def path_of(self, name: str) -> list[str] | None:
        """Return the path of a body in the document, None where it has none."""
        body = self.bodies.get(name)
        if body is None or body.assembly < 0:
            return None
        return [*self._layout.assemblies[body.assembly].path, body.name]


def paths_as(members: JsonObject, paths: Mapping[str, list[str]]) -> None:
    """Give the ends of a written joint, restraint or light the paths of another document."""
    for pair in (*ends_of(members), *_more_ends(members)):
        if isinstance(pair, list) and len(pair) == 2 and _last(pair) in paths:
            path = paths[_last(pair)]
            pair[0] = path if isinstance(pair[0], list) else ":".join(path)


def _more_ends(members: JsonObject) -> list[Any]:
    pair = members.get("body_frame_pair")
    return [*(pair if isinstance(pair, list) else ()), members.get("parent")]
