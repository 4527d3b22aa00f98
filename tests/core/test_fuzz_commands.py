"""Damaged documents of both dialects through all commands that need no Blender.

A command ends well or with one line, never by a fault of its own; what it writes can be read, and
the sound door beside what is damaged is in it.
"""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Source
from omi_joints_addon.io.formats.gltf.container import binary_chunk, glb_pieces
from omi_joints_addon.io.formats.gltf.dialect import Dialect
from tests.cases import cases
from tests.core.documents import BODY, DOOR, JOINT
from tests.hostile import (
    KHR,
    SHAPE,
    SHAPES,
    Document,
    door_of_everything,
    hostile,
    in_dialects,
    sound_documents,
    written,
)
from tests.mutation import damage
from tests.parsers import assert_parsable
from tests.tally import Faults, Tally

CASES = cases(40, 1260)
"""Half of the files are damaged in their structure, half anywhere."""
BATCHES = 20
ENGINES = ("any", "godot", "jolt", "bullet", "physx", "khr")
CONVERSIONS = (
    ("gltf", "--dialect", "omi"),
    ("glb", "--dialect", "khr"),
    ("gltf", "--dialect", "omi,khr"),
    ("glb", "--for", "godot"),
    ("usda",),
    ("urdf",),
    ("xml",),
    ("json",),
)
"""Ways to convert, by the suffix of the target."""
WAYS = len(CONVERSIONS) + 1


@pytest.fixture(scope="module")
def bases(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Document]:
    """Return the documents to damage."""
    return sound_documents(corpus, tmp_path_factory.mktemp("bases"))


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    """Return the sound door in each dialect."""
    folder = tmp_path_factory.mktemp("doors")
    return {each.value: in_dialects(DOOR, folder, each) for each in (Dialect.OMI, Dialect.KHR)}


class Commands:
    """Runs commands in this process and judges how they end."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.source = folder / "damaged.gltf"
        self.folder = folder
        self._capfd = capfd

    def run(self, *arguments: Any) -> tuple[int, str]:
        """Return the exit code and the output; none is a fault of ours."""
        code = main([str(argument) for argument in arguments])
        output, errors = self._capfd.readouterr()
        assert code in (0, 1, 2), errors
        assert "Traceback" not in output + errors
        if code == 2:
            assert errors.count("\n") == 1, errors
        return code, output

    def attack(self, number: int) -> tuple[int, Path | None]:
        """Check and show, then simulate or convert in one way, by turns.

        Return the exit code of the check, and what was written where it was converted.
        """
        engine = ENGINES[number % len(ENGINES)]
        code, output = self.run("check", self.source, "--format", "json", "--engine", engine)
        json.loads(output)
        self.run("show", self.source)
        if number % WAYS < len(CONVERSIONS):
            return code, self.convert(number % WAYS)
        self.run("simulate", self.source, "--seconds", "0.05", "--csv", self.folder / "x.csv", "-f")
        return code, None

    def convert(self, number: int) -> Path | None:
        """Convert in one way and return what was written, None where nothing was."""
        suffix, *options = CONVERSIONS[number]
        target = self.folder / f"out.{suffix}"
        target.unlink(missing_ok=True)
        code, _ = self.run("convert", self.source, target, "--force", *options)
        assert target.exists() == (code != 2)
        if not target.exists():
            return None
        if target.read_bytes() != self.source.read_bytes():
            assert_parsable(target)
        return target


def cases_of(kind: str, batch: int) -> Iterator[tuple[int, str, random.Random]]:
    """Yield the cases of a batch: number, seed and what draws from it."""
    for case in range(CASES // BATCHES):
        seed = f"{kind} {batch} {case}"
        yield case, seed, random.Random(seed)


def scene_of(path: Path) -> Any:
    return registry.format_of(path).read(Source(path=path))[0].scene


def assert_door(path: Path) -> None:
    """Assert that a file has the sound door."""
    scene = scene_of(path)
    names = [name.replace("_", " ") for name in scene.names]
    doors = [joint for joint in scene.joints if "Sound" in names[joint.node]]
    assert doors, f"{path.name} has lost the sound door"


def changed(*path: str | int, **members: Any) -> Document:
    """Return the document of everything with members set at a place."""
    document = door_of_everything()
    place: Any = document
    for step in path:
        place = place[step]
    place.update(members)
    return document


def settings_for_godot(**original: Any) -> Document:
    """Return a document for Godot whose settings remember only this."""
    with TemporaryDirectory() as folder:
        document = written(door_of_everything(), Path(folder), {"for": "godot"})
    for element in document["extensions"][JOINT]["physicsJoints"]:
        for kept in element["extras"].values():
            kept["original"] = original
    return document


def frames_for_godot(frame: Any) -> Document:
    """Return a document for Godot whose joints remember such frames."""
    with TemporaryDirectory() as folder:
        document = written(door_of_everything(), Path(folder), {"for": "godot"})
    for node in document["nodes"]:
        joint = node.get("extensions", {}).get(JOINT, {})
        for kept in joint.get("extras", {}).values():
            kept["original"]["frames"] = [frame for _ in kept["original"]["frames"]]
    return document


def moving_body(velocity: Any) -> Document:
    """Return the extensions of a body that turns, with this as its velocity."""
    motion = {"type": "dynamic", "linearVelocity": velocity, "angularVelocity": [0.3, 1.7, 2.9]}
    return {BODY: {"motion": motion}}


FOUND = {
    "offset that is an array": (changed("bufferViews", 0, byteOffset=[1]), 4),
    "offset beyond all numbers": (changed("accessors", 1, byteOffset=10**400, count=0), 4),
    "type of numbers that is an array": (changed("accessors", 0, componentType=[5126]), 4),
    "mesh with odd extensions": (changed("meshes", 0, "primitives", 0, extensions=7), 4),
    "number too large for a double": (
        changed("extensions", JOINT, "physicsJoints", 0, extras=10**400),
        3,
    ),
    "node before the body that it is on": (
        {
            "asset": {"version": "2.0"},
            "nodes": [{"name": "Mark"}, changed("nodes", 2, children=[0])["nodes"][2]],
        },
        7,
    ),
    "velocity of two numbers, to Godot": (
        changed("nodes", 0, extensions=moving_body([0.5, 1.5]), rotation=[0.6, 0, 0, 0.8]),
        3,
    ),
    "velocity that is an object, to Godot": (
        changed("nodes", 0, extensions=moving_body({}), rotation=[0.6, 0, 0, 0.8]),
        3,
    ),
    "original without settings": (settings_for_godot(index=0), 0),
    "original frame of two numbers": (frames_for_godot({"translation": [1, 2]}), 0),
    "mesh shape of KHR that lacks its mesh": (
        {
            "asset": {"version": "2.0"},
            "extensions": {SHAPES: {"shapes": [{"type": "trimesh"}]}, KHR: {}},
            "nodes": [{"extensions": {KHR: {"motion": {}}}}],
        },
        0,
    ),
    "half a character in the name of a file": (changed("buffers", 0, uri="\ud800"), 0),
    **{
        f"characters that XML cannot hold in the name of {what}, to {kind}": (
            changed(*path, name="\x00\x1b[2J\ufffe\ud800"),
            way,
        )
        for what, path in {
            "a body": ("nodes", 0),
            "a body with its collider": ("nodes", 8),
            "a collider": ("nodes", 4),
            "a joint": ("nodes", 3),
            "a mesh": ("meshes", 0),
            "a shape": ("extensions", SHAPE, "shapes", 0),
            "settings": ("extensions", JOINT, "physicsJoints", 0),
            "a scene": ("scenes", 0),
        }.items()
        for kind, way in {"USD": 4, "URDF": 5, "MJCF": 6, "Shift": 7}.items()
    },
    "nodes that are a number": ({"asset": {"version": "2.0"}, "nodes": 7}, 3),
    "nodes that are an object, to MJCF": ({"asset": {"version": "2.0"}, "nodes": {}}, 6),
    "shapes that are a number": (
        {"asset": {"version": "2.0"}, "extensions": {SHAPE: {"shapes": 0.5}}, "nodes": []},
        3,
    ),
    "connected node that is no object": (
        {
            "asset": {"version": "2.0"},
            "nodes": [8.5, {"extensions": {JOINT: {"connectedNode": 0}, KHR: {"motion": {}}}}],
        },
        0,
    ),
    "count that is true": (changed("accessors", 1, count=True), 5),
}
"""What random cases found: a document, and the way to convert that failed."""


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_what_random_cases_found(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    document, way = FOUND[name]
    commands = Commands(tmp_path, capfd)
    commands.source.write_text(json.dumps(document))
    target = commands.convert(way)
    assert target is not None
    scene_of(target)


@pytest.mark.parametrize("buffer", ["x", {"byteLength": "x"}])
def test_a_binary_file_without_a_usable_buffer_becomes_text(
    buffer: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commands = Commands(tmp_path, capfd)
    commands.source = tmp_path / "damaged.glb"
    document = changed(buffers=[buffer])
    commands.source.write_bytes(bytes(glb_pieces(document, *binary_chunk(bytes(72)))))
    assert commands.convert(0) is not None


@pytest.mark.fuzz
@pytest.mark.parametrize("batch", range(BATCHES))
def test_sound_joints_survive_all_commands(
    bases: list[Document],
    doors: dict[str, Document],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    tally: Tally,
    batch: int,
) -> None:
    commands, faults = Commands(tmp_path, capfd), Faults()
    for case, seed, source in cases_of("commands", batch):
        document = hostile(source.choice(bases), source, doors, generic=case % 2 == 1)
        commands.source.write_text(json.dumps(document))
        with faults.of(seed):
            code, written = commands.attack(case)
            assert code in (0, 1)
            assert (written is None) == (case % WAYS == len(CONVERSIONS))
            if written is not None:
                assert_door(written)
        tally.add("damaged documents through all commands", seed)
    faults.tell()


@pytest.mark.fuzz
@pytest.mark.parametrize("batch", range(BATCHES))
def test_documents_damaged_anywhere_end_in_one_line(
    bases: list[Document],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    tally: Tally,
    batch: int,
) -> None:
    commands, faults = Commands(tmp_path, capfd), Faults()
    for case, seed, source in cases_of("anywhere", batch):
        document = copy.deepcopy(source.choice(bases))
        damage(document, source, times=source.randrange(1, 9))
        commands.source.write_text(json.dumps(document))
        outcome = "failed"
        with faults.of(seed):
            code, written = commands.attack(case)
            if written is not None:
                scene_of(written)
            outcome = "refused" if code == 2 else "read"
        tally.add("documents damaged anywhere through all commands", seed, outcome)
    faults.tell()
