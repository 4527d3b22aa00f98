"""What Newton makes of a scene, given to it as UsdPhysics.

Measured with Newton 1.8.0, whose importer reads stages.
"""

from collections.abc import Iterator

from ..findings.finding import ERROR, Finding, rule
from ..meaning.recognition import joint_kind
from ..model.graph import articulated_bodies, child_first_joints, joint_ends, spanning_tree
from ..model.joint import JointSettings
from ..model.scene import PhysicsScene
from ..rewrite.swap import SwapError, swapped_settings
from . import names
from .engine import Engine
from .physx_scene import check_roots

_MEASURED = "Measured with the importer of Newton 1.8.0."

REVERSED = rule(
    "OMI-U060",
    ERROR,
    "Newton: the joint node is on the side away from the articulation root, and its ends cannot "
    "change places: {problem}",
    reason=f"The importer refuses reversed joints; the USD export swaps the others. {_MEASURED}",
)
LOOP = rule(
    "OMI-U061",
    ERROR,
    "Newton: the joint closes a loop of an articulation; turn off In Articulation under More",
    reason=f"The importer refuses a cycle of joints. {_MEASURED}",
)


def _becomes(settings: JointSettings) -> str:
    return joint_kind(settings).label


def _nothing(_settings: JointSettings) -> Iterator[Finding]:
    yield from ()


def _check_scene(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what the importer refuses of articulations."""
    if not scene.articulations:
        return
    yield from check_roots(scene)
    for number in child_first_joints(scene):
        try:
            swapped_settings(scene.joints[number].settings)
        except SwapError as error:
            yield REVERSED(scene.joints[number].place, problem=str(error))
    inside, pairs = articulated_bodies(scene), joint_ends(scene).pairs()
    for number in spanning_tree(scene).loops:
        joint = scene.joints[number]
        if joint.attributes.in_articulation and inside.issuperset(pairs[number]):
            yield LOOP(joint.place)


NEWTON = Engine(
    **names.NEWTON._asdict(),
    becomes=_becomes,
    check_settings=_nothing,
    check_scene=_check_scene,
)
