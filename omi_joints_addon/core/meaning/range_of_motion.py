"""Which bodies move when one joint of a scene is moved by hand, and where the joint is."""

from collections.abc import Iterable

from ..model.graph import joint_ends, links_of, reached
from ..model.pose import Array, pose_from_matrix, relative_pose
from ..model.scene import Joint, PhysicsScene
from .freedom import values_of_pose
from .sides import End, moving_end, moving_ends


def moving_body_of(scene: PhysicsScene, number: int, *, end: End | None = None) -> int | None:
    """Return the body that a joint moves: that at `end`, else the other.

    Without `end` it is the one that fits (`sides`).
    """
    joint, owner = scene.joints[number], scene.bodies()
    if joint.connected is None:
        return None
    own, connected = int(owner[joint.node]), int(owner[joint.connected])
    end = end or fitting_end(scene, number)
    first, second = (connected, own) if end == End.CONNECTED else (own, connected)
    for body, other in ((first, second), (second, first)):
        if body >= 0 and body != other:
            return body
    return None


def fitting_end(scene: PhysicsScene, number: int) -> End:
    """Return the end of a joint that moves (`sides.moving_ends`)."""
    pairs = joint_ends(scene).pairs()
    dynamic = [body for body in scene.motions if scene.is_dynamic(body)]
    roots = {articulation.root for articulation in scene.articulations}
    own, connected = pairs[number]
    by_pair = moving_end(scene.motions.get(own), scene.motions.get(connected))
    # A joint that ends nowhere holds its body to nothing.
    tied = [
        pair if joint.connected is not None else (pair[0], pair[0])
        for pair, joint in zip(pairs, scene.joints, strict=True)
    ]
    return moving_ends(tied, dynamic, roots)[number] or by_pair


def hanging_bodies(scene: PhysicsScene, number: int, body: int) -> frozenset[int]:
    """Return `body` and all bodies connected to it by joints other than `number`.

    The body at the other end of that joint stays, and so do bodies behind it. A dynamic body takes
    none along that is not.
    """
    owner = scene.bodies()
    pairs = [
        (int(owner[j.node]), int(owner[j.connected]))
        for i, j in enumerate(scene.joints)
        if i != number and j.connected is not None
    ]
    held = scene.joints[number]
    blocked = {-1, int(owner[held.node]), int(owner[held.other])}
    if scene.is_dynamic(body):
        blocked |= {each for each in scene.motions if not scene.is_dynamic(each)}
    blocked -= {body}
    return frozenset(reached(links_of(pairs), (body,), blocked=blocked))


def current_values(scene: PhysicsScene, number: int) -> Array:
    """Return the values (6,) at which joint `number` is at rest."""
    joint = scene.joints[number]
    frames = pose_from_matrix(scene.matrices[[joint.node, joint.other]])
    return values_of_pose(joint.settings, relative_pose(frames.at(0), frames.at(1)))


def joint_number_of(joints: Iterable[Joint], node: int) -> int | None:
    """Return the number of the joint whose frame is `node`."""
    return next((number for number, joint in enumerate(joints) if joint.node == node), None)
