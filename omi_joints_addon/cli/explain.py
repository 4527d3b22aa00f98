"""Explain rules of the check by their codes.

Prints what a rule reports, why, the part of a file that breaks it, and what Blender can do about
it by one click. The start of a code stands for all rules that start so. docs/checks has
all of them.

examples:
  explain OMI-J102
  explain J1
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..core.findings.finding import Rule
from .errors import CommandError
from .rule_choice import RuleChoice
from .rule_list import all_rules, full_code
from .terminal import Painter

_EXAMPLES = Path(__file__).with_name("rule_examples.json")
_MARK = re.compile(r"\{(\w+)(?:![rsa])?(?::[^{}]*)?\}")
"""A field of a sentence, with marks of Python's formatting, which mean nothing to readers."""
_FEW_WORDS = 2
"""Words of a sentence that say nothing without its values."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "codes", nargs="+", type=full_code, metavar="CODE", help="code of a rule, or its start"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format")


def run(options: argparse.Namespace) -> int:
    """Print the rules and return the exit code."""
    known = all_rules()
    found: dict[str, Rule] = {}
    for start in options.codes:
        fitting = {code: rule for code, rule in known.items() if code.startswith(start)}
        if not fitting:
            raise CommandError(f"no rule has a code that starts with {start}")
        found |= fitting
    if options.format == "json":
        return _print_json(found.values())
    painter = Painter(options)
    sys.stdout.write("\n".join(f"{text}\n" for text in _texts(found, painter)))
    return 0


def print_rules(choice: RuleChoice, *, as_json: bool) -> int:
    """Print a line for each rule that counts and return the exit code."""
    choice.require_known()
    rules = [rule for rule in all_rules().values() if choice.names(rule.code)]
    if as_json:
        return _print_json(rules)
    lines = (f"{rule.code}  {rule.severity:<7}  {summary(rule)}\n" for rule in rules)
    sys.stdout.writelines(lines)
    return 0


def summary(rule: Rule) -> str:
    """Return what a rule reports in one line, values shown as "…".

    The first sentence of the reason where nearly all of it are values.
    """
    text = _MARK.sub("…", rule.sentence)
    words = re.findall(r"[A-Za-z]{2,}", text)
    return text if len(words) > _FEW_WORDS else rule.reason.split(". ")[0].rstrip(".")


def shown_sentence(rule: Rule) -> str:
    """Return the sentence of a rule with the names of its values in braces."""
    return _MARK.sub(r"{\1}", rule.sentence)


@cache
def examples() -> Mapping[str, Any]:
    """Return the examples of rules by code.

    Each has a `title` and the `file` in the repository. Those of the conformance set have `parts`:
    where a fault differs from a sound file, as `place` (JSON pointer) and `value`, null for what is
    gone. Others have `lines`: after "- " what is wrong, after "+ " what the cured file beside it
    has there.
    """
    found: dict[str, Any] = json.loads(_EXAMPLES.read_text("utf-8"))
    return found


def example_lines(code: str) -> Iterator[str]:
    """Yield the example of a rule, a line for each part, where there is one."""
    if example := examples().get(code):
        yield f"{example['title']} ({example['file']})"
        yield from example.get("lines", ())
        for part in example.get("parts", ()):
            shown = "missing" if part["value"] is None else json.dumps(part["value"])
            yield f"{part['place']}: {shown}"


def is_fixed_in_files(code: str) -> bool:
    """Return whether `check --fix` ends the findings of a rule."""
    from ..io.formats.gltf.fixes import FIXED

    return code in FIXED


def _texts(rules: dict[str, Rule], painter: Painter) -> Iterator[str]:
    for rule in rules.values():
        head = f"{painter.bold(rule.code)} ({painter.severity(rule.severity)})"
        lines = [f"{head}: {shown_sentence(rule)}", f"  Why: {rule.reason}"]
        for number, line in enumerate(example_lines(rule.code)):
            lines.append(f"    {line}" if number else f"  Example: {line}")
        if rule.fix:
            safe = ", which changes nothing of what the joint means" if rule.is_safe else ""
            lines.append(f"  In Blender: {rule.fix.label}{safe}")
        if is_fixed_in_files(rule.code):
            lines.append("  In .gltf and .glb files: check --fix")
        yield "\n".join(lines)


def _print_json(rules: Iterable[Rule]) -> int:
    rows = [_to_json(rule) for rule in rules]
    sys.stdout.write(json.dumps({"rules": rows}, indent=2) + "\n")
    return 0


def _to_json(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "severity": str(rule.severity),
        "message": shown_sentence(rule),
        "reason": rule.reason,
        "fix": rule.fix.label if rule.fix else None,
        "is_safe": rule.is_safe,
        "is_fixed_in_files": is_fixed_in_files(rule.code),
        "example": examples().get(rule.code),
    }
