"""The modules of the package, parsed once for all tests that look at them."""

import ast
from functools import cache
from pathlib import Path


@cache
def package_trees(repository: Path) -> dict[str, ast.Module]:
    """Return each module by its dotted name; a package by that of its own module."""
    files = sorted((repository / "omi_joints_addon").rglob("*.py"))
    return {
        ".".join(file.relative_to(repository).with_suffix("").parts): ast.parse(
            file.read_text("utf-8")
        )
        for file in files
    }
