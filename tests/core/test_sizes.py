"""Files and functions stay small, and what others call says what it does."""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.core.package_trees import package_trees

pytestmark = pytest.mark.once

_ROOMS = ("omi_joints_addon.core.", "omi_joints_addon.io.formats.", "omi_joints_addon.authoring.")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def test_most_files_are_short(repository: Path) -> None:
    files = (repository / "omi_joints_addon").rglob("*.py")
    lengths = [len(file.read_text("utf-8").splitlines()) for file in files]
    assert np.percentile(lengths, 90) <= 300


def test_functions_are_short(repository: Path) -> None:
    lengths = [
        node.end_lineno - node.lineno + 1
        for tree in package_trees(repository).values()
        for node in ast.walk(tree)
        if isinstance(node, _FUNCTIONS) and node.end_lineno is not None
    ]
    assert np.percentile(lengths, 99) <= 30


def test_what_others_call_has_a_docstring(repository: Path) -> None:
    silent = [
        f"{module}: {node.name}"
        for module, tree in package_trees(repository).items()
        if module.startswith(_ROOMS)
        for node in _public(tree)
        if not ast.get_docstring(node)
    ]
    assert not silent


def _public(holder: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Yield the public functions and classes of a module, and the public methods of these."""
    for node in holder.body:
        if isinstance(node, (ast.ClassDef, *_FUNCTIONS)) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from _public(node)
