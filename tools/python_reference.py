"""The page of all Python functions, read from the code without running it."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGES = {
    "authoring": "What can be done to objects in Blender. The context comes as an argument.",
    "scene": "What a Blender scene holds, as plain values.",
    "pictures": "Pictures of a scene with its joints, without a window.",
    "core.model": "Joints, bodies, shapes, meshes, poses and whole scenes. No Blender.",
    "core.meaning": "What joints mean: measures, kinds, presets, ranges. No Blender.",
    "core.checks": "Checks of joints, bodies and scenes. No Blender.",
    "core.engines": "How engines handle a joint. No Blender.",
    "core.rewrite": "Exact changes of joints and scenes. No Blender.",
    "core.shapes": "Hulls, fitted shapes, volumes and inertia. No Blender.",
    "core.solver": "The simulation. No Blender.",
    "io": "Formats by name, suffix and content.",
    "io.formats": "Reading and writing files of all formats. No Blender.",
}

SHALLOW = {"io", "io.formats"}
"""Packages whose folders below are not for callers: each format is reached by the registry."""


def python_page(root: Path, note: str) -> str:
    """Return the page: each public class and function of the packages, with its docstring."""
    lines = [
        "# Python functions",
        "",
        "Everything public, by package. [Python](../python.md) introduces it with examples.",
        "In an installed extension the package is `bl_ext.user_default.omi_joints_addon`.",
        "",
        note,
    ]
    for package, intro in PACKAGES.items():
        lines += [f"## {package}", "", intro, ""]
        folder = root / "omi_joints_addon" / Path(*package.split("."))
        depth = folder.glob if package in SHALLOW else folder.rglob
        for file in sorted(depth("*.py")):
            lines += _module(file, root)
    return "\n".join(lines)


def _module(file: Path, root: Path) -> Iterator[str]:
    """Return the section of a module, nothing where it has nothing public."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    entries = [entry for node in tree.body for entry in _entries(node)]
    if entries:
        name = ".".join(file.relative_to(root / "omi_joints_addon").with_suffix("").parts)
        yield f"### {name.removesuffix('.__init__')}\n"
        yield f"{_first(tree)}\n"
        yield from entries
        yield ""


def _entries(node: ast.stmt) -> Iterator[str]:
    """Return the lines of a public function or class with its public methods."""
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
        yield _function(node)
    elif isinstance(node, ast.ClassDef) and not node.name.startswith(("_", "OMI_")):
        yield f"- **class `{node.name}`**: {_first(node)}"
        for each in node.body:
            if isinstance(each, ast.FunctionDef) and not each.name.startswith("_") and _first(each):
                yield "    " + _function(each)


def _function(node: ast.FunctionDef) -> str:
    """Return a function with its arguments and the first paragraph of its docstring."""
    arguments = ast.unparse(_plain(node.args))
    return f"- `{node.name}({arguments})`: {_first(node)}"


def _plain(arguments: ast.arguments) -> ast.arguments:
    """Return arguments without annotations and without self."""
    for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        each.annotation = None
    arguments.args = [each for each in arguments.args if each.arg not in {"self", "cls"}]
    for each in filter(None, (arguments.vararg, arguments.kwarg)):
        each.annotation = None
    return arguments


def _first(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> str:
    """Return the first paragraph of a docstring."""
    text = ast.get_docstring(node) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("<", "&lt;")
