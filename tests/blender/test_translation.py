"""Every text of the interface can be translated, whole and with named fields."""

import ast
import importlib.util
from pathlib import Path
from string import Formatter
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_joints_addon import translation
from omi_joints_addon.core.checks.limits import SOFT_UNDAMPED
from omi_joints_addon.panels.messages import draw_findings
from tests.blender.recording_layout import RecordingLayout

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "omi_joints_addon"
SHOWING = frozenset(("report", "translated", "Sentence", "poll_message_set"))
SHOWN = frozenset(("text", "heading", "title"))


@pytest.fixture(scope="module")
def texts(addon: None) -> set[tuple[str, str]]:
    """Return what the collector finds: contexts and texts."""
    spec = importlib.util.spec_from_file_location("messages", ROOT / "tools" / "messages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return set(module.messages())


def test_what_users_read_is_collected(texts: set[tuple[str, str]]) -> None:
    assert ("Operator", "Swap Joint Ends") in texts
    assert ("*", "Attachment frame on the other body") in texts
    assert ("*", "No physics joint is selected") in texts
    assert ("*", "{object} is linked from a library; edit it there") in texts
    assert ("*", SOFT_UNDAMPED.sentence) in texts


def test_every_registered_name_is_collected(texts: set[tuple[str, str]]) -> None:
    """Operators and panels of Blender's own registry, found by their prefix."""
    operators = [
        getattr(bpy.ops.omi, name).get_rna_type() for name in dir(bpy.ops.omi) if name[0] != "_"
    ]
    panels = [getattr(bpy.types, name) for name in dir(bpy.types) if name.startswith("OMI_PT_")]
    assert len(operators) > 40
    assert len(panels) > 15
    missing = {rna.name for rna in operators if ("Operator", rna.name) not in texts}
    missing |= {panel.bl_label for panel in panels if ("*", panel.bl_label) not in texts}
    assert missing - {""} == set()


def test_fields_are_named(texts: set[tuple[str, str]]) -> None:
    for _context, text in texts:
        try:
            names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
        except ValueError:
            continue
        assert all(name.isidentifier() for name in names), text


def test_no_sentence_is_glued_from_parts() -> None:
    """Parts cannot be put into another order, which other languages need."""
    glued = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and any(map(is_glued, shown(node)))
    ]
    assert glued == []


def shown(call: ast.Call) -> list[ast.expr]:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return [
        *(call.args if name in SHOWING else []),
        *(word.value for word in call.keywords if word.arg in SHOWN),
    ]


def is_glued(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return is_glued(value.left) or is_glued(value.right) or isinstance(value.left, ast.Constant)
    parts = value.values if isinstance(value, ast.JoinedStr) else []
    words = "".join(part.value for part in parts if isinstance(part, ast.Constant))
    return sum(letter.isalpha() for letter in words) > 1


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put every template into marks, as a language would put it into other words."""
    marked = SimpleNamespace(pgettext_rpt=lambda text: f"«{text}»")
    app = SimpleNamespace(translations=marked)
    monkeypatch.setattr(translation, "bpy", SimpleNamespace(app=app))


def test_sentences_are_translated_before_they_are_filled(pseudo: None) -> None:
    assert translation.translated("{count} more", count=3) == "«3 more»"
    found = SOFT_UNDAMPED("Hinge", "/limits/0", number=2)
    assert "limit 2" in found.message
    assert translation.translated(found.message) == f"«{found.message}»"


def test_findings_are_drawn_in_the_language_of_the_user(pseudo: None) -> None:
    layout: Any = RecordingLayout()
    draw_findings(layout, bpy.context, [SOFT_UNDAMPED("Hinge", "/limits/0", number=2)])
    lines = [text for kind, text in layout.drawn if kind == "label"]
    assert lines[0].startswith("«")
    assert lines[-1].endswith("»")


def test_reports_and_reasons_are_in_the_language_of_the_user(pseudo: None) -> None:
    with pytest.raises(RuntimeError, match="«No object is active»"):
        bpy.ops.omi.joint_settings_copy()
