"""Attachment frames as empties: making, placing and removing them. World matrices, meters."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ..core.model.pose import matrix_from_pose, pose_from_matrix
from ..properties.bones import BodyBone, Node, object_of, tip_of, world_matrix
from ..properties.exact import change
from ..properties.overlay import ADDON
from .context import present

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import ObjectEmptyDrawtypeItems


def rigid_matrix(matrix: Matrix) -> Matrix:
    """Return position and rotation of a matrix without its scale and shear."""
    return Matrix(matrix_from_pose(pose_from_matrix(np.array(matrix))).tolist())


def place_under(
    obj: bpy.types.Object,
    parent: Node,
    world: Matrix,
    *,
    above: Matrix | None = None,
) -> None:
    """Make `obj` a child of `parent` with exactly the world matrix `world`, which has no scale.

    The parent inverse takes the parent's scale and shear away, so that location and rotation of the
    child are the frame in the parent's space, in meters. `above` is the parent's world matrix
    where Blender does not know it yet.
    """
    # Blender relates all objects of the scene anew whenever a parent is set, even to the same one.
    if isinstance(parent, BodyBone):
        obj.parent, obj.parent_type, obj.parent_bone = parent.armature, "BONE", parent.name
        above = (world_matrix(parent) if above is None else above) @ tip_of(parent.pose_bone)
    elif obj.parent != parent or obj.parent_type != "OBJECT":
        obj.parent, obj.parent_type = parent, "OBJECT"
    above = world_matrix(parent) if above is None else above
    rigid = rigid_matrix(above)
    is_rigid = bool(np.allclose(np.array(above), np.array(rigid), rtol=0.0, atol=1e-6))
    obj.matrix_parent_inverse = Matrix() if is_rigid else above.inverted_safe() @ rigid
    obj.matrix_basis = (above if is_rigid else rigid).inverted() @ world


def move_to(obj: bpy.types.Object, world: Matrix) -> None:
    """Give an existing frame the world matrix `world`, which has no scale, below its parent."""
    if obj.parent is None or obj.parent_type != "OBJECT" or obj.constraints:
        obj.matrix_world = world
    else:
        place_under(obj, obj.parent, world)


class CollectionMap:
    """Collections that each object is linked to, looked up once for many objects."""

    def __init__(self, context: bpy.types.Context) -> None:
        self._fallback = present(context.collection)
        self._found: defaultdict[bpy.types.Object, list[bpy.types.Collection]] = defaultdict(list)
        for collection in _open_collections(present(context.blend_data)):
            for obj in collection.objects:
                self._found[obj].append(collection)

    def link(self, obj: bpy.types.Object, beside: Node) -> None:
        """Link `obj` where `beside` is linked, or where new objects go if that takes none."""
        for collection in self._found.get(object_of(beside), [self._fallback]):
            collection.objects.link(obj)


def apply_scale(obj: bpy.types.Object) -> bool:
    """Make the scale of an object part of its mesh, what is below it staying in place.

    Return whether it has a mesh or curve that can take it. One that others use is copied.
    """
    data: Any = obj.data
    factors = obj.scale.to_tuple()
    if not hasattr(data, "transform") or not data.is_editable or not all(factors):
        return False
    if data.users > 1:
        data = obj.data = data.copy()
    scale = Matrix.Diagonal((*factors, 1.0))
    data.transform(scale)
    if data.id_type == "MESH":
        if scale.determinant() < 0.0:
            data.flip_normals()
        data.update()
    obj.scale = (1.0, 1.0, 1.0)
    for child in obj.children:
        child.matrix_parent_inverse = scale @ child.matrix_parent_inverse
    return True


def frame_collection(context: bpy.types.Context) -> bpy.types.Collection | None:
    """Return the collection that preferences name for new frames, made where there is none."""
    addon = present(context.preferences).addons.get(ADDON)
    name = getattr(addon.preferences, "frame_collection", "") if addon else ""
    if not name:
        return None
    found: bpy.types.Collection | None = present(context.blend_data).collections.get(name)
    if found is None:
        found = present(context.blend_data).collections.new(name)
    scene = present(context.scene)
    if found.name not in {each.name for each in scene.collection.children_recursive}:
        scene.collection.children.link(found)
    return found


def _open_collections(data: bpy.types.BlendData) -> Iterable[bpy.types.Collection]:
    """Return the collections that objects can be linked to, but those of Blender's rigid bodies.

    What is linked to these becomes a rigid body itself.
    """
    worlds = [scene.rigidbody_world for scene in data.scenes if scene.rigidbody_world]
    closed = {group for world in worlds for group in (world.collection, world.constraints)}
    every = (*data.collections, *(scene.collection for scene in data.scenes))
    return [c for c in every if c not in closed and c.library is None and not c.override_library]


def new_empty(
    context: bpy.types.Context, name: str, *, display: "ObjectEmptyDrawtypeItems", size: float
) -> bpy.types.Object:
    """Return a new empty object that is in no collection yet."""
    empty: bpy.types.Object = present(context.blend_data).objects.new(name, None)
    show_empty(empty, display=display, size=size)
    return empty


def connected_frame(
    context: bpy.types.Context,
    collections: CollectionMap,
    joint: bpy.types.Object,
    world: Matrix,
    *,
    below: bpy.types.Object | None,
) -> bpy.types.Object:
    """Return a new empty for the other end of a joint, below an object or in the world."""
    size = display_size(below) if below else joint.empty_display_size
    frame = new_empty(context, f"{joint.name} Connected", display="PLAIN_AXES", size=size)
    collections.link(frame, beside=below or joint)
    if below is None:
        frame.matrix_world = world
    else:
        place_under(frame, below, world)
    return frame


def new_frame_below(
    parent: bpy.types.Object,
    name: str,
    rotation: Quaternion,
    bone: tuple[str, float] | None = None,
) -> bpy.types.Object:
    """Return a new empty turned against its parent, in the same collections.

    `bone` is the name and length of a bone of the parent whose head the empty is at.
    """
    empty: bpy.types.Object = bpy.data.objects.new(name, None)
    empty.parent = parent
    empty.rotation_mode = "QUATERNION"
    empty.rotation_quaternion = rotation
    if bone is not None:
        empty.parent_type, empty.parent_bone = "BONE", bone[0]
        # Children of a bone start at its tip.
        empty.location = (0.0, -bone[1], 0.0)
    for collection in parent.users_collection:
        collection.objects.link(empty)
    return empty


def show_empty(
    empty: bpy.types.Object, *, display: "ObjectEmptyDrawtypeItems", size: float
) -> None:
    """Give an empty the looks of those that are made here."""
    # Blender reports each value that is set, whether or not it is another one.
    change(empty, "empty_display_type", display)
    empty.empty_display_size = size
    empty.show_in_front = True


def display_size(body: Node) -> float:
    """Return a size of axes that can be seen on the body."""
    largest = largest_extent(body)
    return 0.35 * largest if largest > 0.0 else 0.25


def largest_extent(body: Node) -> float:
    """Return the longest edge of an object's box [m], for a bone its length; 0 for an empty."""
    if isinstance(body, BodyBone):
        return (world_matrix(body).to_3x3() @ Vector((0.0, body.pose_bone.bone.length, 0.0))).length
    return max(map(abs, body.dimensions.to_tuple()))
