"""Settings of joints by their limits, in short."""

from omi_joints_addon.core.model.joint import JointLimit, JointSettings


def joint_of(*members: tuple[str, str, float, float]) -> JointSettings:
    """Return settings of limits given as linear axes, angular axes, minimum and maximum."""
    return JointSettings(
        limits=tuple(
            JointLimit(
                linear_axes=tuple("XYZ".index(axis) for axis in linear),
                angular_axes=tuple("XYZ".index(axis) for axis in angular),
                min=lower,
                max=upper,
            )
            for linear, angular, lower, upper in members
        )
    )
