"""Joint data on Blender objects: `Object.omi_joint`.

All values SI and radians, axes of the object's own frame.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bpy

from ..core.model.attributes import DEFAULT_ATTRIBUTES
from ..core.model.joint import JointDrive, JointLimit, JointSettings
from .coupling import OMI_PG_joint_coupling
from .exact import change
from .joint_attributes import OMI_PG_joint_attributes
from .joint_reading import own_settings_in, read_joint
from .joint_settings import OMI_PG_joint_drive, OMI_PG_joint_limit
from .overridable import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

if TYPE_CHECKING:
    from ..core.model.scene import Joint

DATA_VERSION = 1
"""Version of the properties of joints and bodies that this release saves.

Raised when the meaning of one changes. Each object has its own, since objects are appended and
linked without their scene.
"""


class OMI_PG_joint_profile(bpy.types.PropertyGroup):
    """Limits and drives that a joint keeps under the name of the item (`authoring.profiles`)."""

    settings = StringProperty(description="Limits and drives, as JSON text", options={"HIDDEN"})


class OMI_PG_joint(bpy.types.PropertyGroup):
    """A joint: the object is its attachment frame, `connected_object` the other one."""

    enabled = BoolProperty(
        name="Physics Joint",
        description="Make this object the attachment frame of a physics joint",
    )
    connected_object: bpy.types.Object | None = PointerProperty(
        name="Connected Object",
        description="Attachment frame on the other body",
        type=bpy.types.Object,
    )
    enable_collision = BoolProperty(
        name="Bodies Collide",
        description="Let the two connected bodies collide with each other",
    )
    settings_source: bpy.types.Object | None = PointerProperty(
        name="Shared Settings",
        description="Joint whose limits and drives this joint shares",
        type=bpy.types.Object,
    )
    settings_name = StringProperty(
        name="Settings Name", description="Name of the joint settings in the glTF file"
    )
    limits = CollectionProperty(type=OMI_PG_joint_limit)
    drives = CollectionProperty(type=OMI_PG_joint_drive)
    profiles = CollectionProperty(type=OMI_PG_joint_profile)
    active_limit = IntProperty(name="Active Limit", options={"HIDDEN"}, min=0)
    active_drive = IntProperty(name="Active Drive", options={"HIDDEN"}, min=0)
    display_size = FloatProperty(
        name="Display Size",
        description="Size at which the overlay draws the joint; 0 uses the size of the empty",
        min=0.0,
        subtype="DISTANCE",
        unit="LENGTH",
    )
    attributes = PointerProperty(type=OMI_PG_joint_attributes)
    coupling = PointerProperty(type=OMI_PG_joint_coupling)
    color: tuple[float, float, float, float] = FloatVectorProperty(
        name="Color",
        description="Color of the joint in the viewport; transparent uses the theme color",
        subtype="COLOR",
        size=4,
        min=0.0,
        max=1.0,
        default=(0.0, 0.0, 0.0, 0.0),
    )
    is_frame_of_parent = BoolProperty(
        description="Made by an import: this empty is the frame of its parent's glTF node",
        options={"HIDDEN"},
    )
    is_connected_frame = BoolProperty(
        description="A joint was connected to this empty: left behind if the joint is deleted",
        options={"HIDDEN"},
    )
    carried = StringProperty(options={"HIDDEN"})
    settings_carried = StringProperty(options={"HIDDEN"})
    data_version = IntProperty(options={"HIDDEN"}, min=0)

    def settings_to_core(self) -> JointSettings:
        """Return this joint's own settings, whatever it shares (see `shared_settings`)."""
        return own_settings_in(self)

    def from_core(
        self,
        joint: "Joint",
        *,
        connected: bpy.types.Object | None,
        owner: bpy.types.Object | None = None,
    ) -> None:
        """Make an object a joint that was none; `owner` is another whose settings it shares."""
        self.enabled = True
        if connected is not None:
            self.connect(connected)
        change(self, "enable_collision", joint.enable_collision)
        change(self, "carried", joint.carried)
        # A group that says nothing is not made.
        if joint.attributes != DEFAULT_ATTRIBUTES or self.is_property_set("attributes"):
            self.attributes.from_core(joint.attributes)
        if owner is None:
            self.settings_from_core(joint.settings)
        else:
            self.settings_source = owner

    def connect(self, connected: bpy.types.Object) -> None:
        """Connect the joint to an object; an empty remembers that it is a frame."""
        self.connected_object = connected
        if connected.type == "EMPTY":
            change(joint_data(connected), "is_connected_frame", True)

    def settings_from_core(self, settings: JointSettings) -> None:
        """Replace this joint's own settings by a core value.

        Of a joint that had none, the first limit that leaves room is the one to be seen.
        """
        free = (n for n, limit in enumerate(settings.limits) if not limit.is_locked)
        if not len(self.limits):
            change(self, "active_limit", next(free, 0))
        change(self, "settings_name", settings.name)
        change(self, "settings_carried", settings.carried)
        _fill(self.limits, settings.limits)
        _fill(self.drives, settings.drives)


def _fill(items: Any, values: Sequence[JointLimit] | Sequence[JointDrive]) -> None:
    """Set the items of a collection to core values.

    In place: what a library override has from its library cannot be removed.
    """
    while len(items) > len(values):
        items.remove(len(items) - 1)
    while len(items) < len(values):
        items.add()
    for item, value in zip(items, values, strict=True):
        item.from_core(value)


class SettingsCycleError(Exception):
    """Joints share each other's settings in a loop."""


def joint_data(obj: bpy.types.Object) -> OMI_PG_joint:
    """Return the joint data of any object, be it a joint or not."""
    data: OMI_PG_joint = obj.omi_joint  # type: ignore[attr-defined]
    return data


def has_joint_data(obj: bpy.types.Object) -> bool:
    """Return whether any joint data of an object was ever set: to read it makes it."""
    return obj.is_property_set("omi_joint")


def drawn_size(obj: bpy.types.Object) -> float:
    """Return the size at which the overlay draws a joint [m]."""
    return shown_size(obj, joint_data(obj).display_size)


def shown_size(obj: bpy.types.Object, display_size: float) -> float:
    """Return the size at which a joint is drawn that has some size of its own or none [m]."""
    return display_size or (obj.empty_display_size if obj.type == "EMPTY" else 1.0)


def joint_of(obj: bpy.types.Object | None) -> OMI_PG_joint | None:
    """Return the joint data of an object that is a joint."""
    if obj is None or not has_joint_data(obj):
        return None
    data = joint_data(obj)
    return data if data.enabled else None


def settings_owner(obj: bpy.types.Object) -> bpy.types.Object:
    """Return the object whose settings the joint `obj` uses, itself if it shares none.

    Raises `SettingsCycleError` where the chain of `settings_source` has no end.
    """
    seen = {obj}
    while (source := joint_data(obj).settings_source) is not None:
        if source in seen:
            raise SettingsCycleError(source.name)
        seen.add(source)
        obj = source
    return obj


def shared_settings(obj: bpy.types.Object) -> JointSettings:
    """Return the settings that the joint `obj` uses; raises `SettingsCycleError`."""
    return own_settings(settings_owner(obj))


def own_settings(obj: bpy.types.Object) -> JointSettings:
    """Return the settings that are set on an object, whatever it shares."""
    joint = read_joint(obj)
    return JointSettings() if joint is None else joint.values.settings
