"""`blender --command omi_joints`: the command line as a part of the running Blender."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import bpy

_handles: list[Any] = []


def attach() -> None:
    """Add the command to Blender."""
    _handles.append(bpy.utils.register_cli_command("omi_joints", _run))  # type: ignore[func-returns-value]


def detach() -> None:
    """Remove the command from Blender."""
    while _handles:
        bpy.utils.unregister_cli_command(_handles.pop())


def _run(arguments: Sequence[str]) -> int:
    # The command line is loaded when it is used, not when the extension starts.
    from .main import run_in_blender, silence_output

    code = run_in_blender(arguments)
    # Help is printed by argparse, which leaves it to Python's exit to write it out.
    with suppress(AttributeError, OSError, ValueError):
        sys.stdout.flush()
    silence_output()
    return code
