"""Install a zip as a user does, export a joint and import it: run by test_install."""

import sys

import bpy

ADDON = "bl_ext.user_default.omi_joints_addon"


def author_pin() -> None:
    """Join two bodies by a joint that lets no position change."""
    body, anchor, joint, connected = (
        bpy.data.objects.new(name, None) for name in ("Body", "Anchor", "Joint", "Connected")
    )
    for thing in (body, anchor, joint, connected):
        bpy.context.scene.collection.objects.link(thing)
    joint.parent, connected.parent = body, anchor
    body.omi_body.motion_type, anchor.omi_body.motion_type = "DYNAMIC", "STATIC"
    joint.omi_joint.enabled = True
    joint.omi_joint.connected_object = connected
    joint.omi_joint.limits.add().linear_axes = (True, True, True)


def main(archive: str, target: str) -> None:
    """Leave `target` written and the add-on disabled: with it, Blender 4.5 may hang at exit."""
    bpy.ops.extensions.package_install_files(
        filepath=archive, repo="user_default", enable_on_install=True
    )
    assert ADDON in bpy.context.preferences.addons, "not enabled after installing"
    assert "omi_joints_addon" not in sys.modules, "found in the checkout instead of the zip"
    bpy.ops.wm.read_homefile(use_empty=True)
    author_pin()
    bpy.ops.export_scene.gltf(filepath=target, export_format="GLTF_SEPARATE")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=target)
    joints = {o.name: o.omi_joint for o in bpy.context.scene.objects if o.omi_joint.enabled}
    assert {name: joint.connected_object.name for name, joint in joints.items()} == {
        "Joint": "Connected"
    }, "not imported"
    bpy.ops.preferences.addon_disable(module=ADDON)
    assert not hasattr(bpy.types.Object, "omi_joint"), "properties left after disabling"


main(*sys.argv[1:])
