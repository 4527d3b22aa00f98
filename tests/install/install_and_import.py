"""Install the zip of a platform as a user does and import its MuJoCo: run by test_platform_zips."""

import sys
from pathlib import Path

import bpy

ADDON = "bl_ext.user_default.omi_joints_addon"


def main(archive: str, target: str) -> None:
    """Write MuJoCo's version and place to a file; the environment's own is out of reach."""
    before = set(sys.path)
    bpy.ops.extensions.package_install_files(
        filepath=archive, repo="user_default", enable_on_install=True
    )
    assert ADDON in bpy.context.preferences.addons, "not enabled after installing"
    assert "mujoco" not in sys.modules, "imported before a simulation"
    added = [each for each in sys.path if each not in before]
    sys.path[:] = [*added, *(each for each in sys.path if each in before)]
    import mujoco

    Path(target).write_text(f"{mujoco.__version__}\n{mujoco.__file__}")
    bpy.ops.preferences.addon_disable(module=ADDON)


main(*sys.argv[1:])
