"""Joints of Blender: read once in an export, for the file and for its checks."""

from dataclasses import dataclass

import bpy

from ...core.model.attributes import JointAttributes
from ...core.model.joint import JointSettings
from ...properties.joint import SettingsCycleError, own_settings, settings_owner
from ...properties.joint_reading import read_joint


@dataclass(slots=True, eq=False)
class JointReading:
    """What the properties of one joint say."""

    name: str
    connected: bpy.types.Object | None
    source: bpy.types.Object | None
    """Object that the joint has its settings from."""
    owner: bpy.types.Object | None
    """Object whose settings they are in the end; None where they form a loop."""
    circle: str
    """Name of an object of that circle."""
    enable_collision: bool
    carried: str
    attributes: JointAttributes
    followed: bpy.types.Object | None
    """Joint that this one follows."""
    coefficients: tuple[float, ...]


class JointReader:
    """Reads the joints of one export."""

    def __init__(self) -> None:
        self._read: dict[bpy.types.Object, JointReading] = {}
        self._settings: dict[bpy.types.Object, JointSettings] = {}

    def read(self, obj: bpy.types.Object) -> JointReading:
        """Return what the joint `obj` says."""
        if (found := self._read.get(obj)) is None:
            found = self._read[obj] = _reading(obj)
        return found

    def settings_of(self, owner: bpy.types.Object) -> JointSettings:
        """Return the settings that a joint owns."""
        if (settings := self._settings.get(owner)) is None:
            settings = self._settings[owner] = own_settings(owner)
        return settings


def _reading(obj: bpy.types.Object) -> JointReading:
    joint = read_joint(obj)
    assert joint is not None
    values, source = joint.values, joint.source
    owner, circle = _owner(obj) if source is not None else (obj, "")
    return JointReading(
        obj.name,
        joint.connected,
        source,
        owner,
        circle,
        values.enable_collision,
        values.carried,
        values.attributes,
        joint.followed,
        values.coefficients,
    )


def _owner(obj: bpy.types.Object) -> tuple[bpy.types.Object | None, str]:
    """Return whose settings a joint has, or None and the name of an object of their circle."""
    try:
        return settings_owner(obj), ""
    except SettingsCycleError as cycle:
        return None, str(cycle)
