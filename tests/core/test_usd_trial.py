"""USD files that crash OpenUSD, or make it take gigabytes, cost a line and no process of ours."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.format import UnreadableError
from omi_joints_addon.io.formats.usd import opening
from omi_joints_addon.io.formats.usd.trial import require_harmless

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not copy processes"),
]
pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
STAGE = '#usda 1.0\ndef Sphere "A" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {}\n'


def take_gigabytes() -> object:
    return bytearray(64 * 2**30)


@pytest.mark.parametrize(
    ("work", "text"), [(os.abort, r"crash \(SIGABRT\)"), (take_gigabytes, "more memory")]
)
def test_what_ends_the_copy_is_one_line(work: Callable[[], object], text: str) -> None:
    with pytest.raises(UnreadableError, match=text):
        require_harmless(work, size=1000)


def test_work_that_fails_or_succeeds_goes_on_here() -> None:
    require_harmless(lambda: 1 / 0, size=1000)
    require_harmless(lambda: None, size=1000)


def test_commands_go_on_to_the_next_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    read_stage = opening.read_stage

    def crash(stage: Any, **options: Any) -> Any:
        name = Path(stage.GetRootLayer().realPath).name
        return os.abort() if name == "bad.usda" else read_stage(stage, **options)

    monkeypatch.setattr(opening, "read_stage", crash)
    for name in ("bad", "sound"):
        (tmp_path / f"{name}.usda").write_text(STAGE)
    assert main(["check", "--recursive", str(tmp_path)]) == 2
    output, errors = capfd.readouterr()
    assert "bad.usda: makes OpenUSD crash (SIGABRT)" in errors
    assert "1 unreadable" in output
