"""The checks of a scene as a whole, read anew, and as shown: what live ones are compared with."""

import numpy as np

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.checks.structure import NO_CONNECTED_NODE
from omi_joints_addon.core.model.graph import joint_ends
from omi_joints_addon.scene.body_findings import still_without_shape
from omi_joints_addon.scene.copied import copy_findings
from omi_joints_addon.scene.findings import shown_by_rule
from omi_joints_addon.scene.frame_findings import frame_findings
from omi_joints_addon.scene.reading import scene_to_core
from omi_joints_addon.scene.rules import CONNECTED_ELSEWHERE, STILL_WITHOUT_SHAPE


def shown_findings(scene):
    """Return what the panel of checks shows, rule by rule."""
    return [found for each in shown_by_rule(scene).values() for found in each]


def scene_findings(scene):
    """Return what is wrong with a scene as it is now."""
    core, tied = scene_to_core(scene)
    elsewhere = {item.place for item in tied if item.rule is CONNECTED_ELSEWHERE}
    found = [*check_scene(core), *frame_findings(core), *_still(core), *_copies(core)]
    rest = [f for f in found if f.rule is not NO_CONNECTED_NODE or f.place not in elsewhere]
    return [*tied, *rest]


def _still(scene):
    count = len(scene.names)
    is_body, is_solid, is_shown = (np.zeros(count, np.bool_) for _ in range(3))
    is_body[list(scene.motions)] = True
    is_solid[list(scene.colliders)] = is_shown[list(scene.visuals)] = True
    is_solid[[node for node, kinds in scene.carries.items() if "collider" in kinds]] = True
    is_shown[[node for node, kinds in scene.carries.items() if "mesh" in kinds]] = True
    is_body[scene.joint_nodes] = False
    is_dynamic = scene.are_dynamic()
    still = is_body & ~is_dynamic
    found = still_without_shape(scene.bodies(), still, is_dynamic, is_solid, is_shown)
    return [STILL_WITHOUT_SHAPE(scene.place_of(int(body))) for body in found]


def _copies(scene):
    is_body = np.zeros(len(scene.names), np.bool_)
    is_body[list(scene.motions)] = True
    ends = joint_ends(scene)
    return copy_findings(scene.names, is_body, ends.body, ends.connected_body)
