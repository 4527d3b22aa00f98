"""Fixtures of every layer. Nothing here imports bpy before a test asks for it."""

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.cases import EXAMPLES, IS_LONG
from tests.elsewhere import corpus_folder, robots_folder, shift_models_folder
from tests.tally import Tally

ROOT = Path(__file__).resolve().parent.parent
ADDON = "omi_joints_addon"
STRICT = os.environ.get("OMI_TESTS_STRICT") == "1"

_EXIT_CODE = pytest.StashKey[int]()
_TALLY = pytest.StashKey[Tally]()

# No test measures time, and all runs but `make fuzz` draw the same examples every time.
hypothesis.settings.register_profile(
    "project",
    deadline=None,
    derandomize=not IS_LONG,
    max_examples=EXAMPLES,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("project")

# Blender reads it once, when bpy is imported: no test sees or changes a person's own preferences.
_user_folder = tempfile.TemporaryDirectory(prefix="omi-tests-")
os.environ["BLENDER_USER_RESOURCES"] = _user_folder.name


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of official example files."""
    folder = corpus_folder()
    if not folder.is_dir():
        pytest.skip(f"no official example files: {folder} is missing (set OMI_CORPUS)")
    return folder


@pytest.fixture(scope="session")
def schemas(corpus: Path) -> Any:
    """Return the official schemas of both dialects, their known faults corrected."""
    schemas = pytest.importorskip("tests.schemas", reason="jsonschema is not installed")
    return schemas.registry(corpus.parent / "spec" / "schema")


@pytest.fixture(scope="session")
def tally(request: pytest.FixtureRequest) -> Tally:
    """Return where random cases are counted; the counts are printed at the end."""
    return request.config.stash.setdefault(_TALLY, Tally())


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print how many random cases ran, and their seeds."""
    for line in config.stash.get(_TALLY, Tally()).lines():
        terminalreporter.write_line(f"random: {line}")


@pytest.fixture(scope="session")
def extension_zip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the extension as users get it, built by Blender's own tool from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, ROOT / "tools" / "build_zip.py", folder]
    run = subprocess.run(build, check=False, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    (archive,) = folder.glob("*.zip")
    return archive


@pytest.fixture(scope="session")
def addon() -> Iterator[None]:
    """Enable the add-on from the checkout as preferences do, so that io_scene_gltf2 finds it.

    Disabled at the end: Blender 4.5 hangs at exit while classes are registered.
    """
    import bpy  # noqa: F401, I001 - makes addon_utils importable
    import addon_utils

    def fail(error: BaseException) -> None:
        raise error

    addon_utils.enable(ADDON, default_set=True, handle_error=fail)
    yield
    addon_utils.disable(ADDON, default_set=True, handle_error=fail)


@pytest.fixture
def empty_scene(addon: None) -> None:
    """Start from an empty file; the add-on stays enabled, as when a user opens a new one."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End without Python's own clean-up where Blender is in the process.

    Blender 4.5 as a module waits for ever at exit where anything still refers to `bpy`: importing
    jsonschema and exporting a file is enough, without this add-on. That processes with the add-on
    end by themselves is what test_exit.py proves.
    """
    if "bpy" in sys.modules:
        _user_folder.cleanup()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash.get(_EXIT_CODE, 1))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Keep the exit code for the end."""
    session.config.stash[_EXIT_CODE] = int(exitstatus)


PRESENT = {
    "public robots": robots_folder().is_dir(),
    "Shift models": shift_models_folder().is_dir(),
    "newton": importlib.util.find_spec("newton") is not None,
    "pinocchio": importlib.util.find_spec("pinocchio") is not None,
}
"""What tests marked `needs` can name: files not ours to copy, packages of gigabytes, and those that
want another numpy than Blender has."""


HAS_ONCE = os.environ.get("OMI_TESTS_NEWEST", "") in ("", Path(sys.prefix).name)
"""Whether tests run here that are the same on each release: tools/run_tests.py names the newest."""


def _is_left_out(item: pytest.Item) -> bool:
    needs = (mark.args[0] for mark in item.iter_markers("needs"))
    is_elsewhere = item.get_closest_marker("once") is not None and not HAS_ONCE
    return is_elsewhere or not all(PRESENT[need] for need in needs)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests whose needs are absent, or that run elsewhere; they count as deselected."""
    absent = list(filter(_is_left_out, items))
    if absent:
        config.hook.pytest_deselected(items=absent)
        items[:] = [item for item in items if item not in absent]


def _fail_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure that shows the reason; an expected failure stays one."""
    if STRICT and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"OMI_TESTS_STRICT=1 allows no skip: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Apply the strict rule to skips of tests."""
    report = yield
    _fail_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Apply the strict rule to skips of whole modules."""
    report = yield
    _fail_skip(report)
    return report
