"""What belongs to no node: elements of a document that nobody uses, and members nobody knows.

Kept as the extension objects of the OMI dialect, as text, where a scene holds no document. Missed
by who imports a glTF file into Blender and exports it: Blender's exporter writes files anew.
"""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any, TypeVar

from ....core.model.plain import kept_object
from ....core.model.shape import MeshShape
from .dialect_physics import Physics, khr_value
from .members import merged
from .omi import body as omi_body
from .omi import body_resources
from .omi import joint as omi_joint
from .omi import shape as omi_shape

Element = TypeVar("Element")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptObjects:
    """Extension objects as JSON object text; empty is nothing."""

    joints: str = ""
    bodies: str = ""
    shapes: str = ""

    def __or__(self, other: "KeptObjects") -> "KeptObjects":
        """Return what both keep; of members that differ the other's count."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        joints, bodies, shapes = (_joined(*pair) for pair in pairs)
        return KeptObjects(joints=joints, bodies=bodies, shapes=shapes)


def kept_of(physics: Sequence[Physics]) -> KeptObjects:
    """Return what a document keeps beside its nodes, given in each of its dialects.

    What both dialects contain is kept once. Meshes of unused shapes are the document's and left
    out.
    """
    kept = KeptObjects()
    for number, declared in enumerate(physics):
        kept = kept | _of_dialect(declared, physics[:number])
    return kept


def with_kept(physics: Physics, kept: KeptObjects) -> Physics:
    """Return physics with what was kept behind its own elements, where it has no equal one."""
    if kept == KeptObjects():
        return physics
    joints, _ = omi_joint.document_from_json(kept_object(kept.joints), "")
    bodies, _ = omi_body.document_from_json(kept_object(kept.bodies), "")
    shapes, _ = omi_shape.document_from_json(kept_object(kept.shapes), "")
    own = physics.bodies
    return physics._replace(
        joints=joints._replace(settings=_behind(physics.joints.settings, joints.settings)),
        bodies=bodies._replace(
            materials=_behind(own.materials, bodies.materials),
            filters=_behind(own.filters, bodies.filters),
        ),
        shapes=_behind(physics.shapes, shapes.shapes),
        shapes_carried=shapes.carried,
    )


def _of_dialect(physics: Physics, before: Sequence[Physics]) -> KeptObjects:
    """Return what a dialect keeps that those before it do not say."""
    unused = [
        [array[index] for index in sorted({*range(len(array))} - used) if array[index] is not None]
        for array, used in zip(physics.arrays, _used(physics), strict=True)
    ]
    if before and any(unused):
        declared = {
            khr_value(element) for other in before for array in other.arrays for element in array
        }
        unused = [[each for each in array if khr_value(each) not in declared] for array in unused]
    shapes, materials, filters, settings = unused
    joints = {"physicsJoints": list(map(omi_joint.settings_to_json, settings))}
    bodies = {
        "physicsMaterials": list(map(body_resources.material_to_json, materials)),
        "collisionFilters": list(map(body_resources.filter_to_json, filters)),
    }
    own = [shape for shape in shapes if not isinstance(shape, MeshShape)]
    forms = {"shapes": list(map(omi_shape.shape_to_json, own))}
    return KeptObjects(
        joints=_text(joints, physics.joints.carried),
        bodies=_text(bodies, physics.bodies.carried),
        shapes=_text(forms, physics.shapes_carried),
    )


def _used(physics: Physics) -> tuple[set[int | None], ...]:
    shapes: set[int | None] = set()
    materials: set[int | None] = set()
    filters: set[int | None] = set()
    settings: set[int | None] = set()
    for node in physics.nodes.values():
        body = node.body
        if node.joint is not None:
            settings.add(node.joint.joint)
        for part in (body.collider, body.trigger):
            if part is not None:
                shapes.add(part.shape)
                filters.add(part.collision_filter)
        if body.collider is not None:
            materials.add(body.collider.physics_material)
    return shapes, materials, filters, settings


def _behind(
    own: Sequence[Element | None], kept: Sequence[Element | None]
) -> tuple[Element | None, ...]:
    there = set(own)
    return (*own, *(element for element in kept if element not in there))


def _text(arrays: dict[str, list[Any]], carried: str) -> str:
    known = {name: elements for name, elements in arrays.items() if elements}
    value = merged(known, carried, frozenset(arrays), "")
    return json.dumps(value) if value else ""


def _joined(one: str, other: str) -> str:
    """Return extension objects as one: members of both, elements of arrays behind each other."""
    if not one or not other:
        return one or other
    first, second = kept_object(one), kept_object(other)
    arrays = {
        name: [*value, *second[name]]
        for name, value in first.items()
        if isinstance(value, list) and isinstance(second.get(name), list)
    }
    return json.dumps(first | second | arrays)
