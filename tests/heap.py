"""Random edits of joints, undo and opening files, to be run under a memory checker.

    PYTHONMALLOC=malloc valgrind --error-limit=no .venv/5.2/bin/python tests/heap.py 2
    MALLOC_CHECK_=3 MALLOC_PERTURB_=165 .venv/5.2/bin/python tests/heap.py 50

Each round makes two doors that share settings, breaks them as a user once did (a connected frame
deleted, a minimum above its maximum), fixes three findings, runs a preview, undoes and redoes, and
opens a file again. A reference of the add-on that outlives its data would show as an access to
freed memory.
"""

import random
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import bpy  # noqa: E402, I001 - makes addon_utils importable
import addon_utils  # noqa: E402


def main(rounds: int) -> None:
    """Play some rounds, each from an empty file."""
    addon_utils.enable("omi_joints_addon", default_set=True)
    folder = Path(tempfile.mkdtemp())
    for number in range(rounds):
        sys.stdout.write(f"[round] {number}\n")
        play(random.Random(number), folder / "doors.blend")
    addon_utils.disable("omi_joints_addon", default_set=True)


def play(chance: random.Random, file: Path) -> None:
    """Play one round."""
    bpy.ops.wm.read_homefile(use_empty=True)
    _doors()
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    for _ in range(12):
        action = chance.choice(_ACTIONS)
        with suppress(RuntimeError, IndexError, TypeError):  # what cannot be done now
            action(chance)
        _look()
    bpy.ops.wm.open_mainfile(filepath=str(file))
    _look()


def _doors() -> None:
    for number in range(2):
        for name, x in (("Wall", 0.0), ("Door", 3.0)):
            bpy.ops.mesh.primitive_cube_add(location=(x, 6.0 * number, 0.0))
            bpy.context.object.name = f"{name} {number}"
        bpy.data.objects[f"Wall {number}"].select_set(True)
        bpy.context.view_layer.objects.active = bpy.data.objects[f"Wall {number}"]
        bpy.ops.omi.joint_add(preset="HINGE")
    first, second = _joints()
    second.omi_joint.settings_source = first
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Doors")


def _joints() -> list[Any]:
    return [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]


def _choose(chance: random.Random) -> Any:
    joint = chance.choice(_joints())
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    joint.select_set(True)
    bpy.context.view_layer.objects.active = joint
    return joint


def _look() -> None:
    """Read what views and panels read, as a redraw does."""
    from omi_joints_addon.preview.session import running
    from omi_joints_addon.scene.findings import settled_findings, shown_by_rule

    bpy.context.view_layer.update()
    shown_by_rule(bpy.context.scene)
    settled_findings(bpy.context.scene)
    if preview := running():
        preview.tick(bpy.context)


def _delete_frame(chance: random.Random) -> None:
    bpy.data.objects.remove(_choose(chance).omi_joint.connected_object)
    bpy.ops.ed.undo_push(message="Delete")


def _cross_bounds(chance: random.Random) -> None:
    limit = chance.choice(_choose(chance).omi_joint.limits)
    limit.use_min = limit.use_max = True
    limit.min, limit.max = 1.0, -1.0
    bpy.ops.ed.undo_push(message="Bounds")


def _fix(chance: random.Random) -> None:
    from omi_joints_addon.scene.findings import settled_findings

    found = [each for each in settled_findings(bpy.context.scene) if each.rule.fix]
    for each in chance.sample(found, min(3, len(found))):
        operator = getattr(bpy.ops.omi, f"check_fix_{each.rule.fix}")
        operator("EXEC_DEFAULT", True, code=each.code, place=each.place, part=each.part)


def _undo(_chance: random.Random) -> None:
    bpy.ops.ed.undo()


def _redo(_chance: random.Random) -> None:
    bpy.ops.ed.redo()


def _preview(chance: random.Random) -> None:
    from omi_joints_addon.preview.session import PreviewError, begin
    from omi_joints_addon.preview.simulated import SimulationPreview

    try:
        preview = SimulationPreview(bpy.context)
    except PreviewError:
        return
    begin(preview)
    for _ in range(chance.randrange(1, 6)):
        preview.tick(bpy.context)


def _stop(_chance: random.Random) -> None:
    from omi_joints_addon.preview.session import stop

    stop()


def _mirror(chance: random.Random) -> None:
    _choose(chance)
    bpy.ops.omi.joint_mirror("EXEC_DEFAULT", True, axis=chance.choice("XYZ"))


def _unlink(chance: random.Random) -> None:
    _choose(chance)
    bpy.ops.omi.joint_settings_unlink("EXEC_DEFAULT", True)


def _remove(chance: random.Random) -> None:
    _choose(chance)
    bpy.ops.omi.joint_remove("EXEC_DEFAULT", True)


def _bake(chance: random.Random) -> None:
    _choose(chance)
    bpy.ops.omi.preview_bake("EXEC_DEFAULT", True, frames=3)


_ACTIONS = (
    _delete_frame,
    _cross_bounds,
    _fix,
    _fix,
    _undo,
    _undo,
    _redo,
    _preview,
    _stop,
    _mirror,
    _unlink,
    _remove,
    _bake,
)
"""What a round is made of; some are likelier."""

if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
