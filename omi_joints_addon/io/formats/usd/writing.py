"""A scene as a USD file: .usda, .usdc or .usdz."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.model.actuator import actuators_from_text
from ....core.model.pose import Array, rotation_matrix
from ....core.model.scene import PhysicsScene
from ....core.rewrite.articulating import articulated
from ....core.rewrite.turning import Z_UP_TO_Y_UP
from ..format import Options, Target, UnwritableError, Written
from .actuator_prims import held_nouns
from .collider_prims import ColliderPrims
from .layer import layer_bytes, write_prims
from .layering import written_layer
from .names import printable
from .physics_prims import RATE, PhysicsPrims, Place
from .prim import Prim
from .pxr_access import UsdMissingError, usd
from .tree_prims import ROOT, Tree
from .units import Units


def write_usd(scene: PhysicsScene, target: Target) -> Written:
    """Return a scene as the bytes of a file; the suffix of the target says of which kind.

    Options: `up_axis` Y or Z (default), `meters_per_unit`, `kilograms_per_unit`, `nesting` nested
    (default), flat or reset, `physx` False for UsdPhysics only, `articulations` all for one of each
    tree of joined bodies, which is what Newton moves, `layer` whole, above or into: edits
    only, as a layer above the file that the scene was read from, or in that file, which is the
    default where there is one.
    """
    options = target.options
    if str(options.get("articulations", "authored")) == "all":
        scene = articulated(scene)
    if (edited := written_layer(scene, target)) is not None:
        return edited
    try:
        units = Units(
            float(options.get("meters_per_unit", 1.0)),
            float(options.get("kilograms_per_unit", 1.0)),
        )
    except ValueError as error:
        raise UnwritableError(str(error)) from error
    is_y_up = str(options.get("up_axis", "Z")).upper() == "Y"
    losses = Losses()
    prims = list(scene_prims(scene, units, losses, is_y_up=is_y_up, options=options))
    try:
        layer = _new_layer(units, scene, prims, is_y_up=is_y_up)
    except UsdMissingError as error:
        raise UnwritableError(str(error)) from error
    write_prims(layer, prims)
    files = {target.path.name: layer_bytes(layer, target.path)}
    kept = target.kept
    unheld = kept.unheld if kept is not None and kept.document.format == "usd" else ()
    return Written(
        files=files,
        losses=(*losses, *unheld),
        names_all=True,
        holds=_held_actuators(scene, prims),
        holds_animation=True,
    )


def _held_actuators(scene: PhysicsScene, prims: Iterable[Prim]) -> frozenset[str]:
    """Return the words about actuators that are all prims of the stage."""
    texts = (prim.data.get("actuator") for prim in prims)
    written = [actuator for text in texts for actuator in actuators_from_text(text)]
    found = [actuator for joint in scene.joints for actuator in joint.attributes.actuators]
    return held_nouns(written, found)


def scene_prims(
    scene: PhysicsScene,
    units: Units,
    losses: Losses,
    *,
    is_y_up: bool = False,
    options: Options,
) -> Iterable[Prim]:
    """Return the prims of a whole scene, those above first."""
    to_stage = stage_matrix(units, is_y_up=is_y_up)
    tree = Tree(scene=scene, nesting=str(options.get("nesting", "nested")))
    tree.add_root(to_stage)
    tree.add_nodes(to_stage)
    place = Place(
        paths=tree.paths,
        scope=ROOT,
        units=units,
        to_stage=to_stage,
        physx=bool(options.get("physx", True)),
    )
    physics = PhysicsPrims(
        scene=scene, place=place, losses=losses, prims=tree.prims, names=tree.names
    )
    colliders = ColliderPrims(physics)
    physics.add_scene()
    physics.add_bodies()
    tree.add_geometry(colliders, losses)
    physics.add_joints()
    physics.add_articulations()
    physics.add_pairs()
    colliders.add_groups()
    _note_rest(scene, losses)
    return tree.prims.values()


def stage_matrix(units: Units, *, is_y_up: bool) -> Array:
    """Return the matrix (4, 4) from Z up in meters to the axes and lengths of a stage."""
    matrix = np.eye(4)
    if is_y_up:
        matrix[:3, :3] = rotation_matrix(np.array(Z_UP_TO_Y_UP)).round(15)
    matrix[:3, :3] *= 1.0 / units.meters
    return matrix


def _note_rest(scene: PhysicsScene, losses: Losses) -> None:
    for node, kinds in scene.carries.items():
        for kind in sorted(kinds & {"camera", "light", "armature", "instancer", "animation"}):
            losses.lost(scene.names[node], kind, "only physics, meshes and shapes are written")
    if scene.poses:
        losses.lost("", Noun.NAMED_POSE, "it is not in the file")


def _new_layer(units: Units, scene: PhysicsScene, prims: Iterable[Prim], *, is_y_up: bool) -> Any:
    pxr = usd()
    layer = pxr.Sdf.Layer.CreateAnonymous(".usda")
    root = layer.pseudoRoot
    root.SetInfo("upAxis", "Y" if is_y_up else "Z")
    root.SetInfo("metersPerUnit", units.meters)
    root.SetInfo("kilogramsPerUnit", units.kilograms)
    layer.defaultPrim = ROOT[1:]
    codes = [codes for prim in prims for codes, _values in prim.samples.values()]
    if codes:
        layer.timeCodesPerSecond = RATE
        layer.startTimeCode = min(float(each[0]) for each in codes)
        layer.endTimeCode = max(float(each[-1]) for each in codes)
    if scene.name:
        layer.customLayerData = {"omi": {"name": printable(scene.name)}}
    return layer
