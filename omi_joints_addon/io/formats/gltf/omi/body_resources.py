"""What bodies of OMI_physics_body share, from JSON and back: materials and collision filters.

Reading is tolerant: what is wrong becomes a finding and the rest is kept. Writing is strict.
"""

from typing import Any

from .....core.checks.bodies import SYSTEM_WITHOUT_NAME
from .....core.findings.finding import Finding
from .....core.model.body import CollisionFilter, CombineMode, PhysicsMaterial
from .....core.model.plain import JsonObject
from ..members import CodecError, Members, changed_numbers, kind_of, merged, object_of
from ..rules import FILTER_BOTH_WAYS, UNKNOWN_COMBINE_MODE, WRONG_TYPE

FRICTIONS = {
    "static_friction": "staticFriction",
    "dynamic_friction": "dynamicFriction",
    "restitution": "restitution",
}
COMBINES = {"friction_combine": "frictionCombine", "restitution_combine": "restitutionCombine"}
SYSTEMS = {
    "collide_with_systems": "collideWithSystems",
    "not_collide_with_systems": "notCollideWithSystems",
}
_MATERIAL_NAMES = frozenset(("name", *FRICTIONS.values(), *COMBINES.values()))
_FILTER_NAMES = frozenset(("name", "collisionSystems", *SYSTEMS.values()))
_COMBINE_MODES = frozenset(CombineMode)


def material_from_json(value: object, pointer: str) -> tuple[PhysicsMaterial, list[Finding]]:
    """Return a physics material and what is wrong with it; raises `CodecError` for no object."""
    members = Members(object_of(value, pointer), pointer)
    numbers = {a: members.number(name, minimum=0.0) for a, name in FRICTIONS.items()}
    words = {attribute: _combine(members, name) for attribute, name in COMBINES.items()}
    present: dict[str, Any] = {n: v for n, v in (numbers | words).items() if v is not None}
    material = PhysicsMaterial(
        **present, name=members.text("name") or "", carried=members.carried()
    )
    return material, members.findings


def material_to_json(material: PhysicsMaterial, pointer: str = "") -> JsonObject:
    """Return a physics material as JSON; raises `CodecError` where a value has no place in JSON."""
    known: JsonObject = {"name": material.name} if material.name else {}
    known |= changed_numbers(material, FRICTIONS, pointer, not_negative=FRICTIONS)
    for attribute, name in COMBINES.items():
        word = getattr(material, attribute)
        if word != CombineMode.AVERAGE:
            known[name] = str(word)
    return merged(known, material.carried, _MATERIAL_NAMES, pointer)


def filter_from_json(value: object, pointer: str) -> tuple[CollisionFilter, list[Finding]]:
    """Return a collision filter and what is wrong with it; raises `CodecError` for no object."""
    members = Members(object_of(value, pointer), pointer)
    lists = {attribute: _systems(members, name) for attribute, name in SYSTEMS.items()}
    if None not in lists.values():
        members.findings.append(FILTER_BOTH_WAYS(pointer))
        lists["not_collide_with_systems"] = None
    collision_filter = CollisionFilter(
        name=members.text("name") or "",
        collision_systems=_systems(members, "collisionSystems") or (),
        carried=members.carried(),
        **lists,
    )
    return collision_filter, members.findings


def filter_to_json(collision_filter: CollisionFilter, pointer: str = "") -> JsonObject:
    """Return a collision filter as JSON; raises `CodecError` where it has both lists."""
    known: JsonObject = {"name": collision_filter.name} if collision_filter.name else {}
    if collision_filter.collision_systems:
        known["collisionSystems"] = list(collision_filter.collision_systems)
    lists = {name: getattr(collision_filter, attribute) for attribute, name in SYSTEMS.items()}
    if None not in lists.values():
        raise CodecError(pointer, "the filter both allows and forbids systems")
    known |= {name: list(systems) for name, systems in lists.items() if systems is not None}
    return merged(known, collision_filter.carried, _FILTER_NAMES, pointer)


def _combine(members: Members, name: str) -> str | None:
    word = members.text(name)
    if word is not None and word not in _COMBINE_MODES:
        members.findings.append(UNKNOWN_COMBINE_MODE(f"{members.pointer}/{name}", word=word))
    return word


def _systems(members: Members, name: str) -> tuple[str, ...] | None:
    """Return the names of collision systems; None where the list is not there."""
    if not isinstance(members.peek(name), list):
        members.array(name)
        return None
    systems: list[str] = []
    for index, value in enumerate(members.array(name)):
        text = Members({name: value}, members.pointer, []).text(name)
        if text is None:
            place = f"{members.pointer}/{name}/{index}"
            members.findings.append(
                WRONG_TYPE(place, name=name, expected="a text", found=kind_of(value))
            )
        else:
            systems.append(text)
    if "" in systems:
        place = f"{members.pointer}/{name}/{systems.index('')}"
        members.findings.append(SYSTEM_WITHOUT_NAME(place))
    return tuple(systems)
