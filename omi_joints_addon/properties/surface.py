"""Physics materials and collision filters on objects, and the names of collision systems."""

from typing import Any

import bpy

from ..core.model.body import CollisionFilter, CombineMode, PhysicsMaterial
from .exact import change, exact_numbers, recalled, remember
from .overridable import (
    KEPT,
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    StringProperty,
)
from .stored import Values, same
from .words import OTHER, identifier_and_other, word_of

COLLISION_COLLECTIONS = 20
"""Number of collision collections of Blender's Rigid Body."""
_FRICTIONS = ("static_friction", "dynamic_friction", "restitution")
_COMBINES = ("friction_combine", "restitution_combine")
_MODES = frozenset(CombineMode)
_ALL, _ONLY, _EXCEPT = "ALL", "ONLY", "EXCEPT"


def _friction(name: str, description: str, default: float) -> float:
    return FloatProperty(name=name, description=description, default=default, min=0.0, soft_max=1.0)


def _combine(name: str, description: str) -> str:
    return EnumProperty(
        name=name,
        description=description,
        items=(
            ("AVERAGE", "Average", "Mean of both values"),
            ("MINIMUM", "Minimum", "The smaller value"),
            ("MAXIMUM", "Maximum", "The larger value"),
            ("MULTIPLY", "Multiply", "Product of both values, as Blender's Rigid Body does"),
            (OTHER, "Other", "A mode that another glTF extension specifies"),
        ),
    )


def _system_name(number: int) -> Any:
    return bpy.props.StringProperty(
        name=f"Collection {number}",
        description="Name of the collision system that this collision collection of Blender's "
        "Rigid Body becomes in the glTF file",
        override=KEPT,
    )


class OMI_PG_physics_material(bpy.types.PropertyGroup):
    """Surface of a collider."""

    use_material = BoolProperty(
        name="Physics Material", description="Give the collider its own surface"
    )
    material_name = StringProperty(
        name="Name", description="Name of the physics material in the glTF file"
    )
    static_friction = _friction("Static Friction", "Friction of a body at rest", 0.6)
    dynamic_friction = _friction("Dynamic Friction", "Friction of a sliding body", 0.6)
    restitution = _friction("Bounciness", "0 does not bounce, 1 bounces without loss", 0.0)
    friction_combine = _combine(
        "Combine Friction", "How to combine the friction of two touching bodies"
    )
    other_friction_combine = StringProperty(options={"HIDDEN"})
    restitution_combine = _combine(
        "Combine Bounce", "How to combine the bounciness of two touching bodies"
    )
    other_restitution_combine = StringProperty(options={"HIDDEN"})
    exact = StringProperty(options={"HIDDEN"})
    carried = StringProperty(options={"HIDDEN"})

    def from_core(self, material: PhysicsMaterial | None) -> None:
        """Set the properties to a core value."""
        change(self, "use_material", material is not None)
        if material is None:
            return
        remember(self, {name: getattr(material, name) for name in _FRICTIONS})
        for name in _COMBINES:
            identifier, other = identifier_and_other(getattr(material, name), _MODES)
            change(self, name, identifier)
            change(self, f"other_{name}", other)
        change(self, "material_name", material.name)
        change(self, "carried", material.carried)


def material_in(values: Values) -> PhysicsMaterial | None:
    """Return the material that properties hold; None where the collider has none of its own."""
    if not values["use_material"]:
        return None
    known = exact_numbers(values["exact"])
    at_rest, sliding, bounce = (recalled(values[name], name, known) for name in _FRICTIONS)
    friction, restitution = (word_of(values[name], values[f"other_{name}"]) for name in _COMBINES)
    return same(
        PhysicsMaterial(
            name=values["material_name"],
            static_friction=at_rest,
            dynamic_friction=sliding,
            restitution=bounce,
            friction_combine=friction,
            restitution_combine=restitution,
            carried=values["carried"],
        )
    )


def filter_in(values: Values) -> CollisionFilter | None:
    """Return the collision filter that properties hold; None where there is none."""
    if not values["use_filter"]:
        return None
    others = tuple(item["system"] for item in values["other_systems"])
    return same(
        CollisionFilter(
            name=values["filter_name"],
            collision_systems=tuple(item["system"] for item in values["systems"]),
            collide_with_systems=others if values["mode"] == _ONLY else None,
            not_collide_with_systems=others if values["mode"] == _EXCEPT else None,
            carried=values["carried"],
        )
    )


class OMI_PG_collision_system(bpy.types.PropertyGroup):
    """Name of a collision system."""

    system = StringProperty(name="System", description="Name of a collision system")


class OMI_PG_collision_filter(bpy.types.PropertyGroup):
    """What a collider or trigger meets."""

    use_filter = BoolProperty(
        name="Collision Filter", description="Choose by named systems what this collides with"
    )
    filter_name = StringProperty(
        name="Name", description="Name of the collision filter in the glTF file"
    )
    systems = CollectionProperty(type=OMI_PG_collision_system)
    mode = EnumProperty(
        name="Collides With",
        description="Which systems this collides with",
        items=(
            (_ALL, "Everything", "Collides with everything"),
            (_ONLY, "Only", "Collides only with members of the listed systems"),
            (
                _EXCEPT,
                "All Except",
                "Collides with everything except members of the listed systems",
            ),
        ),
    )
    other_systems = CollectionProperty(type=OMI_PG_collision_system)
    carried = StringProperty(options={"HIDDEN"})

    def from_core(self, collision_filter: CollisionFilter | None) -> None:
        """Set the properties to a core value."""
        change(self, "use_filter", collision_filter is not None)
        if collision_filter is None:
            return
        only, others = (
            collision_filter.collide_with_systems,
            collision_filter.not_collide_with_systems,
        )
        self.mode = _ONLY if only is not None else _ALL if others is None else _EXCEPT
        _fill(self.systems, collision_filter.collision_systems)
        _fill(self.other_systems, only or others or ())
        self.filter_name = collision_filter.name
        self.carried = collision_filter.carried


class OMI_PG_physics_scene(bpy.types.PropertyGroup):
    """What bodies share: names of Blender's collision collections, unknown data of the document."""

    __annotations__ = {
        f"system_{number}": _system_name(number) for number in range(1, COLLISION_COLLECTIONS + 1)
    }
    bodies_carried = StringProperty(options={"HIDDEN"})
    shapes_carried = StringProperty(options={"HIDDEN"})


def physics_scene(scene: bpy.types.Scene) -> OMI_PG_physics_scene:
    """Return what the bodies of a scene share."""
    data: OMI_PG_physics_scene = scene.omi_physics  # type: ignore[attr-defined]
    return data


def system_name(scene: bpy.types.Scene, index: int) -> str:
    """Return the name of the collision system of Blender's collision collection `index`, from 0."""
    given: str = getattr(physics_scene(scene), f"system_{index + 1}")
    return given or f"Collection {index + 1}"


def set_system_name(scene: bpy.types.Scene, index: int, name: str) -> None:
    """Name the collision system of Blender's collision collection `index`, from 0."""
    setattr(physics_scene(scene), f"system_{index + 1}", name)


def _fill(items: Any, systems: tuple[str, ...]) -> None:
    """Make a collection property hold the names of systems."""
    items.clear()
    for system in systems:
        items.add().system = system
