"""What can be done about a finding in Blender by one click."""

from enum import StrEnum


class Fix(StrEnum):
    """What can be done about a finding in Blender, by one click."""

    ALIGN_FRAMES = "align_frames"
    INCLUDE_REST = "include_rest"
    REPARENT = "reparent"
    CLEAR_SCALE = "clear_scale"
    SWAP_BOUNDS = "swap_bounds"
    ADD_BODY = "add_body"
    REMOVE_LIMIT = "remove_limit"
    REMOVE_DRIVE = "remove_drive"
    CLEAR_BOUNDS = "clear_bounds"
    CLAMP_TARGET = "clamp_target"
    MARK_DYNAMIC = "mark_dynamic"
    ADD_ANCHOR = "add_anchor"
    FIT_SHAPE = "fit_shape"
    INERTIA_FROM_SHAPE = "inertia_from_shape"
    COPY_JOINTS = "copy_joints"
    APPLY_SCALE = "apply_scale"
    USE_HULL = "use_hull"
    REMOVE_JOINT = "remove_joint"
    REMOVE_FRAME = "remove_frame"

    @property
    def label(self) -> str:
        """Name to show."""
        return _TEXTS[self][0]

    @property
    def description(self) -> str:
        """What it does, as a tooltip without a period at its end."""
        return _TEXTS[self][1]


_TEXTS = {
    Fix.ALIGN_FRAMES: ("Align Frames", "Move the connected frame onto the joint's frame"),
    Fix.INCLUDE_REST: ("Include Rest Pose", "Widen the limit so that it allows the rest pose"),
    Fix.REPARENT: ("Parent to Body", "Make the joint a child of its body, in place"),
    Fix.CLEAR_SCALE: ("Clear Scale", "Remove scale and shear from the frame, in place"),
    Fix.SWAP_BOUNDS: ("Swap Bounds", "Exchange minimum and maximum of the limit"),
    Fix.ADD_BODY: ("Add Static Body", "Make the connected object a static body"),
    Fix.REMOVE_LIMIT: ("Remove Limit", "Remove the limit from the joint"),
    Fix.REMOVE_DRIVE: ("Remove Drive", "Remove the drive from the joint"),
    Fix.CLEAR_BOUNDS: ("Clear Bounds", "Remove bounds of the limit that no pose can reach"),
    Fix.CLAMP_TARGET: ("Clamp Target", "Move the drive's position target into the limits"),
    Fix.MARK_DYNAMIC: ("Make Body Dynamic", "Make the joint's body dynamic"),
    Fix.ADD_ANCHOR: ("Make World Anchor", "Connect the joint to a new static body at its place"),
    Fix.FIT_SHAPE: ("Fit Shape", "Fit a collision shape to the mesh, or to the meshes below"),
    Fix.INERTIA_FROM_SHAPE: (
        "Inertia from Shape",
        "Compute inertia and center of mass from the collision shapes",
    ),
    Fix.COPY_JOINTS: ("Copy Joints", "Give the copied body the joints of its original"),
    Fix.APPLY_SCALE: ("Apply Scale", "Apply the scale of the joint's bodies to their meshes"),
    Fix.USE_HULL: ("Use Convex Hull", "Use the convex hull of the mesh as the collision shape"),
    Fix.REMOVE_JOINT: ("Remove Joint", "Remove the joint, and frames that nothing else uses"),
    Fix.REMOVE_FRAME: ("Remove Frame", "Remove the connected frame that no joint uses"),
}
