"""Write docs/checks.md and docs/checks from the code, pages of all rules: checks_page.py [DOCS]."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from omi_joints_addon.cli.explain import example_lines, is_fixed_in_files, shown_sentence  # noqa: E402 - found by the line above
from omi_joints_addon.cli.rule_list import all_rules  # noqa: E402
from omi_joints_addon.core.findings.finding import Rule  # noqa: E402

DOCS = ROOT / "docs"
INDEX = """# Checks

Every finding has a stable code. The panel *Checks* in the sidebar tab *Joints*, the messages of
export and import, and the command `check` all use these rules.

- **error**: the joint cannot work, or the file is invalid.
- **warning**: an engine will surprise you.
- **info**: good to know.

On the command line `explain OMI-J102` prints what these pages have of a rule, and `check` takes
`--select`, `--ignore` and `--severity` with codes or starts of codes.

*Fix All (Safe)* applies the safe fixes, which change nothing of what the joints mean. Words in
braces stand for names and numbers of the case.

These pages are made from the code by `tools/checks_page.py`.
"""
HEAD = """# Checks: {title}

[All checks](../checks.md). Examples are files of the repository. Those of the
[conformance set](../conformance.md) show where a file with a fault differs from a sound one. The
others show the lines that are wrong after `-`, and those of the cured file beside it,
`OMI-X000.cured`, after `+`.
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
    "OMI-E8": "MuJoCo",
}


def page_of(code: str) -> str:
    """Return the page of a rule and the place on it, from docs."""
    title = next(title for prefix, title in SECTIONS.items() if code.startswith(prefix))
    return f"checks/{title.lower().replace(' ', '_')}.md#{code.lower()}"


def pages() -> dict[str, str]:
    """Return the text of each page by its path in docs."""
    index, found = [INDEX], dict[str, str]()
    for prefix, title in SECTIONS.items():
        rules = [rule for code, rule in all_rules().items() if code.startswith(prefix)]
        if not rules:
            continue
        path = page_of(rules[0].code).partition("#")[0]
        index += [f"## [{title}]({path})\n", "| Rule | Severity | Finding |\n| --- | --- | --- |"]
        index += [*map(_row, rules), ""]
        found[path] = "\n".join([HEAD.format(title=title), *map(_entry, rules)])
    return {"checks.md": "\n".join(index), **found}


def _row(rule: Rule) -> str:
    link = f"[{rule.code}]({page_of(rule.code)})"
    sentence = shown_sentence(rule).replace("|", "\\|").replace("\n", " ")
    return f"| {link} | {rule.severity} | {sentence} |"


def _entry(rule: Rule) -> str:
    lines = [f"## {rule.code}", "", f"**{rule.severity}:** {shown_sentence(rule)}", ""]
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
    docs = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS
    (docs / "checks").mkdir(exist_ok=True)
    for name, text in pages().items():
        (docs / name).write_text(text, encoding="utf-8")
