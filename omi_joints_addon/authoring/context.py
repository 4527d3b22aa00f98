"""What a `bpy.types.Context` always has while an operator, panel or handle of ours runs."""

from typing import TypeVar

_Member = TypeVar("_Member")


def present(member: _Member | None) -> _Member:
    """Return a member of the context that its stubs call optional, and that is there.

    A scene, a view layer and preferences are there wherever a window or a script runs; an active
    object or a region where poll or the place of a panel has made sure.
    """
    if member is None:
        raise RuntimeError("this place of Blender has no such member of the context")
    return member
