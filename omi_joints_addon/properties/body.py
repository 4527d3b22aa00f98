"""Body data on Blender objects: `Object.omi_body`, beside Blender's own Rigid Body.

SI units and radians, vectors in the object's own axes (Z up).
"""

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import bpy

from ..core.model.body import Collider, Motion, MotionType, Trigger
from .body_reading import AUTO, CUSTOM, read_body
from .bones import Node
from .exact import change, remember
from .overridable import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from .shape import NONE, OMI_PG_shape
from .surface import OMI_PG_collision_filter, OMI_PG_physics_material
from .words import OTHER, identifier_and_other

if TYPE_CHECKING:
    from ..core.model.articulation import Articulation

MOTION_TYPES = frozenset(map(str, MotionType))
"""Motion types that are known."""
_REST = Motion()
_DEFAULTS: dict[str, Any] = {
    "mass": _REST.mass,
    "center_of_mass": _REST.center_of_mass,
    "inertia_diagonal": _REST.inertia_diagonal,
    "inertia_orientation": (1.0, 0.0, 0.0, 0.0),
    "linear_velocity": _REST.linear_velocity,
    "angular_velocity": _REST.angular_velocity,
    "gravity_factor": _REST.gravity_factor,
}
"""Values of a motion whose properties nobody set."""
_NUMBERS = (*_DEFAULTS,)
_NUMBERS_OF = attrgetter(*_NUMBERS)


class OMI_PG_trigger_node(bpy.types.PropertyGroup):
    """Part of a compound trigger."""

    node: bpy.types.Object | None = PointerProperty(
        name="Trigger",
        description="Object below this one whose trigger is part of the compound",
        type=bpy.types.Object,
    )


class OMI_PG_excluded_body(bpy.types.PropertyGroup):
    """Body that another one does not collide with."""

    body: bpy.types.Object | None = PointerProperty(
        name="Does Not Collide With",
        description="Body that this one passes through, though no joint is between them",
        type=bpy.types.Object,
    )


class OMI_PG_collider(bpy.types.PropertyGroup):
    """Solid part of a body."""

    source = EnumProperty(
        name="Collider",
        description="Where the collision shape of the object comes from",
        items=(
            (AUTO, "Rigid Body", "Blender's Rigid Body, if the object has one"),
            (NONE, "None", "The object itself is not solid"),
            (CUSTOM, "Custom", "The shape set here"),
        ),
    )
    shape = PointerProperty(type=OMI_PG_shape)
    material = PointerProperty(type=OMI_PG_physics_material)
    collision_filter = PointerProperty(type=OMI_PG_collision_filter)
    is_hidden = BoolProperty(
        name="Collision Only",
        description=(
            "Do not show the object's mesh in the glTF file; write it only as a collision shape"
        ),
    )
    carried = StringProperty(options={"HIDDEN"})

    def from_core(self, collider: Collider) -> None:
        """Take over a collider with a shape of its own, which is set apart: it may be a mesh."""
        self.source = CUSTOM
        # Groups that say nothing are not made.
        if collider.material is not None or self.is_property_set("material"):
            self.material.from_core(collider.material)
        if collider.collision_filter is not None or self.is_property_set("collision_filter"):
            self.collision_filter.from_core(collider.collision_filter)
        change(self, "carried", collider.carried)


class OMI_PG_trigger(bpy.types.PropertyGroup):
    """Volume that notices bodies."""

    enabled = BoolProperty(
        name="Trigger", description="Detect bodies that enter, without stopping them"
    )
    shape = PointerProperty(type=OMI_PG_shape)
    nodes = CollectionProperty(type=OMI_PG_trigger_node)
    collision_filter = PointerProperty(type=OMI_PG_collision_filter)
    carried = StringProperty(options={"HIDDEN"})

    def from_core(self, trigger: Trigger) -> None:
        """Take over a trigger without its shape and its parts, which are objects."""
        self.enabled = True
        self.collision_filter.from_core(trigger.collision_filter)
        self.carried = trigger.carried


class OMI_PG_body(bpy.types.PropertyGroup):
    """A physics body: everything that Blender's Rigid Body does not define."""

    motion_type = EnumProperty(
        name="Motion Type",
        description="How the body moves in a physics engine",
        items=(
            (NONE, "None", "Not a body", "X", 0),
            ("STATIC", "Static", "Never moves", "PINNED", 1),
            (
                "KINEMATIC",
                "Kinematic",
                "Moved by animation or scripts; pushes dynamic bodies",
                "ANIM",
                2,
            ),
            ("DYNAMIC", "Dynamic", "Moved by forces, collisions and joints", "PHYSICS", 3),
            (OTHER, "Other", "A type that another glTF extension specifies", "QUESTION", 4),
        ),
    )
    other_motion_type = StringProperty(
        name="Type Name", description="Motion type that another glTF extension specifies"
    )
    mass = FloatProperty(
        name="Mass", description="Mass of the body", default=1.0, min=0.0, unit="MASS"
    )
    center_of_mass: tuple[float, float, float] = FloatVectorProperty(
        name="Center of Mass",
        description="Balance point of the body, relative to the object's origin",
        precision=4,
        subtype="XYZ_LENGTH",
        unit="LENGTH",
    )
    inertia_diagonal: tuple[float, float, float] = FloatVectorProperty(
        name="Inertia",
        description="Resistance to turning about the principal axes in kg·m²; "
        "zero lets the engine compute it from the shapes",
        min=0.0,
        precision=5,
        subtype="XYZ",
    )
    inertia_orientation: tuple[float, float, float, float] = FloatVectorProperty(
        name="Inertia Orientation",
        description="Rotation of the principal axes relative to the object's axes",
        size=4,
        default=(1.0, 0.0, 0.0, 0.0),
        subtype="QUATERNION",
    )
    linear_velocity: tuple[float, float, float] = FloatVectorProperty(
        name="Velocity",
        description="Initial velocity along the object's axes",
        subtype="VELOCITY",
        unit="VELOCITY",
    )
    angular_velocity: tuple[float, float, float] = FloatVectorProperty(
        name="Angular Velocity",
        description="Initial rotation per second about the object's axes",
        subtype="XYZ",
        unit="ROTATION",
    )
    gravity_factor = FloatProperty(
        name="Gravity Factor",
        description="Multiple of the scene's gravity that acts on the body",
        default=1.0,
    )
    articulation = BoolProperty(
        name="Articulation Root",
        description=(
            "Simulate the bodies connected to this one by joints as one articulation, if the "
            "engine supports it (UsdPhysics)"
        ),
    )
    articulation_is_fixed = BoolProperty(
        name="Fixed Base", description="Fix the root of the articulation in the world"
    )
    excluded = CollectionProperty(type=OMI_PG_excluded_body)
    usd_carried = StringProperty(options={"HIDDEN"})
    collider = PointerProperty(type=OMI_PG_collider)
    trigger = PointerProperty(type=OMI_PG_trigger)
    exact = StringProperty(options={"HIDDEN"})
    motion_carried = StringProperty(options={"HIDDEN"})
    carried = StringProperty(options={"HIDDEN"})
    anchor = StringProperty(
        description="The mesh that shapes, center of mass and velocities are for",
        options={"HIDDEN"},
    )
    shapes_below = IntProperty(
        description="Number of shapes that an import put below the body",
        options={"HIDDEN"},
        min=0,
    )
    data_version = IntProperty(options={"HIDDEN"}, min=0)


def body_data(obj: Node) -> OMI_PG_body:
    """Return the body data of any object or bone, be it a body or not."""
    data: OMI_PG_body = obj.omi_body  # type: ignore[union-attr]
    return data


def body_data_of(obj: Node) -> OMI_PG_body | None:
    """Return the body data of an object, None where nobody ever set any: to read it makes it."""
    return body_data(obj) if obj.is_property_set("omi_body") else None


def copy_body(source: Node, target: Node) -> None:
    """Give an object or a bone the body data of another one."""
    _copy_group(body_data(source), body_data(target))


def _copy_group(source: bpy.types.PropertyGroup, target: bpy.types.PropertyGroup) -> None:
    for each in source.bl_rna.properties:
        name = each.identifier
        if name in {"rna_type", "name"} or not source.is_property_set(name):
            continue
        if each.type == "COLLECTION":
            getattr(target, name).clear()
            for item in getattr(source, name):
                _copy_group(item, getattr(target, name).add())
        elif isinstance(held := getattr(source, name), bpy.types.PropertyGroup):
            _copy_group(held, getattr(target, name))
        else:
            setattr(target, name, held)


def motion_of(obj: Node | None) -> Motion | None:
    """Return the motion of a body, None where the object is not one (`ObjectBody.motion`)."""
    body = None if obj is None else read_body(obj)
    return None if body is None else body.motion


def motion_type_of(obj: Node | None) -> str | None:
    """Return the type of `motion_of` an object without working out the rest."""
    body = None if obj is None else read_body(obj)
    return None if body is None else body.motion_type


def articulation_from_core(body: OMI_PG_body, articulation: "Articulation") -> None:
    """Make the body the root of an articulation."""
    body.articulation, body.articulation_is_fixed = True, articulation.is_fixed


def exclude_pair(one: bpy.types.Object, other: bpy.types.Object) -> None:
    """Let two bodies pass through each other; each lists the other, unless it is linked."""
    for body, passed in ((one, other), (other, one)):
        pairs = body_data(body).excluded
        is_editable = body.is_editable and body.override_library is None
        if is_editable and all(each.body != passed for each in pairs):
            pairs.add().body = passed


def include_pair(body: bpy.types.Object, other: bpy.types.Object) -> None:
    """Take another body out of those that a body passes through."""
    pairs = body_data(body).excluded
    for number in reversed(range(len(pairs))):
        if pairs[number].body == other:
            pairs.remove(number)


def motion_from_core(body: OMI_PG_body, motion: Motion | None, *, is_new: bool = False) -> None:
    """Set the properties to a core value; None for no body.

    `is_new` says that none of them was ever set.
    """
    if motion is None:
        body.motion_type = NONE
        return
    body.motion_type, other = identifier_and_other(motion.type, MOTION_TYPES)
    change(body, "other_motion_type", other)
    values = {
        name: value
        for name, value in zip(_NUMBERS, _NUMBERS_OF(motion), strict=True)
        if value != _DEFAULTS[name] or (not is_new and body.is_property_set(name))
    }
    if (turn := values.get("inertia_orientation")) is not None:
        values["inertia_orientation"] = (turn[3], *turn[:3])
    remember(body, values)
    change(body, "motion_carried", motion.carried)


def fittable_shapes(obj: Node) -> list[OMI_PG_shape]:
    """Return the shapes of an object that can be fitted."""
    body = body_data(obj)
    # Groups that say nothing are not made.
    shapes = []
    if body.is_property_set("collider") and body.collider.source == CUSTOM:
        shapes.append(body.collider.shape)
    if body.is_property_set("trigger") and body.trigger.enabled:
        shapes.append(body.trigger.shape)
    return [shape for shape in shapes if shape.type not in {NONE, OTHER}]
