"""Scenes that grow node by node."""

import numpy as np

from omi_joints_addon.core.model.body import Collider, Motion
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.scene import GRAVITY, Joint
from omi_joints_addon.core.model.scene_builder import SceneBuilder
from omi_joints_addon.core.model.shape import Box


def placed(x: float):
    matrix = np.eye(4)
    matrix[0, 3] = x
    return matrix


def test_a_scene_has_what_was_added_in_that_order():
    build = SceneBuilder()
    body = build.add("body", -1, placed(1.0))
    frame = build.add("frame", body, placed(2.0))
    build.motions[body] = Motion(mass=3.0)
    number = build.add_joint(Joint(node=frame, connected=None, settings=JointSettings()))
    scene = build.scene(name="model")
    assert (body, frame, number, scene.name, scene.gravity) == (0, 1, 0, "model", GRAVITY)
    assert (scene.names, scene.parents.tolist()) == (("body", "frame"), [-1, 0])
    assert scene.matrices[:, 0, 3].tolist() == [1.0, 2.0]
    assert (scene.motions[0].mass, scene.joints[0].node) == (3.0, 1)


def test_nothing_added_is_a_scene_without_nodes():
    scene = SceneBuilder().scene()
    assert scene.parents.shape == (0,)
    assert scene.matrices.shape == (0, 4, 4)


def test_nodes_behind_those_of_a_scene_leave_its_motions_and_joints():
    first = SceneBuilder()
    first.motions[first.add("body", -1, placed(0.0))] = Motion()
    first.add_joint(Joint(node=0, connected=None, settings=JointSettings()))
    build = SceneBuilder(first=1)
    shape = build.add("body Shape", 0, placed(5.0))
    build.colliders[shape] = Collider(shape=Box())
    scene = build.behind(first.scene())
    assert (scene.names, scene.parents.tolist(), shape) == (("body", "body Shape"), [-1, 0], 1)
    assert scene.matrices[:, 0, 3].tolist() == [0.0, 5.0]
    assert (len(scene.motions), len(scene.joints), list(scene.colliders)) == (1, 1, [1])
