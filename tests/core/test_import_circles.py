"""No module leads back to itself, imported at once, within a function or for types only."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.package_trees import package_trees

Arrows = dict[str, set[str]]


@pytest.mark.slow
@pytest.mark.once
def test_no_imports_go_round(repository: Path) -> None:
    files = package_trees(repository)
    trees = {name.removesuffix(".__init__"): tree for name, tree in files.items()}
    arrows = {module: set(_imported(module, tree, trees)) for module, tree in trees.items()}
    assert not _circles(arrows)


def _imported(module: str, tree: ast.Module, trees: dict[str, ast.Module]) -> Iterator[str]:
    """Yield the modules of the package that a module imports; a room only lists its own."""
    is_package = any(name.startswith(f"{module}.") for name in trees)
    is_room = is_package and "rooms.loader" in ast.unparse(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        above = module.split(".")[: len(module.split(".")) - node.level + is_package]
        place = ".".join([*(above if node.level else ()), *filter(None, [node.module])])
        for alias in node.names:
            name = f"{place}.{alias.name}" if f"{place}.{alias.name}" in trees else place
            if name in trees and name != module and not (is_room and name.startswith(module)):
                yield name


def _circles(arrows: Arrows) -> Arrows:
    """Return the modules that lead into a circle, and where from there."""
    left = dict(arrows)
    while True:
        ends = {module for module, to in left.items() if not to & left.keys()}
        if not ends:
            return {module: to & left.keys() for module, to in left.items()}
        left = {module: to for module, to in left.items() if module not in ends}
