"""The model and the codecs can be imported by any Python, each module by itself."""

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.blender_modules import BLENDER
from tests.core.package_trees import package_trees

IMPORT_ALL = """
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    sys.modules[name] = None
for room in ("core", "io.documents", "io.formats"):
    name = f"omi_joints_addon.{room}"
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        importlib.import_module(module.name)
        print(module.name)
"""

CHECK = """
import sys
import numpy
before = set(sys.modules)
from omi_joints_addon.cli.main import main
code = main(["check", sys.argv[1]])
print(*sorted(set(sys.modules) - before), file=sys.stderr)
sys.exit(code)
"""
WAITING = ("base64", "hashlib", "logging", "numpy.ma", "tempfile", "traceback", "urllib.parse")
"""What takes time to import and not every check needs."""


@pytest.mark.slow
def test_every_module_imports_without_blender(repository: Path) -> None:
    command = [sys.executable, "-c", IMPORT_ALL, *BLENDER]
    run = subprocess.run(
        command, cwd=repository, check=False, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "omi_joints_addon.core.meaning.metric" in run.stdout.split()


@pytest.mark.slow
def test_modules_import_each_other_in_no_circle(repository: Path) -> None:
    """So each can be the first: a circle fails or not by which of its modules comes first."""
    trees = package_trees(repository)
    files = {name.removesuffix(".__init__"): name for name in trees}
    graph = {name: set(_imported(name, trees[file], file, files)) for name, file in files.items()}
    assert len(graph) > 200
    list(graphlib.TopologicalSorter(graph).static_order())


def _imported(name: str, tree: ast.Module, file: str, files: dict[str, str]) -> Iterator[str]:
    """Yield the modules that one imports as it is imported itself; those around it are there."""
    package = name if file.endswith(".__init__") else name.rpartition(".")[0]
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*above, *([node.module] if node.module else [])])
        for found in (base, *(f"{base}.{alias.name}" for alias in node.names)):
            if found in files and not f"{name}.".startswith(f"{found}."):
                yield found


def test_a_check_of_a_sound_file_loads_what_it_needs(repository: Path, tmp_path: Path) -> None:
    file = tmp_path / "small.gltf"
    file.write_text('{"asset": {"version": "2.0"}, "nodes": [{"name": "A"}]}')
    command = [sys.executable, "-c", CHECK, str(file)]
    run = subprocess.run(
        command, cwd=repository, check=False, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr
    loaded = run.stderr.split()
    assert "omi_joints_addon.io.formats.gltf.document" in loaded
    assert set(loaded).isdisjoint(WAITING)
