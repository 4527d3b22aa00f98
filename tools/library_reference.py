"""The page of the public interface `omi_joints`, from the code."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from enum import Enum
from typing import Any

import omi_joints

HEAD = """# Library

All that `omi_joints.__all__` lists: what other programs may rely on.
[Use as a library](../library.md) introduces it with examples. SI units, radians, Z up.
"""


def library_page(note: str) -> str:
    """Return the page: functions, values with their members, words and errors."""
    public = {name: getattr(omi_joints, name) for name in omi_joints.__all__}
    kinds: dict[str, list[str]] = {"Functions": [], "Values": [], "Words": [], "Errors": []}
    for name, item in public.items():
        kinds[_kind(item)] += _entry(name, item)
    sections = [f"## {title}\n\n" + "\n".join(lines) for title, lines in kinds.items()]
    return "\n".join([HEAD, note, *sections])


def _kind(item: Any) -> str:
    if not inspect.isclass(item):
        return "Functions" if callable(item) else "Words"
    if issubclass(item, Exception):
        return "Errors"
    return "Words" if issubclass(item, Enum) else "Values"


def _entry(name: str, item: Any) -> Iterator[str]:
    """Return the section of a public name."""
    yield f"### {name}\n"
    if not inspect.isclass(item):
        yield from _function(name, item)
        return
    yield f"{_text(item)}\n"
    if issubclass(item, Enum):
        yield "- " + ", ".join(f"`{member.value}`" for member in item) + "\n"
    elif not issubclass(item, Exception):
        yield from _members(item)
        yield ""


def _function(name: str, item: Any) -> Iterator[str]:
    if not callable(item):
        yield "Engines by name: " + ", ".join(f"`{key}`" for key in item) + ".\n"
        return
    tree = ast.parse(inspect.getsource(item)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    returns = f" -> {ast.unparse(tree.returns)}" if tree.returns else ""
    yield f"    {name}({ast.unparse(tree.args)}){returns}\n"
    yield f"{_text(item)}\n"


def _members(item: type) -> Iterator[str]:
    """Return the fields of a value, in the order of its constructor, and its methods."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(item))).body[0]
    assert isinstance(tree, ast.ClassDef)
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign):
            default = f" = {ast.unparse(node.value)}" if node.value else ""
            kind = ast.unparse(node.annotation).strip("'\"")
            yield f"- `{ast.unparse(node.target)}: {kind}{default}`{_after(after)}"
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            first = (ast.get_docstring(node) or "").split("\n\n")[0]
            yield f"- `{_call(node)}`: {' '.join(first.split())}"


def _call(node: ast.FunctionDef) -> str:
    if any(ast.unparse(mark) in {"property", "cached_property"} for mark in node.decorator_list):
        return node.name
    arguments = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
    return f"{node.name}({arguments})"


def _after(node: "ast.stmt | None") -> str:
    """Return the sentence below a field."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return ": " + " ".join(str(node.value.value).split())
    return ""


def _text(item: Any) -> str:
    return inspect.getdoc(item) or ""
