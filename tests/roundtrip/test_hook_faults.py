"""Hooks that fail at any step: Blender's export and import go on, a line is logged, all stays."""

import gc
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.io.usd.hooks import problem
from tests.blender.scene_dump import dumped
from tests.blender.test_registration import traces
from tests.injection import InjectedError, calls, chosen, steps_of
from tests.roundtrip.documents import add_door, triangle
from tests.tally import Tally


class Log(logging.Handler):
    """What is logged and shown, as text."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


def author() -> None:
    """Add a door with a handle that is no physics."""
    _wall, door, _joint, _connected = add_door()
    handle = bpy.data.objects.new("Handle", triangle())
    bpy.context.scene.collection.objects.link(handle)
    handle.parent = door
    bpy.context.view_layer.update()


def export_gltf(folder: Path) -> Path:
    target = folder / "out.gltf"
    target.unlink(missing_ok=True)
    options = {"export_format": "GLTF_SEPARATE"}
    assert bpy.ops.export_scene.gltf(filepath=str(target), **options) == {"FINISHED"}
    return target


def export_usd(folder: Path) -> Path:
    target = folder / "out.usda"
    target.unlink(missing_ok=True)
    assert bpy.ops.wm.usd_export(filepath=str(target)) == {"FINISHED"}
    return target


def names_in(path: Path) -> set[str]:
    """Return the names of the objects in a file."""
    text = path.read_text()
    if path.suffix == ".gltf":
        return {node["name"] for node in json.loads(text)["nodes"]}
    return {name for name in ("Wall", "Door", "Handle") if f'"{name}"' in text}


def authored() -> dict[str, Any]:
    """Return all of the file but what the last export had to say."""
    found = dumped()
    for scene in bpy.data.scenes:
        del found[f"scenes.{scene.name}"]["omi_report"]
    return found


def look_at_the_collector() -> None:
    """Have Python collect so often that what a run left to itself is set right (`garbage`)."""
    for _ in range(16):
        gc.collect(0)


EXPORTS = {"gltf": export_gltf, "usda": export_usd}
IMPORTS = {"gltf": bpy.ops.import_scene.gltf, "usda": bpy.ops.wm.usd_import}
KINDS = [
    "gltf",
    pytest.param("usda", marks=pytest.mark.skipif(bool(problem()), reason=problem() or "-")),
]


def failing(run: Callable[[], Any], number: int) -> str | None:
    """Run with a fault at a step; return what was logged, None where it has fewer steps now.

    What is done once, or only after some other file, is a step of some runs alone.
    """
    log = Log()
    loggers = [logging.getLogger(name) for name in ("", "glTFExporter", "glTFImporter")]
    for logger in loggers:
        logger.addHandler(log)
    try:
        with calls(number) as steps:
            run()
    finally:
        for logger in loggers:
            logger.removeHandler(log)
    return "\n".join(log.texts) if len(steps.names) > number else None


@pytest.mark.attack
@pytest.mark.parametrize("kind", KINDS)
def test_an_export_whose_hook_fails_at_any_step_is_whole(
    kind: str, tmp_path: Path, tally: Tally, capfd: pytest.CaptureFixture[str]
) -> None:
    author()
    export = EXPORTS[kind]
    # Blender's USD export writes objects in any order.
    whole = sorted(export(tmp_path).read_text().splitlines())
    names, before, registered = names_in(export(tmp_path)), authored(), traces()
    look_at_the_collector()
    limits = gc.get_threshold()
    # To look at all properties has Blender store groups that nobody set: they are read anew once.
    export(tmp_path)
    numbers, met = chosen(steps_of(calls, lambda: export(tmp_path))), 0
    for number in numbers:
        capfd.readouterr()
        logged = failing(lambda: export(tmp_path), number)
        if logged is None:
            continue
        assert "on purpose" in logged + "".join(capfd.readouterr()), number
        assert names_in(tmp_path / f"out.{kind}") >= {"Wall", "Door", "Handle"}, number
        # A body that is left out may leave a joint on the world, which gets an anchor.
        more = names_in(tmp_path / f"out.{kind}") - names
        assert all(name.endswith(" World Anchor") for name in more), number
        assert authored() == before, number
        assert traces() == registered, number
        look_at_the_collector()
        assert gc.get_threshold() == limits, number
        tally.add(f"{kind} exports whose hook fails", number)
        met += 1
    assert met > 0.9 * len(numbers), "hardly any fault was met"
    assert sorted(export(tmp_path).read_text().splitlines()) == whole


@pytest.mark.attack
@pytest.mark.parametrize("kind", KINDS)
def test_an_import_whose_hook_fails_at_any_step_brings_the_objects(
    kind: str, tmp_path: Path, tally: Tally, capfd: pytest.CaptureFixture[str]
) -> None:
    author()
    path = EXPORTS[kind](tmp_path)

    def read() -> None:
        bpy.ops.wm.read_homefile(use_empty=True)
        assert IMPORTS[kind](filepath=str(path)) == {"FINISHED"}
        bpy.context.view_layer.update()

    read()
    look_at_the_collector()
    whole, registered, limits = dumped(), traces(), gc.get_threshold()
    numbers, met = chosen(steps_of(calls, read)), 0
    for number in numbers:
        capfd.readouterr()
        logged = failing(read, number)
        if logged is None:
            continue
        assert "on purpose" in logged + "".join(capfd.readouterr()), number
        found = {obj.name for obj in bpy.data.objects}
        assert found >= {"Wall", "Door"}, number
        assert traces() == registered, number
        look_at_the_collector()
        assert gc.get_threshold() == limits, number
        tally.add(f"{kind} imports whose hook fails", number)
        met += 1
    assert met > 0.9 * len(numbers), "hardly any fault was met"
    read()
    assert dumped() == whole


def test_injection_raises_in_the_package() -> None:
    from omi_joints_addon.core.meaning.presets import hinge

    with calls(0), pytest.raises(InjectedError):
        hinge(axis=2, min_angle=0.0, max_angle=1.0)
