"""Range preview, overlay and panel agree on which side of a joint moves."""

from itertools import pairwise

import bpy
import pytest

from omi_joints_addon.authoring.turning import Uses
from omi_joints_addon.core.meaning.sides import End
from omi_joints_addon.overlay.scene_joints import SceneJoints
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.scene.watch import WATCH, live_scene
from tests.blender.scenes import add_cube, add_joint

pytestmark = pytest.mark.usefixtures("empty_scene")


def add_arm() -> list[bpy.types.Object]:
    """Return the joints of a static base, a light and a heavy link."""
    names, masses = ("Base", "Light", "Heavy"), (5.0, 0.1, 1.0)
    links = [add_cube(name, (3.0 * n, 0.0, 0.0)) for n, name in enumerate(names)]
    joints = [add_joint(one, other, preset="HINGE") for one, other in pairwise(links)]
    for link, mass in zip(links, masses, strict=True):
        link.omi_body.motion_type, link.omi_body.mass = "DYNAMIC", mass
    links[0].omi_body.motion_type = "STATIC"
    bpy.context.view_layer.update()
    return joints


def moving(joint: bpy.types.Object) -> str:
    """Return the body that moves, as everyone sees it who asks."""
    WATCH.settled(bpy.context.scene)
    live = live_scene(bpy.context.scene)
    end = live.moving_end(joint)
    assert Uses(bpy.data).moving_end(joint) == end
    drawn = SceneJoints(live)
    drawn.refresh(bpy.context.view_layer)
    number = drawn.uids.tolist().index(joint.session_uid)
    assert drawn.arrays.is_mirrored[number] == (end == End.JOINT)
    own = joint if end == End.JOINT else joint.omi_joint.connected_object
    preview = PosePreview(bpy.context, joint)
    assert preview.objects[preview.body] == own.parent
    preview.end()
    return own.parent.name


def test_the_light_link_and_its_base_stay():
    first, second = add_arm()
    assert moving(first) == "Light"
    assert moving(second) == "Heavy"


def test_an_overlay_that_is_kept_follows_a_body_far_away():
    _, second = add_arm()
    WATCH.settled(bpy.context.scene)
    drawn = SceneJoints(live_scene(bpy.context.scene))
    drawn.refresh(bpy.context.view_layer)
    number = drawn.uids.tolist().index(second.session_uid)
    before = bool(drawn.arrays.is_mirrored[number])
    bpy.data.objects["Base"].omi_body.motion_type = "DYNAMIC"
    far = add_cube("Far", (9.0, 0.0, 0.0))
    add_joint(bpy.data.objects["Heavy"], far, preset="HINGE")
    far.omi_body.motion_type = "STATIC"
    bpy.context.view_layer.update()
    WATCH.settled(bpy.context.scene)
    drawn.refresh(bpy.context.view_layer)
    number = drawn.uids.tolist().index(second.session_uid)
    assert bool(drawn.arrays.is_mirrored[number]) != before
    assert moving(second) == "Light"


def test_instances_are_drawn_as_the_collection_they_show():
    joints = add_arm()
    collection = bpy.data.collections.new("Arm")
    for obj in list(bpy.context.scene.objects):
        collection.objects.link(obj)
        bpy.context.scene.collection.objects.unlink(obj)
    instance = bpy.data.objects.new("Instance", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    bpy.context.scene.collection.objects.link(instance)
    bpy.context.view_layer.update()
    WATCH.settled(bpy.context.scene)
    drawn = SceneJoints(live_scene(bpy.context.scene))
    drawn.refresh(bpy.context.view_layer)
    uses = Uses(bpy.data)
    ends = sorted(uses.moving_end(joint) == End.JOINT for joint in joints)
    assert sorted(drawn.arrays.is_mirrored.tolist()) == ends
