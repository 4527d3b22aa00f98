"""Every tree of joined bodies made an articulation, which is all that some engines move."""

from dataclasses import replace

from ..model.articulation import Articulation
from ..model.graph import articulated_bodies, joint_ends, spanning_tree
from ..model.scene import PhysicsScene


def articulated(scene: PhysicsScene) -> PhysicsScene:
    """Return the scene with an articulation for each tree of bodies that has none.

    A root that does not move is fixed. Joints that close loops are left out of articulations.
    """
    tree = spanning_tree(scene)
    inside = articulated_bodies(scene)
    joined = {body for pair in joint_ends(scene).pairs() for body in pair if pair[0] != pair[1]}
    roots = [root for root in tree.roots() if root in joined and root not in inside]
    added = tuple(Articulation(root=root, is_fixed=not scene.is_dynamic(root)) for root in roots)
    joints = list(scene.joints)
    for number in tree.loops:
        attributes = replace(joints[number].attributes, in_articulation=False)
        joints[number] = replace(joints[number], attributes=attributes)
    return replace(scene, joints=tuple(joints), articulations=(*scene.articulations, *added))
