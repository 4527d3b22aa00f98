"""What a start of Blender loads of the extension: rooms that wait for their first use are empty."""

import json
import subprocess
import sys
from pathlib import Path

from omi_joints_addon.io.registry import FORMATS

ROOMS = ("cli", "core.engines", "core.solver", "io", "pictures")
DOORS = {
    "cli": {"", "command"},
    "core.engines": {"", "engine", "names", "blender_constraint", "blender_preview"},
    "core.solver": {"", "rate"},
    "io": {
        *("", "blend", "files", "registry", "gltf", "gltf.physics", "gltf.upstream"),
        *("usd", "usd.hooks", "usd.report", "formats", "formats.format", "formats.keeping"),
        *(f"formats.{row.name}" for row in FORMATS),
    },
    "pictures": set[str](),
}
"""What each room may have loaded: names, rows of tables and hooks, not what they lead to."""
ENABLE = """
import json, sys
import bpy
import addon_utils
addon_utils.enable("omi_joints_addon", default_set=True)
print(json.dumps([name for name in sys.modules if name.startswith("omi_joints_addon.")]))
addon_utils.disable("omi_joints_addon", default_set=True)
"""


def test_codecs_solver_engines_and_commands_are_loaded_when_they_are_used(repository: Path) -> None:
    command = [sys.executable, "-c", ENABLE]
    run = subprocess.run(command, cwd=repository, check=True, capture_output=True, timeout=60)
    listed = next(line for line in run.stdout.decode().splitlines() if line.startswith("["))
    loaded = {name.removeprefix("omi_joints_addon.") for name in json.loads(listed)}
    assert "operators.preview.preview" in loaded
    for room in ROOMS:
        inside = {
            n.removeprefix(room).lstrip(".") for n in loaded if f"{n}.".startswith(f"{room}.")
        }
        assert inside <= DOORS[room]
