"""USD files with faults: a finding or one line, never a crash."""

import random
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.io.formats.format import UnreadableError

from .usd_scenes import (
    ARM,
    chain,
    damaged,
    read,
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


def test_missing_and_too_large_files(tmp_path: Path) -> None:
    from omi_joints_addon.io.formats.format import Source
    from omi_joints_addon.io.formats.usd import USD

    with pytest.raises(UnreadableError, match="does not exist"):
        read(tmp_path / "none.usda")
    path = written(chain(1), tmp_path)
    with pytest.raises(UnreadableError, match="larger"):
        USD.read(Source(path=path, largest=10))


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(5))
def test_damaged_files_never_crash(tmp_path: Path, seed: int) -> None:
    source = random.Random(seed)
    scene = chain(5, nested=bool(seed % 2), articulations=ARM)
    lines = written(scene, tmp_path).read_text("utf-8").splitlines()
    for _ in range(50):
        path = tmp_path / "damaged.usda"
        path.write_text("\n".join(damaged(lines, source)), encoding="utf-8")
        try:
            found = read(path)
        except UnreadableError:
            continue
        assert np.isfinite(found.scene.matrices).all()
        for joint in found.scene.joints:
            assert 0 <= joint.node < len(found.scene.names)


def test_damaged_binary_files_never_crash(tmp_path: Path) -> None:
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
