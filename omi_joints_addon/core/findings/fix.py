"""What can be done about a finding in Blender by one click."""

from enum import StrEnum


class Fix(StrEnum):
    """What can be done about a finding in Blender, by one click."""

    ALIGN_FRAMES = "align_frames"
    """Move the connected frame onto the joint's."""
    INCLUDE_REST = "include_rest"
    """Widen a limit so that it allows where the frames are at rest."""
    REPARENT = "reparent"
    """Make the joint a child of its body, in place."""
    CLEAR_SCALE = "clear_scale"
    """Take scale and shear from a frame, in place."""
    SWAP_BOUNDS = "swap_bounds"
    """Exchange minimum and maximum of a limit."""
    ADD_BODY = "add_body"
    """Make the connected object a static body."""
    REMOVE_LIMIT = "remove_limit"
    REMOVE_DRIVE = "remove_drive"
    CLEAR_BOUNDS = "clear_bounds"
    """Take away the bounds of a limit that no pose can reach."""
    CLAMP_TARGET = "clamp_target"
    """Bring a drive's position target within the limits."""
    MARK_DYNAMIC = "mark_dynamic"
    """Make the joint's body a dynamic one."""
    ADD_ANCHOR = "add_anchor"
    """Connect the joint to a new static body where it is."""
    FIT_SHAPE = "fit_shape"
    """Give a body the collision shape that fits its mesh, or those of the meshes below it."""
    COPY_JOINTS = "copy_joints"
    """Give a copy of a body the joints that its original has."""
    APPLY_SCALE = "apply_scale"
    """Make the scale of a joint's bodies part of their meshes, in place."""
    USE_HULL = "use_hull"
    """Make the shapes of an object the convex hull of its mesh."""
    REMOVE_JOINT = "remove_joint"
    """Remove the joint with the frames that nothing else uses."""

    REMOVE_FRAME = "remove_frame"
    """Remove a connected frame that no joint uses any longer."""

    @property
    def label(self) -> str:
        """Name to show."""
        return _LABELS[self]


_LABELS = {
    Fix.ALIGN_FRAMES: "Align Frames",
    Fix.INCLUDE_REST: "Include Rest Pose",
    Fix.REPARENT: "Parent to Body",
    Fix.CLEAR_SCALE: "Clear Scale",
    Fix.SWAP_BOUNDS: "Swap Bounds",
    Fix.ADD_BODY: "Add Static Body",
    Fix.REMOVE_LIMIT: "Remove Limit",
    Fix.REMOVE_DRIVE: "Remove Drive",
    Fix.CLEAR_BOUNDS: "Clear Bounds",
    Fix.CLAMP_TARGET: "Clamp Target",
    Fix.MARK_DYNAMIC: "Make Body Dynamic",
    Fix.ADD_ANCHOR: "Make World Anchor",
    Fix.FIT_SHAPE: "Fit Shape",
    Fix.COPY_JOINTS: "Copy Joints",
    Fix.APPLY_SCALE: "Apply Scale",
    Fix.USE_HULL: "Use Convex Hull",
    Fix.REMOVE_JOINT: "Remove Joint",
    Fix.REMOVE_FRAME: "Remove Frame",
}
