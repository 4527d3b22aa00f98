"""All that touches the insides of io_scene_gltf2, Blender's own glTF add-on.

Holds for its versions in Blender 4.5 LTS and 5.2 LTS, which name what is used here alike. Comments
name the function up there.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Matrix, Quaternion, Vector

from ...properties import property_names
from ...properties.body_reading import read_body
from ...properties.bones import JOURNAL, RAGDOLL, BodyBone, Node
from ...properties.rigid_body import PREVIEW_MADE, PREVIEW_TAG

if TYPE_CHECKING:
    from .physics import ObjectPhysics

ExportSettings = dict[str, Any]
FileNode = Any
"""`io.com.gltf2_io.Node`: until the file is traversed its children are nodes, then indices."""

CAMERA_CORRECTION = Quaternion((0.5**0.5, -(0.5**0.5), 0.0, 0.0))
"""What cameras and lights are turned by about their local X on export (`tree.VExportTree`)."""


@dataclass(slots=True, eq=False)
class WrittenNode:
    """A node of the file that is written, and where it comes from."""

    obj: Node | None
    """None for bones that are not bodies, collections and instances of geometry nodes."""
    node: FileNode
    parent: "WrittenNode | None"
    """Node above it in the file."""
    origin: "WrittenNode | None"
    """Nearest written node above it in Blender; not `parent` where the hierarchy is flattened or
    made of collections."""
    world: Matrix
    """World matrix in Blender's axes."""
    is_turned: bool
    """Whether `world` holds the correction of cameras and lights, whose axes bones have, too."""
    is_instancer: bool
    """Whether copies of other objects are below it."""
    is_plain: bool
    """Whether it is an empty that does nothing but place its children."""
    siblings: list[FileNode]
    """List of nodes that it is in."""
    physics: "ObjectPhysics"
    """What its object is."""

    def nodes_above(self) -> "Iterator[WrittenNode]":
        """Yield the nodes above it in the file, nearest first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent


ADDON = __package__.removesuffix(".io.gltf")
"""Module of the add-on."""
UNSEEN = (
    "Blender's glTF add-on cannot see this extension, so files are exported without physics; "
    "enable it in the preferences"
)
Draw = Callable[[bpy.types.Context, bpy.types.UILayout], None]
OTHER_ADDON = "KHR_physics_rigid_bodies"
"""Add-on of the extension's author, which writes Blender's Rigid Bodies and makes them of files."""
OTHER_ADDON_TEXT = (
    "The add-on KHR_physics_rigid_bodies is left out of files that this extension reads or writes; "
    "turn off the options here to use it instead"
)


def is_found_by_exporters() -> bool:
    """Return whether io_scene_gltf2 calls the hooks: it looks for modules of enabled add-ons.

    An add-on that is only registered, or whose enabling failed half-way, is not one of them.
    """
    preferences = bpy.context.preferences  # noqa: TID251 - registration is given no context
    return preferences is not None and ADDON in preferences.addons


def is_other_addon_enabled() -> bool:
    """Return whether another add-on reads and writes the same physics."""
    preferences = bpy.context.preferences  # noqa: TID251 - dialogs and hooks share it
    names = preferences.addons.keys() if preferences is not None else ()
    return any(name.rpartition(".")[2] == OTHER_ADDON for name in names)


def leave_out_other_addon(extensions: list[Any]) -> list[Any]:
    """Return the user extensions of a run without those of the other add-on for physics.

    With both, each joint of a file would become two, and two the next time it is written.
    """
    return [each for each in extensions if OTHER_ADDON not in type(each).__module__.split(".")]


def add_dialog_panels(addon: str, draw_export: Draw, draw_import: Draw) -> None:
    """Show options in the dialogs of the exporter and the importer, where these are enabled.

    The key must be the add-on's module name: under it the importer looks for one by itself.
    """
    try:
        import io_scene_gltf2 as upstream
    except ImportError:
        return
    upstream.exporter_extension_layout_draw[addon] = draw_export
    upstream.importer_extension_layout_draw[addon] = draw_import


def remove_dialog_panels(addon: str) -> None:
    """Remove the options from the dialogs; the importer itself never does."""
    try:
        import io_scene_gltf2 as upstream
    except ImportError:
        return
    upstream.exporter_extension_layout_draw.pop(addon, None)
    upstream.importer_extension_layout_draw.pop(addon, None)


def leave_out_previews(tree: Any) -> None:
    """Keep what the rigid body preview made out of a `tree.VExportTree` that is to be filtered."""
    for vnode in tree.nodes.values():
        obj = vnode.blender_object
        if isinstance(obj, bpy.types.Object) and obj.get(PREVIEW_TAG) == PREVIEW_MADE:
            vnode.keep_tag = False


def tree_parents(tree: Any) -> dict[str, str | None]:
    """Return the parent of each node of a `tree.VExportTree` before it is filtered or flattened.

    An object that the exporter puts below its collection, because its parent is in another one, has
    the parent that it has in Blender.
    """
    from io_scene_gltf2.blender.exp.tree import VExportNode as Kind

    first: dict[Any, str] = {}
    for uuid, vnode in tree.nodes.items():
        if vnode.blender_type not in (Kind.BONE, Kind.COLLECTION, Kind.INSTANCE):
            first.setdefault(vnode.blender_object, uuid)
    parents: dict[str, str | None] = {}
    for uuid, vnode in tree.nodes.items():
        above = tree.nodes.get(vnode.parent_uuid)
        is_apart = above is not None and above.blender_type == Kind.COLLECTION
        is_child = first.get(vnode.blender_object) == uuid and vnode.blender_object.parent
        parents[uuid] = vnode.parent_uuid
        if is_apart and is_child:
            parents[uuid] = first.get(vnode.blender_object.parent, vnode.parent_uuid)
    return parents


def written_nodes(
    settings: ExportSettings, scene: Any, parents: dict[str, str | None]
) -> list[WrittenNode]:
    """Return the nodes of a scene that has been gathered, parents first.

    `scene` is the `gltf2_io.Scene`, `parents` are `tree_parents`.
    """
    from io_scene_gltf2.blender.exp.tree import VExportNode as Kind

    from .physics import physics_of

    objects = {Kind.OBJECT, Kind.ARMATURE, Kind.LIGHT, Kind.CAMERA, Kind.INST_COLLECTION}
    written: dict[str | None, WrittenNode] = {}
    for uuid, vnode in settings["vtree"].nodes.items():
        node, kind = vnode.node, vnode.blender_type
        if node is None:
            continue
        parent = written.get(vnode.parent_uuid)
        obj: Any = vnode.blender_object if kind in objects else _body_bone_of(vnode)
        is_instancer = vnode.is_instancer or (kind in objects and obj.is_instancer)
        # By place, which is quicker: there are thousands.
        written[uuid] = WrittenNode(
            obj,
            node,
            parent,
            parent,
            vnode.matrix_world,
            kind in (Kind.LIGHT, Kind.CAMERA, Kind.BONE),
            is_instancer,
            kind == Kind.OBJECT and not is_instancer and obj.type == "EMPTY",
            scene.nodes if parent is None else parent.node.children,
            physics_of(obj),
        )
    for uuid, found in written.items() if parents else ():
        found.origin = _origin(uuid, parents, written)
    return list(written.values())


def _body_bone_of(vnode: Any) -> BodyBone | None:
    """Return the bone of a node of the exporter's tree where it is a body, solid or a trigger.

    Nodes that the exporter adds at the tips of bones (`leaf_reference`) are not bones.
    """
    if vnode.blender_bone is None or getattr(vnode, "leaf_reference", None) is not None:
        return None
    bone = BodyBone(vnode.blender_object, vnode.blender_bone.name)
    body = read_body(bone)
    return bone if body is not None and body.is_part else None


def body_bones_in(tree: Any) -> dict[str, BodyBone]:
    """Return the nodes of a `tree.VExportTree` that are bones with something of physics."""
    found = ((uuid, _body_bone_of(vnode)) for uuid, vnode in tree.nodes.items())
    return {uuid: bone for uuid, bone in found if bone is not None}


def hang_from_armature(tree: Any, uuids: Iterable[str]) -> bool:
    """Hang bones of a `tree.VExportTree` from their armatures; return whether any hung elsewhere.

    Engines move nodes below a body with it, and what moves a skin are the nodes of its bones.
    """
    from io_scene_gltf2.blender.exp.tree import VExportNode as Kind

    moved = [uuid for uuid in uuids if tree.nodes[uuid].parent_uuid != tree.nodes[uuid].armature]
    for uuid in moved:
        vnode = tree.nodes[uuid]
        tree.nodes[vnode.parent_uuid].children.remove(uuid)
        vnode.parent_uuid, vnode.parent_bone_uuid = vnode.armature, None
        tree.nodes[vnode.armature].children.append(uuid)
        tree.nodes[vnode.armature].children_type[uuid] = Kind.CHILDREN_REAL
    return bool(moved)


def keep_bones(tree: Any, uuids: Iterable[str]) -> None:
    """Keep bones of a `tree.VExportTree` that is to be filtered, also those that deform nothing.

    A bone that is kept without being a deforming one would be in no scene.
    """
    for uuid in uuids:
        tree.nodes[uuid].keep_tag = tree.nodes[uuid].use_deform = True


def file_world(written: WrittenNode, settings: ExportSettings) -> Matrix:
    """Return where a node is in the file, in Blender's axes and from Blender's origin."""
    if written.node.skin is not None:
        # A skinned mesh is written without place.
        return parent_world(written, settings)
    obj = written.obj
    if obj is None or obj.instance_type != "COLLECTION" or obj.instance_collection is None:
        return written.world
    return written.world @ Matrix.Translation(-obj.instance_collection.instance_offset)


def parent_world(written: WrittenNode, settings: ExportSettings) -> Matrix:
    """Return what the place of a node in the file is relative to, in Blender's axes."""
    if written.parent is not None:
        return written.parent.world
    if settings["gltf_collection"] and settings["gltf_at_collection_center"]:
        return Matrix.Translation(settings["gltf_collection_center"])
    return Matrix()


def new_node(name: str, settings: ExportSettings, local: Matrix) -> FileNode:
    """Return a new node of the file, `local` its matrix below its parent in Blender's axes."""
    from io_scene_gltf2.io.com import gltf2_io

    node = gltf2_io.Node(
        camera=None,
        children=[],
        extensions=None,
        extras=None,
        matrix=None,
        mesh=None,
        name=name,
        rotation=None,
        scale=None,
        skin=None,
        translation=None,
        weights=None,
    )
    place_node(node, local, settings)
    return node


def place_node(node: FileNode, local: Matrix, settings: ExportSettings) -> None:
    """Give a node its place below its parent, as `nodes.__gather_trans_rot_scale` does."""
    place, rotation, size = local.decompose()
    if settings["gltf_yup"]:
        place = Vector((place.x, place.z, -place.y))
        rotation = Quaternion((rotation.w, rotation.x, rotation.z, -rotation.y))
        size = Vector((size.x, size.z, size.y))
    node.translation = None if place == Vector() else [place.x, place.y, place.z]
    node.rotation = [rotation.x, rotation.y, rotation.z, rotation.w]
    node.scale = None if size == Vector((1.0, 1.0, 1.0)) else [size.x, size.y, size.z]


def lost_places(nodes: Iterable[WrittenNode]) -> list[str]:
    """Return the names of bodies and joints whose place in Blender is not a number."""
    physical = (each for each in nodes if each.physics.is_body_part or each.physics.is_joint)
    worlds: Iterable[tuple[WrittenNode, Any]] = ((each, each.world) for each in physical)
    lost = (each for each, world in worlds if not math.isfinite(sum(map(sum, world))))
    return list(dict.fromkeys(each.obj.name for each in lost if each.obj is not None))


def place_nodes(document: Any) -> None:
    """Take places that are not numbers away from the nodes of a `gltf2_io.Gltf`.

    `__fix_json` of the exporter ends on them, and then there is no file at all.
    """
    for node in document.nodes:
        for name in ("translation", "rotation", "scale", "matrix"):
            values = getattr(node, name)
            if values is not None and not all(map(math.isfinite, values)):
                setattr(node, name, None)


class KeptChildren(list[FileNode]):
    """Children of a node that GPU instancing must not merge into its parent.

    `exporter.manage_gpu_instancing` removes nodes whose list of children is false.
    """

    def __bool__(self) -> bool:
        """Return True, empty or not."""
        return True


def keep_nodes(nodes: list[FileNode]) -> None:
    """Keep nodes from being merged by GPU instancing."""
    for node in nodes:
        node.children = KeptChildren(node.children)


def remove_own_extras(owners: Iterable[Any]) -> None:
    """Remove what is the add-on's from the extras of nodes and scenes of a file.

    `extras.generate_extras` takes registered groups for custom properties, and an import without
    the add-on makes custom properties of what an export has put there (`formats.gltf.beyond`).
    """
    from ..formats.gltf.beyond import KNOWN

    for owner in owners:
        if isinstance(owner.extras, dict):
            for name in (*property_names(), PREVIEW_TAG, RAGDOLL, JOURNAL, *KNOWN):
                owner.extras.pop(name, None)
            owner.extras = owner.extras or None


def node_indices(document: Any) -> dict[int, int]:
    """Return the index of each node of a `gltf2_io.Gltf` by the node's `id`."""
    return {id(node): index for index, node in enumerate(document.nodes)}


def _origin(
    uuid: str | None, parents: dict[str, str | None], written: dict[str | None, WrittenNode]
) -> WrittenNode | None:
    """Return the nearest node above in Blender that is written."""
    above = parents.get(uuid) if uuid is not None else None
    while above is not None and above not in written:
        above = parents.get(above)
    return written.get(above)


# Import: nodes of the file by index, their objects in Blender.


def supported_extensions(names: Iterable[str]) -> list[Any]:
    """Return extensions that files may require (`glTFImporter.__init__` asks for them)."""
    from io_scene_gltf2.io.com.gltf2_io_extensions import Extension

    return [Extension(name=name, extension={}, required=True) for name in sorted(names)]


def nodes_of(importer: Any) -> list[Any]:
    """Return the nodes of the file that an `io.imp.gltf2_io_gltf.glTFImporter` reads."""
    return importer.data.nodes or []


def node_extension(node: Any, name: str) -> Any:
    """Return an extension object of a node, None where there is none."""
    return (node.extensions or {}).get(name)


def import_scene(importer: Any) -> bpy.types.Scene:
    """Return the scene that a file is imported into (`BlenderScene.create` notes its name)."""
    scene: bpy.types.Scene = bpy.data.scenes[importer.blender_scene]
    return scene


def turn_imported(importer: Any, index: int) -> None:
    """Turn an object to be created back from glTF's axes, its children staying where they are.

    As `vnode.correct_cameras_and_lights` does.
    """
    from io_scene_gltf2.blender.imp.vnode import local_rotation

    if importer.camera_correction is not None:
        local_rotation(importer, index, importer.camera_correction)


def is_bone(importer: Any, index: int) -> bool:
    """Return whether a node became a bone."""
    return bool(importer.vnodes[index].type == _bone_type())


@lru_cache(maxsize=1)
def _bone_type() -> int:
    from io_scene_gltf2.blender.imp.vnode import VNode

    return int(VNode.Bone)


def has_own_data(importer: Any, index: int) -> bool:
    """Return whether a node has data whose axes must stay, or becomes no object of its own."""
    node = importer.data.nodes[index]
    is_other = any(value is not None for value in (node.mesh, node.camera, node.skin))
    is_light = node_extension(node, "KHR_lights_punctual") is not None
    return is_other or is_light or importer.vnodes[index].is_arma or is_bone(importer, index)


def imported_object(importer: Any, index: int) -> bpy.types.Object:
    """Return the object of a node, for a bone its armature."""
    vnode = importer.vnodes[index]
    if vnode.type == _bone_type():
        vnode = importer.vnodes[vnode.bone_arma]
    obj: bpy.types.Object = vnode.blender_object
    return obj


def remove_imported(importer: Any, indices: Iterable[int]) -> None:
    """Remove the objects of nodes that are in no scene, once nothing else is to be made of them.

    With the last one goes the collection that `vnode.compute_vnodes` makes for such nodes.
    """
    for index in [index for index in indices if not is_bone(importer, index)]:
        bpy.data.objects.remove(importer.vnodes.pop(index).blender_object)
    orphans = importer.blender_collections.get(None)
    if orphans is not None and not orphans.all_objects:
        bpy.data.collections.remove(importer.blender_collections.pop(None))


def frame_rotation(importer: Any, index: int) -> Quaternion:
    """Return the rotation from the axes of a node in the file to those of its object."""
    correction = importer.camera_correction or Quaternion()
    rotation: Quaternion = importer.vnodes[index].rotation_before.conjugated() @ correction
    return rotation


def imported_bone(importer: Any, index: int) -> BodyBone | None:
    """Return the bone that a node became, None where it did not."""
    if not is_bone(importer, index):
        return None
    return BodyBone(imported_object(importer, index), importer.vnodes[index].blender_bone_name)


def bone_rotation(importer: Any, index: int) -> Quaternion:
    """Return the rotation from the axes of a bone to those that an object of its node would have.

    Bones point along their node's Y, or elsewhere, as the importer's options say.
    """
    rotation: Quaternion = importer.vnodes[index].rotation_before.conjugated()
    return rotation


def bone_of(importer: Any, index: int) -> tuple[str, float] | None:
    """Return name and length of the bone that a node became, None where it did not."""
    vnode = importer.vnodes[index]
    return (vnode.blender_bone_name, vnode.bone_length) if is_bone(importer, index) else None
