"""Lights of a Shift document: each shines from a frame, along its -Z, and back."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.model.light import Light, LightType
from ....core.model.plain import JsonObject, kept_object
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from .body_writing import WrittenBodies
from .kept import NAME
from .layout import FIXED, Body, Layout, numbers_of
from .placing import end_of
from .rules import LIGHT_LEFT_OUT, WRONG_TYPE

_DIFFUSE = "Kd"
"""Color that a light gives to what it shines on."""
_FRAME = "frame"
"""Member of what is carried: the name of the light's frame."""
_GRAY = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class ShiftLight:
    """A light of a document."""

    name: str
    body: Body
    frame: str
    light: Light

    @property
    def matrix(self) -> Array:
        """Where it is in the axes of its body, shape (4, 4)."""
        return self.body.frames[self.frame]

    @property
    def is_its_frame(self) -> bool:
        """Whether light and frame have one name, so that one node is both."""
        return self.name == self.frame


def lights_of(document: JsonObject, layout: Layout) -> list[ShiftLight]:
    """Return the lights of a document; findings go to the layout."""
    owners = [("", -1, document), ("/fixed", -1, layout.bodies[0].members)]
    owners += [(each.place, n, each.members) for n, each in enumerate(layout.assemblies)]
    found = []
    for place, assembly, members in owners:
        for pointer, element in _elements(members, f"{place}/lights", layout):
            light = _light(layout, assembly, element, pointer)
            if light is not None:
                found.append(light)
    return found


def _elements(members: JsonObject, place: str, layout: Layout) -> Iterator[tuple[str, JsonObject]]:
    value: Any = members.get("lights", [])
    if not isinstance(value, list):
        layout.findings.append(WRONG_TYPE(place, name="lights", expected="a list"))
        return
    for number, element in enumerate(value):
        if isinstance(element, dict):
            yield f"{place}/{number}", element
        else:
            wrong = WRONG_TYPE(f"{place}/{number}", name="a light", expected="an object")
            layout.findings.append(wrong)


def _light(layout: Layout, assembly: int, members: JsonObject, place: str) -> ShiftLight | None:
    parent: Any = members.get("parent")
    # The name of a frame alone is one of `fixed`.
    pair = [FIXED, parent] if isinstance(parent, str) else parent
    end = end_of(layout, pair, assembly)
    kind = members.get("type", LightType.POINT)
    if end is None or str(kind) not in frozenset(LightType):
        layout.findings.append(LIGHT_LEFT_OUT(place, parent=str(parent)[:60], kind=str(kind)[:20]))
        return None
    color = numbers_of(members.get(_DIFFUSE, _GRAY), 3)
    if color is None or color.min() < 0.0:
        layout.findings.append(WRONG_TYPE(place, name=_DIFFUSE, expected="three numbers"))
        color = numbers_of(_GRAY, 3)
    assert color is not None
    r, g, b = color.tolist()
    name = str(members.get("name", "light"))
    held = ("type", "parent", _DIFFUSE)
    rest = {key: value for key, value in members.items() if key not in held}
    text = json.dumps({**rest, _FRAME: end[1]})
    return ShiftLight(name, *end, Light(type=str(kind), color=(r, g, b), carried=((NAME, text),)))


def written_lights(scene: PhysicsScene, bodies: WrittenBodies, losses: Losses) -> list[JsonObject]:
    """Return the lights of a scene; makes their frames."""
    found = []
    for node, light in scene.lights.items():
        kept, name = kept_object(dict(light.carried).get(NAME, "")), scene.names[node]
        kind = light.type
        if kind not in frozenset(LightType):
            losses.converted(name, Noun.LIGHT, Sentence("{kind} lights become points", kind=kind))
            kind = LightType.POINT
        body = bodies.owner(node)
        wanted = str(kept.pop(_FRAME, name))
        frame = bodies.frame(body, wanted, bodies.worlds[node])
        members = {
            "name": name,
            "type": str(kind),
            "parent": [":".join(bodies.holder(body).path), frame],
        }
        found.append(members | {_DIFFUSE: list(light.color)} | kept)
    return found
