"""Objects and the prims of the USD file that they were imported from.

What was imported is kept with the scene by path, so that what is gone since was deleted.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from ...core.meaning.velocities import center_in_meters
from ...core.model.plain import kept_object
from ...core.model.pose import Array
from ...core.model.scene import PhysicsScene
from ...core.rewrite.tree import with_shapes_on_nodes
from ...properties.usd_options import OMI_PG_usd_options, usd_options
from ...properties.usd_origin import usd_origin, usd_origin_of
from ...scene.joint_keys import keyed_tracks
from ...scene.reading import nodes_of
from ..files import opened
from ..formats.format import Document
from ..formats.usd.edited import StageRevision
from ..formats.usd.reading import StageRead

_SCALED = 1e-4
"""Part of a size that single precision, through several matrices, makes of one."""
_NEAR = 1e-5
"""Distance [m] and part of a unit axis that single precision makes of places near the origin."""


def keep_origins(
    scene: bpy.types.Scene,
    file: Path,
    read: StageRead,
    objects: Mapping[int, bpy.types.Object],
) -> None:
    """Note on objects, given by the nodes of a stage, which prims they are of."""
    if not file.is_file():
        return
    digest = digest_of(file)
    joints = {
        joint.node: path for joint, path in zip(read.scene.joints, read.joint_paths, strict=True)
    }
    prims = _prims_of(read, objects)
    for node in {*prims, *joints}:
        obj = objects.get(node)
        if obj is None:
            continue
        origin = usd_origin(obj)
        origin.file, origin.digest, origin.meters = str(file), digest, read.units.meters
        if node in prims:
            origin.prim = prims[node]
        if node in joints:
            origin.joint = joints[node]
        origin.name = obj.name
    _note_imported(usd_options(scene), str(file), read, prims, joints)


def _note_imported(
    options: OMI_PG_usd_options,
    file: str,
    read: StageRead,
    prims: Mapping[int, str],
    joints: Mapping[int, str],
) -> None:
    """Note which prims of a file have become objects of a scene."""
    bodies = [read.paths[node] for node in read.scene.motions if node in prims]
    imported = kept_object(options.imported or "{}")
    imported.pop(file, None)  # the last import comes last
    parts = [part.path for (_kind, node), part in read.parts.items() if node in prims]
    imported[file] = {"bodies": bodies, "joints": [*joints.values()], "parts": parts}
    options.imported = json.dumps(imported, separators=(",", ":"))


def _prims_of(read: StageRead, objects: Mapping[int, bpy.types.Object]) -> dict[int, str]:
    """Return the path for each object by node; one that is of several prims is of the body's."""
    found: dict[bpy.types.Object, int] = {}
    for node, obj in objects.items():
        if not (node < len(read.paths) and read.paths[node]):
            continue
        if obj not in found or node in read.scene.motions:
            found[obj] = node
    return {node: read.paths[node] for node in found.values()}


def digest_of(file: Path) -> str:
    """Return a digest of the content of a file."""
    with opened(file) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:32]  # type: ignore[arg-type]


def edited_objects(
    scene: bpy.types.Scene, core: PhysicsScene, document: Document, read: StageRead
) -> StageRevision:
    """Return a scene, whose first nodes are the objects, as edits of the stage of a file."""
    file = str(document.path)
    nodes = {path: node for node, path in enumerate(read.paths) if path}
    objects = list(scene.objects)
    prims = _by_origin(objects, file, "prim")
    joint_nodes = _by_origin(objects, file, "joint")
    numbers = {joint.node: number for number, joint in enumerate(core.joints)}
    joints = {p: numbers[n] for p, n in joint_nodes.items() if n in numbers}
    tracks = keyed_tracks(scene, core, nodes_of(scene), rate=read.rate)
    match = {nodes[path]: node for path, node in prims.items() if path in nodes}
    edited = _with_shapes_of(read.scene, replace(core, tracks=tracks), match)
    return StageRevision(
        document=document,
        before=read.scene,
        after=edited,
        match=match | _matched_shapes(read.scene, edited, match),
        joints=joints,
        names=_new_names(objects, (*prims.items(), *joint_nodes.items())),
        unknown=_never_imported(scene, read, file).difference(prims, joint_nodes),
        elsewhere=_elsewhere(objects, edited, file),
        rescaled=_rescaled(core, read, match),
        near=_NEAR,
        has_looks=False,
        has_gravity=_has_gravity_of(scene, file),
    )


def _new_names(
    objects: Sequence[bpy.types.Object], prims: Iterable[tuple[str, int]]
) -> dict[str, str]:
    """Return the names of objects that were renamed by the paths of their prims."""
    return {
        path: objects[node].name
        for path, node in prims
        if objects[node].name != usd_origin(objects[node]).name
    }


def _with_shapes_of(
    stage: PhysicsScene, scene: PhysicsScene, match: Mapping[int, int]
) -> PhysicsScene:
    """Return a scene with shapes on the nodes that have them on a stage, which has no scale."""
    motions = {
        body: replace(motion, center_of_mass=center_in_meters(scene, body))
        for body, motion in scene.motions.items()
    }
    matrices = scene.rigid_matrices
    rigid = replace(scene, matrices=matrices, motions=motions)
    return with_shapes_on_nodes(stage, rigid, match)


def _rescaled(core: PhysicsScene, read: StageRead, match: Mapping[int, int]) -> dict[int, Array]:
    """Return what the axes of prims grew by (3,) with their objects, by node of the stage."""
    sizes = np.linalg.norm(core.matrices[:, :3, :3], axis=1)
    found = {}
    for node, other in match.items():
        before = np.linalg.norm(read.scales[node], axis=0)
        if (before > 0.0).all() and np.abs(sizes[other] / before - 1.0).max() > _SCALED:
            found[node] = sizes[other] / before
    return found


def _matched_shapes(
    stage: PhysicsScene, scene: PhysicsScene, match: Mapping[int, int]
) -> dict[int, int]:
    """Return the nodes of shapes, below those of prims, that are the same in both scenes."""
    found: dict[int, int] = {}
    taken = set(match.values())
    for ones, others in (
        (stage.colliders, scene.colliders),
        (stage.triggers, scene.triggers),
    ):
        below = {int(scene.parents[node]): node for node in others if node not in taken}
        for node in ones.keys() - match.keys():
            own = below.get(match.get(int(stage.parents[node]), -1))
            if own is not None:
                found[node] = own
    return found


def _by_origin(objects: Sequence[bpy.types.Object], file: str, kind: str) -> dict[str, int]:
    """Return the node of each prim; of several objects the one that kept its name is it."""
    found: dict[str, int] = {}
    for node, obj in enumerate(objects):
        origin = usd_origin_of(obj)
        path = str(getattr(origin, kind)) if origin is not None and origin.file == file else ""
        if path and (path not in found or (origin is not None and obj.name == origin.name)):
            found[path] = node
    return found


def _elsewhere(
    objects: Sequence[bpy.types.Object], scene: PhysicsScene, file: str
) -> frozenset[int]:
    """Return the nodes of objects that were imported from other files, and of their shapes."""
    origins = map(usd_origin_of, objects)
    found = {n for n, each in enumerate(origins) if each and each.file not in ("", file)}
    shapes = range(len(objects), len(scene.names))
    return frozenset(found.union(node for node in shapes if int(scene.parents[node]) in found))


def _has_gravity_of(scene: bpy.types.Scene, file: str) -> bool:
    """Return whether the gravity of a scene came with a file, of which the last with bodies set it.

    A scene that links or appends what another one imported has a gravity of its own.
    """
    imported = kept_object(usd_options(scene).imported or "{}")
    return [path for path, found in imported.items() if found.get("bodies")][-1:] == [file]


def _never_imported(scene: bpy.types.Scene, read: StageRead, file: str) -> frozenset[str]:
    """Return the paths of bodies, joints and shapes that were not imported into a scene.

    Blender's importer did not take them, or they came into another scene that this one links.
    """
    known = kept_object(usd_options(scene).imported or "{}").get(file, {})
    there: Iterable[str] = (path for paths in known.values() for path in paths)
    parts = (part.path for part in read.parts.values())
    paths = (*(read.paths[node] for node in read.scene.motions), *read.joint_paths, *parts)
    return frozenset(paths).difference(there)
