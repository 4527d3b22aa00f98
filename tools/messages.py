"""Collect the texts of the interface for translators: messages.py [FILE], else build/messages.pot.

Names and descriptions of everything that is registered, as Blender looks them up; sentences of the
rules; and the texts in the code that are drawn or reported. A translator's file becomes a
dictionary for `bpy.app.translations.register`, from (context, text) to the translated text.
"""

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "omi_joints_addon"
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

DEFAULT, OPERATOR = "*", "Operator"
"""Contexts of Blender: of all texts but the names of operators, and of those."""
SHOWN = frozenset(("text", "heading", "title"))
"""Arguments of layouts that are shown."""
FILLED = frozenset(("Sentence", "translated", "report", "refused", "popup", "_with_unit"))
"""Functions whose literal arguments are shown."""
ROOMS = ("authoring", "gizmos", "operators", "panels", "preview")
"""Rooms whose functions also return texts, or keep them in tables."""

Messages = dict[tuple[str, str], list[str]]
"""Where each text is used, by its context and itself."""


def messages() -> Messages:
    """Return all texts; the add-on must be registered."""
    found: Messages = {}
    for context, text, place in (*of_classes(), *of_rules(), *of_code()):
        if any(letter.isalpha() for letter in text):
            found.setdefault((context, text), []).append(place)
    return found


def of_classes() -> Iterator[tuple[str, str, str]]:
    """Yield the texts of registered classes and of their properties."""
    from omi_joints_addon.classes import classes_of
    from omi_joints_addon.registration import PARTS

    for part in PARTS:
        for cls in classes_of(part):
            place, rna = cls.__name__, cls.bl_rna
            label = getattr(cls, "bl_label", "")
            context = getattr(cls, "bl_translation_context", None)
            is_operator = "_OT_" in cls.__name__
            yield context or (OPERATOR if is_operator else DEFAULT), label, place
            yield DEFAULT, getattr(cls, "bl_description", "") or rna.description, place
            inherited = {prop.identifier for prop in (rna.base.properties if rna.base else ())}
            for prop in rna.properties:
                if prop.identifier not in inherited and not prop.is_hidden:
                    yield from _of_property(prop, f"{place}.{prop.identifier}")


def _of_property(prop: Any, place: str) -> Iterator[tuple[str, str, str]]:
    yield prop.translation_context, prop.name, place
    yield DEFAULT, prop.description, place
    if prop.type == "ENUM":
        for item in prop.enum_items_static:
            yield prop.translation_context, item.name, place
            yield DEFAULT, item.description, place


def of_rules() -> Iterator[tuple[str, str, str]]:
    """Yield the sentences of rules and their reasons, which are tooltips."""
    from omi_joints_addon.core.findings.finding import rules

    for path in sorted(PACKAGE.rglob("*.py")):
        if "= rule(" in path.read_text("utf-8"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            importlib.import_module(name.removesuffix(".__init__"))
    for code, rule in rules().items():
        yield DEFAULT, rule.sentence, code
        yield DEFAULT, rule.reason.rstrip("."), code


def of_code() -> Iterator[tuple[str, str, str]]:
    """Yield the literal texts of the code that are drawn, reported or kept to be."""
    for path in sorted(PACKAGE.rglob("*.py")):
        room, place = path.relative_to(PACKAGE).parts[0], str(path.relative_to(ROOT))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for text in _shown_by(node):
                yield DEFAULT, text, place
            if room in ROOMS:
                for text in _returned_by(node):
                    yield DEFAULT, text, place


def _shown_by(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Call):
        return
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    values = node.args if name in FILLED else []
    values = [*values, *(word.value for word in node.keywords if word.arg in SHOWN)]
    for value in values:
        yield from _literals(value)


def _returned_by(node: ast.AST) -> Iterator[str]:
    """Yield texts that a function returns, and those of tables and constants."""
    if isinstance(node, ast.Return | ast.Assign | ast.AnnAssign) and node.value is not None:
        yield from (text for text in _literals(node.value) if _is_sentence(text))


def _literals(value: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression may have as its value."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.IfExp):
        yield from (*_literals(value.body), *_literals(value.orelse))
    elif isinstance(value, ast.BoolOp | ast.Dict):
        for each in value.values:
            yield from _literals(each)
    elif isinstance(value, ast.Subscript):
        yield from _literals(value.value)


def _is_sentence(text: str) -> bool:
    """Return whether a text is for people: words that start in upper case."""
    return text[:1].isupper() and not text.isupper() and "_" not in text


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def template(found: Messages) -> str:
    """Return the texts as a template of gettext (POT)."""
    entries = ['msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n']
    for (context, text), places in sorted(found.items()):
        lines = [f"#: {place}" for place in sorted(set(places))]
        if "{" in text:
            lines.append("#, python-brace-format")
        lines += [f"msgctxt {_quoted(context)}", f"msgid {_quoted(text)}", 'msgstr ""', ""]
        entries.append("\n".join(lines))
    return "\n".join(entries)


def main() -> None:
    """Write the template."""
    from session import BUILD, blender  # type: ignore[import-not-found]

    target = Path(sys.argv[1]) if len(sys.argv) > 1 else BUILD / "messages.pot"
    with blender():
        found = messages()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(template(found), "utf-8")
    print(f"{target}: {len(found)} texts")


if __name__ == "__main__":
    main()
