"""Which end of a joint moves and which one stays."""

from enum import StrEnum

from ..model.body import Motion, MotionType


class End(StrEnum):
    """An end of a joint."""

    JOINT = "joint"
    """The body that the joint's frame is on."""
    CONNECTED = "connected"
    """The body that the connected frame is on."""

    @property
    def other(self) -> "End":
        """The end opposite to this one."""
        return End.CONNECTED if self == End.JOINT else End.JOINT


def moving_end(own: Motion | None, connected: Motion | None) -> End:
    """Return the end that moves: of the body that can; of two that can, of the lighter one.

    `own` and `connected` are the motions of the bodies at both ends, None for the world. Where both
    are alike the joint's own body moves.
    """
    is_own, is_connected = _is_dynamic(own), _is_dynamic(connected)
    if is_own != is_connected:
        return End.JOINT if is_own else End.CONNECTED
    if own is not None and connected is not None and own.mass > connected.mass and is_own:
        return End.CONNECTED
    return End.JOINT


def _is_dynamic(motion: Motion | None) -> bool:
    return motion is not None and motion.type == MotionType.DYNAMIC
