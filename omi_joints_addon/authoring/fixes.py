"""What each fix of a finding does to objects; fixes of settings are in `core.rewrite.fixes`."""

from collections.abc import Callable, Mapping

import bpy
import numpy as np

from ..core.findings.finding import Finding
from ..core.findings.fix import Fix
from ..core.findings.sentence import Sentence
from ..core.model.pose import Pose, pose_from_matrix, relative_pose
from ..core.rewrite.fixes import fixed_settings, including
from ..properties.body import body_data, fittable_shapes, motion_of
from ..properties.bones import world_matrix
from ..properties.joint import joint_data, joint_of, settings_owner
from ..properties.mesh_points import MeshReader
from ..scene.solids import body_solid, children_of
from ..scene.structure import body_object_of, parent_of
from .bodies import BodyMaker, fit_shapes, set_inertia
from .conditions import locked
from .context import present
from .copies import copy_joints
from .frames import (
    CollectionMap,
    apply_scale,
    connected_frame,
    move_to,
    place_under,
    rigid_matrix,
)
from .joint_curves import JointCurves
from .removal import remove_frame, remove_joints


class FixError(Exception):
    """A fix that is not possible here; the text is the reason."""


def fix(
    context: bpy.types.Context,
    found: Finding,
    objects: Mapping[str, bpy.types.Object] | None = None,
) -> None:
    """Fix what a finding is about; raises `FixError`.

    `objects` are those of the scene by name (`objects_by_name`), looked up once for many findings.
    """
    obj = object_of(context, found.place) if objects is None else objects.get(found.place)
    how = found.rule.fix
    if obj is None or how is None or (joint_of(obj) is None and how not in _OF_OTHERS):
        raise FixError(Sentence("the object {place!r} is missing or changed", place=found.place))
    if reason := locked(obj):
        raise FixError(reason)
    if found.part and how not in _FIXES:
        _fix_settings(obj, found)
    else:
        _FIXES[how](context, obj)


def object_of(context: bpy.types.Context, place: str) -> bpy.types.Object | None:
    """Return the object that a finding is about."""
    obj: bpy.types.Object | None = present(context.scene).objects.get(place)
    return obj


def objects_by_name(context: bpy.types.Context) -> dict[str, bpy.types.Object]:
    """Return for each name the object that `object_of` finds."""
    found: dict[str, bpy.types.Object] = {}
    for obj in present(context.scene).objects:
        found.setdefault(obj.name, obj)
    return found


def _fix_settings(obj: bpy.types.Object, found: Finding) -> None:
    owner = settings_owner(obj)
    settings = joint_data(owner).settings_to_core()
    try:
        if found.rule.fix == Fix.INCLUDE_REST:
            settings = including(settings, int(found.part.split("/")[-1]), _rest(obj))
        else:
            settings = fixed_settings(settings, found)
    except IndexError as error:
        raise FixError("the limit or drive no longer exists") from error
    JointCurves().replace(owner, settings)


def _rest(obj: bpy.types.Object) -> Pose:
    """Return the connected frame in the frame of the joint `obj`, as they are now."""
    ends = [pose_from_matrix(np.array(world_matrix(end))) for end in (obj, _connected(obj))]
    return relative_pose(*ends)


def _align_frames(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    connected = _connected(obj)
    if motion_of(connected) is None and connected.type == "EMPTY":
        move_to(connected, rigid_matrix(world_matrix(obj)))
        return
    joint_data(obj).connect(_new_frame(context, obj, below=connected))


def _reparent(_context: bpy.types.Context, obj: bpy.types.Object) -> None:
    body = body_object_of(parent_of(obj))
    if body is None:
        raise FixError("the joint is not below a body")
    place_under(obj, body, rigid_matrix(world_matrix(obj)))


def _clear_scale(_context: bpy.types.Context, obj: bpy.types.Object) -> None:
    for frame in (obj, joint_data(obj).connected_object):
        if frame is None or motion_of(frame) is not None or frame.type != "EMPTY":
            continue
        world = rigid_matrix(world_matrix(frame))
        if frame.parent is None:
            frame.matrix_world = world
        else:
            move_to(frame, world)


def _add_body(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    BodyMaker(context).make(_connected(obj), "STATIC")


def _mark_dynamic(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    body = body_object_of(parent_of(obj)) or obj.parent
    if body is None:
        raise FixError("the joint has no object above it that could be a body")
    if body.rigid_body is not None:
        body.rigid_body.type, body.rigid_body.kinematic = "ACTIVE", False
        body.rigid_body.enabled = True
    else:
        BodyMaker(context).make(body, "DYNAMIC")
        body_data(body).motion_type = "DYNAMIC"


def _fit_shape(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    if fittable_shapes(obj):
        _fit_again(context, obj, "SAME")
    elif not BodyMaker(context).add_shapes(obj):
        raise FixError("the body has no mesh that a shape could fit")


def _inertia_from_shape(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    reader = MeshReader(context.evaluated_depsgraph_get())
    solid = body_solid(obj, children_of(present(context.scene).objects), reader)
    if solid is None:
        raise FixError("the body has no collision shape with a volume")
    set_inertia(obj, solid)


def _apply_scale(_context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Apply the scale of what the frames of a joint are below."""
    bodies = [end.parent for end in (obj, joint_data(obj).connected_object) if end is not None]
    for body in dict.fromkeys(filter(None, bodies)):
        if body.scale.to_tuple() == (1.0, 1.0, 1.0):
            continue
        if reason := locked(body):
            raise FixError(reason)
        if not apply_scale(body):
            raise FixError(Sentence("{object} has no mesh for its scale", object=body.name))


def _copy_joints(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    if not copy_joints(context, obj):
        raise FixError("the body whose joints to copy is gone")


def _use_hull(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    _fit_again(context, obj, "CONVEX")


def _fit_again(context: bpy.types.Context, obj: bpy.types.Object, shape: str) -> None:
    reader = MeshReader(context.evaluated_depsgraph_get())
    children = children_of(present(context.scene).objects)
    if not fit_shapes(obj, children, reader, shape=shape):
        raise FixError("the body has no mesh that a shape could fit")


def _add_anchor(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    anchor = _new_frame(context, obj, below=None)
    body_data(anchor).motion_type = "STATIC"
    joint_data(obj).connect(anchor)


def _remove_joint(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    remove_joints(present(context.blend_data), [obj])


def _remove_frame(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    if not remove_frame(present(context.blend_data), obj):
        raise FixError("something else uses the frame")


def _connected(obj: bpy.types.Object) -> bpy.types.Object:
    connected = joint_data(obj).connected_object
    if connected is None:
        raise FixError("the joint has no connected object")
    if reason := locked(connected):
        raise FixError(reason)
    return connected


def _new_frame(
    context: bpy.types.Context, obj: bpy.types.Object, *, below: bpy.types.Object | None
) -> bpy.types.Object:
    """Return a new empty where the joint is."""
    world = rigid_matrix(world_matrix(obj))
    return connected_frame(context, CollectionMap(context), obj, world, below=below)


_FIXES: dict[Fix, Callable[[bpy.types.Context, bpy.types.Object], None]] = {
    Fix.ALIGN_FRAMES: _align_frames,
    Fix.REPARENT: _reparent,
    Fix.CLEAR_SCALE: _clear_scale,
    Fix.ADD_BODY: _add_body,
    Fix.MARK_DYNAMIC: _mark_dynamic,
    Fix.ADD_ANCHOR: _add_anchor,
    Fix.FIT_SHAPE: _fit_shape,
    Fix.INERTIA_FROM_SHAPE: _inertia_from_shape,
    Fix.APPLY_SCALE: _apply_scale,
    Fix.COPY_JOINTS: _copy_joints,
    Fix.USE_HULL: _use_hull,
    Fix.REMOVE_JOINT: _remove_joint,
    Fix.REMOVE_FRAME: _remove_frame,
}
_OF_OTHERS = {
    Fix.COPY_JOINTS,
    Fix.FIT_SHAPE,
    Fix.INERTIA_FROM_SHAPE,
    Fix.USE_HULL,
    Fix.REMOVE_FRAME,
}
"""Fixes of findings about bodies and frames; the others are about joints."""
