"""What of a scene acts in a simulation: joints, couplings and the tables that are made of them."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from ..findings.finding import INFO, WARNING, Finding, rule
from ..meaning.coupling import is_usable
from ..model.articulation import Coupling
from ..model.pose import Pose, pose_from_matrix, relative_pose
from ..model.scene import Joint, PhysicsScene
from .actuation import with_attributes
from .bodies import Bodies
from .elimination import Indices
from .gears import gears_of
from .geometry import Frames, frames_on
from .model import Model, model_of
from .rows import Row, rows_of
from .table import row_table

MOVES_NOTHING = rule(
    "OMI-P004",
    INFO,
    "the joint does not connect a moving body to another one, so the preview leaves it out",
    reason="Joints act between a dynamic body and another body.",
)
CANNOT_FOLLOW = rule(
    "OMI-P017",
    WARNING,
    "the joint cannot follow {source} in the preview, since {why}",
    reason="A joint follows another one by the position of its only free axis.",
)


def place_of(scene: PhysicsScene, joint: Joint) -> str:
    """Return where findings about a joint point."""
    return joint.place or scene.names[joint.node]


def acting_couplings(
    scene: PhysicsScene, bodies: Bodies, findings: list[Finding]
) -> Iterator[Coupling]:
    """Yield the couplings of which a joint moves a body."""
    for each in scene.couplings:
        ends = [_ends(scene, bodies, number) for number in (each.joint, each.source)]
        moves = [found is not None and bodies.is_dynamic[found].any() for found in ends]
        if not any(moves):
            continue
        why = ""
        if not is_usable(scene, each):
            why = "only joints with exactly one free axis follow and are followed"
        elif any(found is None for found in ends):
            why = "one of the two is disabled, or not between two bodies"
        if why:
            joint, source = (place_of(scene, scene.joints[n]) for n in (each.joint, each.source))
            findings.append(CANNOT_FOLLOW(joint, source=source, why=why))
        else:
            yield each


def acting_joints(
    scene: PhysicsScene, bodies: Bodies, couplings: Collection[Coupling], findings: list[Finding]
) -> list[int]:
    """Return the numbers of the joints that move a body, themselves or by what follows them."""
    coupled = {number for each in couplings for number in (each.joint, each.source)}
    acting = []
    for number, joint in enumerate(scene.joints):
        if joint.connected is None or not joint.attributes.enabled:
            continue
        ends = _ends(scene, bodies, number)
        if ends is not None and (number in coupled or bodies.is_dynamic[ends].any()):
            acting.append(number)
        else:
            findings.append(MOVES_NOTHING(place_of(scene, joint)))
    return acting


def _ends(scene: PhysicsScene, bodies: Bodies, number: int) -> Indices | None:
    """Return the two bodies that a joint holds, None where it holds none."""
    joint = scene.joints[number]
    if joint.connected is None or not joint.attributes.enabled:
        return None
    ends = bodies.of_node[[joint.node, joint.connected]]
    return None if ends[0] == ends[1] else ends


def model_of_scene(
    scene: PhysicsScene,
    bodies: Bodies,
    acting: Sequence[int],
    couplings: Sequence[Coupling],
    findings: list[Finding],
    *,
    rigid_locks: bool,
) -> Model:
    """Return the model of the joints and couplings that act."""
    joints = [scene.joints[number] for number in acting]
    first = _frames(scene, bodies, [joint.node for joint in joints])
    second = _frames(scene, bodies, [joint.other for joint in joints])
    rows = [rows_of_joint(scene, each, findings, rigid_locks=rigid_locks) for each in acting]
    gears = gears_of(couplings, acting, rows, scene)
    jointed = np.zeros(bodies.count, bool)
    jointed[first.body] = jointed[second.body] = True
    moving = np.flatnonzero(jointed & bodies.is_dynamic)
    return model_of(bodies, (first, second), row_table(rows), gears, moving)


def rows_of_joint(
    scene: PhysicsScene, number: int, findings: list[Finding], *, rigid_locks: bool
) -> list[Row]:
    """Return the rows of a joint, those of its attributes last; add what had to be assumed."""
    joint = scene.joints[number]
    settings, place = joint.settings, place_of(scene, joint)
    rows = rows_of(settings, rigid_locks=rigid_locks)
    return with_attributes(rows, settings, joint.attributes, place, findings)


def _frames(scene: PhysicsScene, bodies: Bodies, nodes: list[int]) -> Frames:
    """Return the attachment frames at `nodes`."""
    body = bodies.of_node[nodes] if nodes else np.zeros(0, np.intp)
    world = pose_from_matrix(scene.matrices[nodes])
    rest = Pose(bodies.rest.position[body], bodies.rest.rotation[body])
    local = relative_pose(rest, world)
    return frames_on(
        body,
        np.ascontiguousarray(local.position.T) - bodies.center[:, body],
        np.ascontiguousarray(local.rotation.T),
    )
