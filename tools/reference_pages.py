"""Write docs/reference, pages of all that can be set or called: reference_pages.py [FOLDER].

Needs Blender: `python tools/on_blender.py newest tools/reference_pages.py`, or `make reference`.
"""

import importlib
import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import bpy
from python_reference import python_page

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from library_reference import library_page  # noqa: E402 - found by the line above

from omi_joints_addon import preferences, registration  # noqa: E402
from omi_joints_addon.classes import classes_of  # noqa: E402
from omi_joints_addon.cli import main as cli  # noqa: E402
from omi_joints_addon.core.findings.fix import Fix  # noqa: E402
from omi_joints_addon.operators.check.check import fix_operator  # noqa: E402

FOLDER = ROOT / "docs" / "reference"
NOTE = "This page is made from the code by `tools/reference_pages.py`.\n"
UNITS = {
    "LENGTH": "m",
    "ROTATION": "rad",
    "MASS": "kg",
    "VELOCITY": "m/s",
    "ACCELERATION": "m/s²",
    "TIME_ABSOLUTE": "s",
    "TIME": "frames",
}
OWNERS = ("Object", "Scene", "Collection", "WindowManager")
PLACES = {
    ("VIEW_3D", "UI"): "3D viewport, sidebar",
    ("VIEW_3D", "HEADER"): "3D viewport, header",
    ("PROPERTIES", "WINDOW"): "Properties",
    ("FILE_BROWSER", "TOOL_PROPS"): "file browser",
}
HEAD = "| Property | Type | Default | Meaning |\n| --- | --- | --- | --- |"


def pages() -> dict[str, str]:
    """Return the text of each page by its file name; the add-on must be enabled."""
    return {
        "properties.md": properties_page(),
        "operators.md": operators_page(),
        "panels.md": panels_page(),
        "preferences.md": preferences_page(),
        "commands.md": commands_page(),
        "library.md": library_page(NOTE),
        "python.md": python_page(ROOT, NOTE),
    }


def classes(base: type) -> Iterator[Any]:
    """Return the registered classes of a kind, in the order of their registration."""
    for part in registration.PARTS:
        yield from (cls for cls in classes_of(part) if issubclass(cls, base))


def properties_page() -> str:
    """Return the page of all properties by where they are."""
    sections = [_title("Properties", "What a script can set, and what the panels show.")]
    for owner in OWNERS:
        for prop in getattr(bpy.types, owner).bl_rna.properties:
            if prop.identifier.startswith("omi_") and prop.type == "POINTER":
                sections += _group(f"{owner}.{prop.identifier}", prop.fixed_type)
    return "\n".join(sections)


def _group(path: str, rna: Any) -> Iterator[str]:
    """Return the section of a property group and of those inside."""
    cls = bpy.types.PropertyGroup.bl_rna_get_subclass_py(rna.identifier)
    yield f"## {path}\n\n{_sentence(cls.__doc__)}\n"
    yield from _table(_shown(rna))
    for prop in _shown(rna):
        kind = getattr(prop, "fixed_type", None)
        if kind is not None and kind.identifier.startswith("OMI_"):
            suffix = "[]" if prop.type == "COLLECTION" else ""
            yield from _group(f"{path}.{prop.identifier}{suffix}", kind)


def _shown(rna: Any) -> list[Any]:
    """Return the properties of an RNA type that are for people."""
    inherited = {"rna_type", "name", "bl_idname", "bl_rna"}
    return [
        prop for prop in rna.properties if not prop.is_hidden and prop.identifier not in inherited
    ]


def _table(props: list[Any]) -> Iterator[str]:
    """Return the table of some properties, and below it what the choices of each mean."""
    if not props:
        return
    yield HEAD
    yield from map(_row, props)
    yield ""
    for prop in props:
        if prop.type == "ENUM" and prop.enum_items_static:
            yield f"Choices of `{prop.identifier}`:\n"
            yield from (f"- {_item(item)}" for item in prop.enum_items_static)
            yield ""


def _row(prop: Any) -> str:
    """Return the row of a property."""
    default = " ".join(filter(None, (_default(prop), UNITS.get(getattr(prop, "unit", ""), ""))))
    meaning = f"*{prop.name}*: {_sentence(prop.description)}" if prop.description else prop.name
    cells = (f"`{prop.identifier}`", _type(prop), default, meaning)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _type(prop: Any) -> str:
    if prop.type in {"POINTER", "COLLECTION"}:
        name: str = prop.fixed_type.identifier
        return "list" if prop.type == "COLLECTION" else name.removeprefix("OMI_PG_")
    length = f"[{prop.array_length}]" if getattr(prop, "is_array", False) else ""
    return f"{prop.type.lower()}{length}"


def _default(prop: Any) -> str:
    if prop.type in {"POINTER", "COLLECTION"}:
        return ""
    if prop.type == "ENUM":
        return ", ".join(sorted(prop.default_flag)) if prop.is_enum_flag else str(prop.default)
    value = list(prop.default_array) if getattr(prop, "is_array", False) else prop.default
    return _number(value)


def _number(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_number, value))
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value) if value != "" else ""


def _item(item: Any) -> str:
    """Return an item of an enumeration with its tooltip."""
    text = f"`{item.identifier}` {item.name}"
    return text if item.description in {"", item.name} else f"{text}: {item.description}"


def operators_page() -> str:
    """Return the page of all operators by topic."""
    intro = (
        "What buttons and menus do. Each is in the search of F3, and its properties are those of "
        "the panel *Adjust Last Operation*."
    )
    sections, topic = [_title("Operators", intro)], ""
    fixes = tuple(fix_operator(fix) for fix in Fix)
    for cls in classes(bpy.types.Operator):
        found = cls.__module__.split(".")[-2]
        if found != topic:
            topic = found
            sections.append(f"## {topic.replace('_', ' ').capitalize()}\n")
        if cls.bl_idname == fixes[0]:
            sections += _fixes()
        elif cls.bl_idname not in fixes:
            sections.append(_operator(cls))
    return "\n".join(sections)


def _operator(cls: Any) -> str:
    """Return the section of an operator."""
    head = f"### {cls.bl_label}\n\n`bpy.ops.{cls.bl_idname}`: {_sentence(cls.__doc__)}\n"
    name = cls.bl_idname.split(".")[1]
    operators: Any = bpy.ops
    return "\n".join([head, *_table(_shown(getattr(operators.omi, name).get_rna_type()))])


def _fixes() -> Iterator[str]:
    """Return the section of the buttons that fix findings, which all take the same properties."""
    yield "### Fixes\n\nEach takes the finding to fix as `code`, `place` and `part`.\n"
    yield "| Operator | Name | What it does |\n| --- | --- | --- |"
    for fix in Fix:
        yield f"| `bpy.ops.{fix_operator(fix)}` | {fix.label} | {_sentence(fix.description)} |"
    yield ""


def panels_page() -> str:
    """Return the page of all panels, menus and the toolbar's tool."""
    rows = ["| Panel | Where | What it shows |", "| --- | --- | --- |"]
    titles = {cls.__name__: cls.bl_label for cls in classes(bpy.types.Panel)}
    rows += [
        f"| {cls.bl_label} | {_place(cls, titles)} | {_sentence(cls.__doc__)} |"
        for cls in classes(bpy.types.Panel)
    ]
    menus = ["", "## Menus", "", "| Menu | What it holds |", "| --- | --- |"]
    menus += [f"| {cls.bl_label} | {_sentence(cls.__doc__)} |" for cls in classes(bpy.types.Menu)]
    return "\n".join([_title("Panels and menus", "Where things are."), *rows, *menus, ""])


def _place(cls: Any, titles: dict[str, str]) -> str:
    """Return where a panel is."""
    words = [PLACES.get((cls.bl_space_type, cls.bl_region_type), cls.bl_space_type)]
    if cls.bl_space_type == "PROPERTIES":
        words.append(getattr(cls, "bl_context", "").capitalize())
    words.append(getattr(cls, "bl_category", ""))
    parent = getattr(cls, "bl_parent_id", "")
    words.append(titles.get(parent, parent.split("_PT_")[-1].replace("_", " ")))
    return " > ".join(filter(None, words))


def preferences_page() -> str:
    """Return the page of the preferences."""
    (cls,) = classes_of(preferences)
    intro = "Edit > Preferences > Add-ons > OMI Physics Joints."
    sections = [_title("Preferences", intro)]
    sections += _table([prop for prop in _shown(cls.bl_rna) if prop.type != "POINTER"])
    for prop in _shown(cls.bl_rna):
        if prop.type == "POINTER":
            sections += _group(prop.identifier, prop.fixed_type)
    return "\n".join(sections)


class Recorder:
    """Stands in for a parser of arguments and notes what is added."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.rows: list[str] = []

    def add_argument(self, *names: str, **more: Any) -> None:
        """Note an argument."""
        what = more.get("metavar") or ("" if names[0].startswith("-") else names[0])
        value = " ".join(what) if isinstance(what, tuple) else what
        if not value and more.get("choices"):
            value = "{" + ",".join(map(str, more["choices"])) + "}"
        shown = ", ".join(names) if names[0].startswith("-") else ""
        default = more.get("default")
        text = more.get("help", "").replace("%(default)s", str(default)).replace("%%", "%")
        text = text.replace("|", "\\|")
        self.rows.append(f"| `{' '.join(filter(None, (shown, value)))}` | {text} |")

    def add_mutually_exclusive_group(self, **_: Any) -> "Recorder":
        """Note arguments of a group as all others."""
        return self


def commands_page() -> str:
    """Return the page of the command line."""
    intro = (
        f"`omi-joints COMMAND` where the wheel is installed, `{cli.MODULE} COMMAND` in a checkout, "
        f"or `{cli.BLENDER} COMMAND` with a desktop Blender in which the extension is enabled. "
        "Every command has `--help`."
    )
    return "\n".join([_title("Commands", intro), *map(_command, cli.COMMANDS)])


def _command(name: str) -> str:
    module = cli.command_module(name)
    recorder = Recorder()
    module.arguments(recorder)
    text = inspect.cleandoc(module.__doc__ or "")
    table = ["| Argument | |", "| --- | --- |", *recorder.rows]
    return "\n".join([f"## {name}\n", _prose(text), "", *table, ""])


def _prose(text: str) -> str:
    """Return a help text with its examples as code."""
    before, found, examples = text.partition("\nexamples:\n")
    if not found:
        before, found, examples = text.partition("\nexample:\n")
    lines = [f"    {cli.MODULE} {line.strip()}" for line in examples.splitlines()]
    return "\n".join([before.strip(), *(["", "Examples:", "", *lines] if found else [])])


def _title(name: str, intro: str) -> str:
    return f"# {name}\n\n{intro}\n\n{NOTE}"


def _sentence(text: Iterable[str] | None) -> str:
    """Return a tooltip as a sentence."""
    words = " ".join(str(text or "").split())
    return words + "." if words and words[-1] not in ".!?" else words


def main() -> None:
    """Write all pages."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    session: Any = importlib.import_module("session")
    with session.blender():
        for name, text in pages().items():
            (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
