"""Write docs/checks.md, the page of all rules, from the code: checks_page.py [FILE]."""

import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from omi_joints_addon.cli.explain import example_lines, is_fixed_in_files, shown_sentence  # noqa: E402 - found by the line above
from omi_joints_addon.cli.rule_list import all_rules  # noqa: E402
from omi_joints_addon.core.findings.finding import Rule  # noqa: E402

PAGE = ROOT / "docs" / "checks.md"
HEAD = """# Checks

Every finding has a stable code. The panel *Checks* in the sidebar tab *Joints*, the messages of
export and import, and the command `check` all use these rules.

- **error**: the joint cannot work, or the file is invalid.
- **warning**: an engine will surprise you.
- **info**: good to know.

Each rule has an anchor: `checks.md#omi-j102`. On the command line `explain OMI-J102` prints the
same, and `check` takes `--select`, `--ignore` and `--severity` with codes or starts of codes.

Examples are files of the repository. Those of the [conformance set](conformance.md) show where a
file with a fault differs from a sound one. The others show the lines that are wrong after `-`, and
those of the cured file beside it, `OMI-X000.cured`, after `+`.

*Fix All Safe Ones* applies the safe fixes, which change nothing of what the joints mean. Words in
braces stand for names and numbers of the case.

This page is made from the code by `tools/checks_page.py`.
"""
SECTIONS = {
    "OMI-J0": "Structure",
    "OMI-J1": "Limits",
    "OMI-J2": "Drives",
    "OMI-J3": "Frames",
    "OMI-J4": "Documents",
    "OMI-J5": "SDF",
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
    "OMI-E6": "Newton",
    "OMI-E7": "Other engines",
}


def page() -> str:
    """Return the text of the page."""
    rules = all_rules()
    sections = (_section(title, prefix, rules) for prefix, title in SECTIONS.items())
    return "\n".join([HEAD, *filter(None, sections)])


def _section(title: str, prefix: str, rules: Mapping[str, Rule]) -> str:
    entries = [_entry(rule) for code, rule in rules.items() if code.startswith(prefix)]
    return "\n".join([f"## {title}", "", *entries]) if entries else ""


def _entry(rule: Rule) -> str:
    lines = [f"### {rule.code}", "", f"**{rule.severity}:** {shown_sentence(rule)}", ""]
    lines += [f"Why: {rule.reason}", ""]
    if example := list(example_lines(rule.code)):
        lines += [f"Example: {example[0]}", "", *(f"    {line}" for line in example[1:]), ""]
    if rule.fix:
        safe = " (safe)" if rule.is_safe else ""
        lines += [f"Fix in Blender: *{rule.fix.label}*{safe}", ""]
    if is_fixed_in_files(rule.code):
        lines += ["Fix in `.gltf` and `.glb` files: `check --fix`", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    target.write_text(page(), encoding="utf-8")
