"""USD files with faults: a finding or one line, never a crash."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.format import UnreadableError
from tests.cases import cases
from tests.tally import Faults, Tally

from .usd_scenes import (
    ARM,
    chain,
    damaged,
    read,
    read_text,
    written,
)

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")


@pytest.mark.parametrize(
    "data", [b"", b"#usda 1.0\n def {", b"PXR-USDC" + bytes(80), b"PK\x03\x04", b"\x00" * 100]
)
@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usdz", ".usd"])
def test_unreadable_files_are_one_line(tmp_path: Path, data: bytes, suffix: str) -> None:
    path = tmp_path / f"bad{suffix}"
    path.write_bytes(data)
    with pytest.raises(UnreadableError) as caught:
        read(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".usda", ".usd"])
def test_text_that_is_not_utf8_names_its_line(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"latin1{suffix}"
    path.write_bytes('#usda 1.0\ndef Xform "A"\n{\n  def Xform "café" {}\n}\n'.encode("latin-1"))
    with pytest.raises(UnreadableError, match="line 4 is not UTF-8 text; save it as UTF-8"):
        read(path)


def test_a_layer_beside_the_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "café.usda").write_bytes('#usda 1.0\ndef Xform "café" {}\n'.encode("latin-1"))
    path = tmp_path / "a.usda"
    path.write_text('#usda 1.0\n(subLayers = [@./café.usda@])\ndef Xform "A" {}\n', "utf-8")
    problems = [str(finding.message) for finding in read(path).findings]
    assert any("café.usda" in problem for problem in problems), problems


def test_missing_and_too_large_files(tmp_path: Path) -> None:
    from omi_joints_addon.io.formats.format import Source
    from omi_joints_addon.io.formats.usd import USD

    with pytest.raises(UnreadableError, match="does not exist"):
        read(tmp_path / "none.usda")
    path = written(chain(1), tmp_path)
    with pytest.raises(UnreadableError, match="larger"):
        USD.read(Source(path=path, largest=10))


DAMAGE = {
    "step of a transform": ("matrix4d xformOp:transform = .*", "double3 xformOp:scale = </X>"),
    "step of another type": ("matrix4d (xformOp:transform) = .*", r"double3 \1 = (1, 2, 3)"),
    "material": ("rel (material:binding:physics) = .*", r'string \1 = "X"'),
    "members of a group": (r"rel (collection:colliders:includes) = \[[^]]*\]", r'string \1 = "X"'),
    "up axis": ("upAxis = .*", "upAxis = </X>"),
    "meters": ("metersPerUnit = .*", "metersPerUnit = </X>"),
    "kilograms": ("kilogramsPerUnit = .*", "kilogramsPerUnit = </X>"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_openusd_cannot_read_costs_only_itself(tmp_path: Path, name: str) -> None:
    path = written(chain(5), tmp_path, meters_per_unit=1.0)
    old, new = DAMAGE[name]
    text, count = re.subn(old, new, path.read_text("utf-8"), count=1)
    assert count == 1
    path.write_text(text.replace('["xformOp:transform"]', '["xformOp:scale"]', "scale" in new))
    found = read(path)
    assert "OMI-U017" in [finding.code for finding in found.findings]
    assert len(found.scene.joints) == len(found.scene.motions) - 1 == 5


def test_gravity_and_meshes_of_other_types_are_passed_over(tmp_path: Path) -> None:
    text = """(
    upAxis = "Z"
)
def PhysicsScene "Scene" {
    string[] physics:gravityDirection = ["a", "b", "c"]
}
def Mesh "Hull" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsRigidBodyAPI"])
{
    double faceVertexCounts = inf
    float[] faceVertexIndices = [inf, 1]
}
"""
    scene = read_text(text, tmp_path).scene
    assert scene.gravity == pytest.approx((0.0, 0.0, -9.81), rel=1e-3)
    assert len(scene.motions) == 1


def test_a_body_that_is_no_relationship_costs_only_its_joint(tmp_path: Path) -> None:
    path = written(chain(5), tmp_path)
    text, count = re.subn(
        "rel (physics:body1) = .*", r'string \1 = "X"', path.read_text("utf-8"), count=1
    )
    assert count == 1
    path.write_text(text)
    found = read(path)
    assert "OMI-U008" in [finding.code for finding in found.findings]
    assert len(found.scene.joints) == 4


def test_frames_that_are_no_relationships_are_written_again(tmp_path: Path) -> None:
    path = written(chain(5), tmp_path)
    text, count = re.subn("rel (omi:frame[01]) = .*", r'string \1 = "X"', path.read_text("utf-8"))
    assert count == 10
    path.write_text(text)
    again = read(written(read(path).scene, tmp_path)).scene
    assert len(again.joints) == 5


CASES = cases(250, 1200)
BATCHES = 10


def damaged_texts(batch: int, folder: Path) -> Iterator[tuple[str, random.Random, list[str]]]:
    """Yield the cases of a batch: seed, what draws from it, and the lines of a sound file."""
    scenes = [chain(5, nested=nested, articulations=ARM) for nested in (False, True)]
    sound = [written(scene, folder).read_text("utf-8").splitlines() for scene in scenes]
    for case in range(CASES // BATCHES):
        seed = f"usd {batch} {case}"
        yield seed, random.Random(seed), sound[case % 2]


def is_opened(path: Path) -> bool:
    """Return whether OpenUSD itself opens a file."""
    from pxr import Tf, Usd

    try:
        return bool(Usd.Stage.Open(str(path)))
    except Tf.ErrorException:
        return False


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("batch", range(BATCHES))
def test_damaged_files_are_read_where_openusd_opens_them(
    tmp_path: Path, tally: Tally, batch: int
) -> None:
    faults, path = Faults(), tmp_path / "damaged.usda"
    for seed, source, sound in damaged_texts(batch, tmp_path):
        path.write_text("\n".join(damaged(sound, source)), encoding="utf-8")
        outcome = "failed"
        with faults.of(seed):
            outcome = read_and_write(path, tmp_path)
        tally.add("damaged USD files", seed, outcome)
    faults.tell()


def read_and_write(path: Path, folder: Path) -> str:
    """Read a damaged file and write what was read; return how it ended."""
    refusal = ""
    try:
        found = read(path)
    except UnreadableError as error:
        refusal = str(error)
    if refusal:
        assert "\n" not in refusal
        assert not is_opened(path), refusal
        return "refused"
    assert np.isfinite(found.scene.matrices).all()
    for joint in found.scene.joints:
        assert 0 <= joint.node < len(found.scene.names)
    written(found.scene, folder)
    return "read"


@pytest.mark.slow
def test_damaged_binary_files_never_crash(tmp_path: Path) -> None:
    """Always the same few: at others OpenUSD itself may crash."""
    source = random.Random(3)
    data = written(chain(3), tmp_path, suffix=".usdc").read_bytes()
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(source.randrange(1, 20)):
            changed[source.randrange(len(changed))] = source.randrange(256)
        path = tmp_path / "damaged.usdc"
        path.write_bytes(bytes(changed))
        try:
            read(path)
        except UnreadableError:
            continue


def test_values_that_only_text_can_hold_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "a.usda", tmp_path / "b.usdc"
    text = '#usda 1.0\ndef Xform "A" (customData = {string d = <>}) {}\n'
    source.write_text(text)
    assert main(["convert", str(source), str(target)]) == 2
    error = capsys.readouterr().err
    assert "OpenUSD cannot write it as .usdc; write .usda instead: " in error
    assert error.count("\n") == 1
    assert not target.exists()
    assert main(["convert", str(source), str(target.with_suffix(".usda"))]) == 0
    assert target.with_suffix(".usda").read_text() == text
