"""Write docs/checks.md, the page of all rules, from the code: checks_page.py [FILE]."""

import importlib.util
import pkgutil
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import omi_joints_addon.core  # noqa: E402 - found by the line above
import omi_joints_addon.io.formats  # noqa: E402
from omi_joints_addon.core.findings.finding import Rule, rules  # noqa: E402

PAGE = ROOT / "docs" / "checks.md"
HEAD = """# Checks

Every finding has a stable code. The panel *Checks* in the sidebar tab *Joints*, the messages of
export and import, and the command `check` all use these rules.

- **error**: the joint cannot work, or the file is invalid.
- **warning**: an engine will surprise you.
- **info**: good to know.

A fix in **bold** is safe: *Fix All Safe Ones* applies it, since it changes nothing of what the
joints mean. Words in braces stand for names and numbers of the case.

This page is made from the code by `tools/checks_page.py`.
"""
SECTIONS = {
    "OMI-J0": "Structure",
    "OMI-J1": "Limits",
    "OMI-J2": "Drives",
    "OMI-J3": "Frames",
    "OMI-J4": "Documents",
    "OMI-B": "Bodies",
    "OMI-S": "Shapes",
    "OMI-K": "KHR_physics_rigid_bodies",
    "OMI-X": "Exchange",
    "OMI-U": "USD",
    "OMI-M": "MJCF",
    "OMI-H": "Shift",
    "OMI-P": "Preview",
    "OMI-R": "Rigid body constraints",
    "OMI-E1": "Godot",
    "OMI-E2": "KHR viewers",
    "OMI-E3": "PhysX",
    "OMI-E4": "Bullet",
    "OMI-E5": "Jolt",
}


def all_rules() -> Mapping[str, Rule]:
    """Return every rule by code, whether or not the module that raises it needs Blender.

    Rooms that know Blender keep their rules in a module `rules`, which does not.
    """
    for room in (omi_joints_addon.core, omi_joints_addon.io.formats):
        for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
            importlib.import_module(module.name)
    for file in sorted((ROOT / "omi_joints_addon").rglob("rules.py")):
        _import(file)
    return rules()


def _import(file: Path) -> None:
    """Import a module without the packages around it."""
    name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec
    assert spec.loader
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


_MARK = re.compile(r"\{(\w+)(?:![rsa])?(?::[^{}]*)?\}")
"""A field of a sentence, with marks of Python's formatting, which mean nothing to readers."""


def page() -> str:
    """Return the text of the page."""
    sections = (_section(prefix, title) for prefix, title in SECTIONS.items())
    return "\n".join([HEAD, *filter(None, sections)])


def _section(prefix: str, title: str) -> str:
    rows = list(_rows(prefix))
    if not rows:
        return ""
    head = ["| Code | Severity | Message | Why | Fix |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([f"## {title}", "", *head, *rows, ""])


def _rows(prefix: str) -> Iterator[str]:
    for code, rule in sorted(all_rules().items()):
        if not code.startswith(prefix):
            continue
        fix = rule.fix.label if rule.fix else ""
        cells = (
            code,
            str(rule.severity),
            _MARK.sub(r"{\1}", rule.sentence),
            rule.reason,
            f"**{fix}**" if rule.is_safe else fix,
        )
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    target.write_text(page(), encoding="utf-8")
