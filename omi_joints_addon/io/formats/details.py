"""What formats keep in a scene for themselves, in words for the report of another format."""

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ...core.findings.loss import How, Loss, Noun
from ...core.findings.sentence import Sentence
from ...core.model.actuator import Actuator
from ...core.model.plain import kept_object

if TYPE_CHECKING:
    from ...core.model.attributes import JointAttributes
    from ...core.model.scene import PhysicsScene

_LABELS = {
    "gltf": "glTF",
    "mjcf": "MJCF",
    "sdf": "SDF",
    "shift": "Shift",
    "urdf": "URDF",
    "usd": "USD",
}
_OF_STRUCTURE = frozenset(
    (
        *("between", "extra", "fixed", "limits", "links", "joints", "free", "sites"),
        *("assemblies", "root", "frame_axis", "frame_names", "stack"),
    )
)
"""Members that say how a document was built, for writing it again."""
_MOST = 4
"""Members that a line names."""
_SEEN = frozenset(("material", "texture"))
"""Members that are only seen."""


@runtime_checkable
class Unheld(Protocol):
    """What a format keeps of a document as a whole, and knows what of it no scene holds."""

    def unheld(self) -> tuple[Loss, ...]:
        """Return a line for each kind of thing that a scene does not hold, with its number."""


class Details:
    """What other formats than `own`, a name of one, keep at the nodes of a scene."""

    def __init__(self, scene: "PhysicsScene", own: str) -> None:
        self._scene = scene
        self._own = own
        self._attributes: dict[int, JointAttributes] = {
            joint.node: joint.attributes
            for joint in scene.joints
            if joint.attributes.carried or joint.attributes.actuators
        }

    def losses(self, node: int, how: How = How.LOST) -> Iterator[Loss]:
        """Yield what a document lacks, or keeps for this program, of that at a node."""
        place = self._scene.names[node]
        attributes = self._attributes.get(node)
        actuators = () if attributes is None else attributes.actuators
        if undriven := [each.name or each.kind for each in actuators if not self._has(each)]:
            yield Loss(place, "actuator", how, _listed("it has no place for {names}", undriven))
        for room, names in self._members(node).items():
            label = _LABELS.get(room, room)
            if rest := sorted(names - _SEEN - _OF_STRUCTURE):
                text = _listed("only {label} has this: {names}", rest, label=label)
                yield Loss(place, Noun.CARRIED, how, text)
            if seen := sorted(names & _SEEN):
                text = _listed("only {label} has this: {names}", seen, label=label)
                yield Loss(place, "material", how, text)

    def _has(self, actuator: Actuator) -> bool:
        """Return whether a drive of the format is an actuator, or is named itself."""
        drive = actuator.drive()
        # URDF has dampers, which no control moves.
        return drive is not None and (self._own != "urdf" or drive.stiffness > 0.0)

    def losses_of_scene(self, *, is_inventoried: bool) -> Iterator[Loss]:
        """Yield what a document lacks of what formats keep of a scene as a whole.

        `is_inventoried` is that the source has named what of it no scene holds.
        """
        for room, value in self._scene.carried.items():
            if room == self._own:
                continue
            if isinstance(value, Unheld):
                yield from value.unheld()
                continue
            if not isinstance(value, dict):
                continue
            yield from self._added(value.get("between", {}))
            if room == "usd":
                for node, text in value.get("bodies", {}).items():
                    yield from self._only(room, _names(text), self._scene.names[node])
            elif not is_inventoried:
                yield from self._only(room, value.keys() - _OF_STRUCTURE)

    def _added(self, between: Mapping[str, list[str]]) -> Iterator[Loss]:
        """Yield the bodies between joints that stand where a file has several joints in one body.

        They are given by the name of that body.
        """
        masses = {self._scene.names[node]: m.mass for node, m in self._scene.motions.items()}
        for place, names in between.items():
            mass = sum(masses.get(name, 0.0) for name in names)
            text = Sentence(
                "light bodies, of {mass} kg together, are between its {count} joints",
                mass=f"{mass:.4g}",
                count=len(names) + 1,
            )
            yield Loss(place, "bodies", How.CONVERTED, text)

    def _only(self, room: str, names: Collection[str], place: str = "") -> Iterator[Loss]:
        """Yield a line on members that only one format has."""
        if names:
            label = _LABELS.get(room, room)
            text = _listed("only {label} has this: {names}", sorted(names), label=label)
            yield Loss(place, Noun.CARRIED, How.LOST, text)

    def _members(self, node: int) -> dict[str, set[str]]:
        """Return the names of members by the format that keeps them at a node."""
        pairs: list[tuple[str, str]] = []
        if node in self._attributes:
            pairs += self._attributes[node].carried
        if node in self._scene.visuals:
            pairs += self._scene.visuals[node].carried
        for parts in (self._scene.motions, self._scene.colliders):
            pairs += [("gltf", parts[node].carried)] if node in parts else []
        found: dict[str, set[str]] = {}
        for room, text in pairs:
            if room != self._own:
                found.setdefault(room, set()).update(_names(text))
        return found


def _listed(template: str, names: list[str], **values: str) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return Sentence(template, names=", ".join(names[:_MOST]) + more, **values)


def _names(text: str) -> set[str]:
    """Return the members of an object of JSON; those of USD are its attributes and schemas."""
    found = kept_object(text) if text.startswith("{") else {}
    attributes, schemas = found.get("attributes"), found.get("schemas")
    attributes = attributes if isinstance(attributes, dict) else {}
    names = found.keys() - {"attributes", "schemas"}
    names |= {name for name, value in attributes.items() if not _is_at_rest(name, value)}
    names |= set(map(str, schemas)) if isinstance(schemas, list) else set()
    is_moved = any(name.startswith("state:") for name in names)
    return {name for name in names if is_moved or not name.startswith("PhysicsJointStateAPI")}


def _is_at_rest(name: str, value: object) -> bool:
    """Return whether an attribute of USD says that a joint starts at rest in its zero."""
    return name.startswith("state:") and isinstance(value, list) and value[1:] == [0.0]
