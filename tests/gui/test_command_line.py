"""`blender --command omi_joints` in a desktop Blender that has the built extension."""

import json
from pathlib import Path

import pytest

from tests.core.documents import door, joint

from .conftest import Desktop


def test_commands_run_in_desktop_blender(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The preferences of whoever runs this are not those of the run.
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    sound, broken, blend = (desktop.folder / n for n in ("a.gltf", "b.gltf", "c.blend"))
    sound.write_text(json.dumps(door()))
    broken.write_text(json.dumps(joint(connectedNode=99)))
    runs = (
        (("check", sound), 0, ""),
        (("check", broken), 1, "error OMI-J401"),
        (("check", desktop.folder / "missing.glb"), 2, "No such file"),
        (("convert", sound, blend), 0, ""),
        (("show", blend), 0, "HingeJoint3D"),
        (("check", "--help"), 0, "usage: blender --command omi_joints check"),
    )
    for arguments, expected, text in runs:
        code, console = desktop._run(["--command", "omi_joints", *map(str, arguments)])
        assert code == expected, console
        assert text in console
        assert "Traceback" not in console
