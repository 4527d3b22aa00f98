"""Poses of a scene under names, such as "home": `Scene.omi_poses`."""

from collections.abc import Collection, Iterator, Mapping

import bpy

from ..core.model.named_pose import NamedPose
from ..declared import (
    CollectionProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from .exact import exact_numbers, recalled, remember


class OMI_PG_joint_position(bpy.types.PropertyGroup):
    """Where one joint is in a pose."""

    joint: bpy.types.Object | None = PointerProperty(
        name="Joint", description="Joint with one free axis", type=bpy.types.Object
    )
    position = FloatProperty(
        name="Position",
        description="Position of the joint in m or rad, counted from its author's zero",
    )
    exact = StringProperty(options={"HIDDEN"})


class OMI_PG_named_pose(bpy.types.PropertyGroup):
    """Positions of joints under a name."""

    positions = CollectionProperty(
        type=OMI_PG_joint_position,
        name="Positions",
        description="Positions of joints; those that are not listed stay where they are",
    )

    def set_positions(self, positions: Mapping[bpy.types.Object, float]) -> None:
        """Hold positions [m or rad] of joints."""
        self.positions.clear()
        for joint, position in positions.items():
            row = self.positions.add()
            row.joint = joint
            remember(row, {"position": position})

    def found(self) -> Iterator[tuple[bpy.types.Object, float]]:
        """Yield joints that are left and their positions [m or rad]."""
        for row in self.positions:
            if row.joint is not None:
                yield row.joint, recalled(row.position, "position", exact_numbers(row.exact))


class OMI_PG_named_poses(bpy.types.PropertyGroup):
    """The poses of a scene."""

    poses = CollectionProperty(
        type=OMI_PG_named_pose, name="Poses", description="Positions of joints under names"
    )
    active_index = IntProperty(
        name="Active Pose", description="Number of the pose that is selected", min=0
    )

    def add(self, name: str, positions: Mapping[bpy.types.Object, float]) -> OMI_PG_named_pose:
        """Return a new pose, under a name that none has yet, and select it."""
        names, number, given = {pose.name for pose in self.poses}, 1, name
        while name in names:
            name, number = f"{given}.{number:03d}", number + 1
        pose = self.poses.add()
        pose.name = name
        pose.set_positions(positions)
        self.active_index = len(self.poses) - 1
        return pose

    @property
    def active(self) -> OMI_PG_named_pose | None:
        """The pose that is selected."""
        is_there = self.active_index < len(self.poses)
        return self.poses[self.active_index] if is_there else None

    def to_core(self, joints: Collection[str]) -> tuple[NamedPose, ...]:
        """Return the poses with those of their joints that are in a scene, by names of objects."""
        rows = [
            (pose.name, tuple((j.name, at) for j, at in pose.found() if j.name in joints))
            for pose in self.poses
        ]
        return tuple(NamedPose(name=name, positions=at) for name, at in rows if at)


def poses_of(scene: bpy.types.Scene) -> OMI_PG_named_poses:
    """Return the named poses of a scene."""
    poses: OMI_PG_named_poses = scene.omi_poses  # type: ignore[attr-defined]
    return poses
