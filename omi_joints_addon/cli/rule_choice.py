"""Which findings count, and as what: `--select`, `--ignore` and `--severity`."""

import argparse
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from ..core.findings.finding import Severity
from .errors import CommandError
from .file_report import Reported
from .rule_list import VALIDATOR, all_rules, full_code

Codes = tuple[str, ...]
"""Codes of rules, or starts of codes."""


class RuleChoice(NamedTuple):
    """Which findings of which files count, and the severities that a project gives rules."""

    select: Codes = ()
    """Findings that count; none is all."""
    ignore: Codes = ()
    severities: Mapping[str, Severity] = {}
    """Severity by the start of a code; the longest start that fits is used."""
    ignored_in: Mapping[str, Codes] = {}
    """Codes by a pattern of names or paths of files in which they do not count."""

    def require_known(self) -> None:
        """Require that each code is the start of one; raises `CommandError`."""
        of_files = (code for codes in self.ignored_in.values() for code in codes)
        every = {*self.select, *self.ignore, *self.severities, *of_files}
        named = {code for code in every if not code.startswith(VALIDATOR)}
        known = all_rules() if named else {}
        for start in sorted(named):
            if not any(code.startswith(start) for code in known):
                raise CommandError(f"no rule has a code that starts with {start}")

    def chosen(self, found: Reported, path: Path) -> Reported | None:
        """Return a finding about a file as it counts, None where it does not."""
        code = found.code
        if not self.names(code) or self._is_ignored_in(path, code):
            return None
        return found._replace(severity=self._severity(found))

    def names(self, code: str) -> bool:
        """Return whether findings of a rule count in any file."""
        is_selected = not self.select or code.startswith(self.select)
        return is_selected and not code.startswith(self.ignore or ("-",))

    def _is_ignored_in(self, path: Path, code: str) -> bool:
        return any(
            code.startswith(codes)
            for pattern, codes in self.ignored_in.items()
            if fnmatch(path.name, pattern) or fnmatch(path.as_posix(), pattern)
        )

    def _severity(self, found: Reported) -> Severity:
        fitting = [start for start in self.severities if found.code.startswith(start)]
        return self.severities[max(fitting, key=len)] if fitting else found.severity


def add_choice_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options `--select`, `--ignore` and `--severity`."""
    parser.add_argument(
        "--select",
        type=codes_of,
        metavar="CODE[,CODE]",
        help="report these rules only; the start of a code stands for all that start so: J1",
    )
    parser.add_argument(
        "--ignore", type=codes_of, metavar="CODE[,CODE]", help="do not report these rules, likewise"
    )
    parser.add_argument(
        "--severity",
        type=_severity_of,
        action="append",
        metavar="CODE=SEVERITY",
        help="give rules another severity, such as J1=error; can be given several times",
    )


def codes_of(text: str) -> Codes:
    """Return the codes in a list with commas."""
    return tuple(full_code(part) for part in text.split(",") if part.strip())


def codes_from(parts: Iterable[str]) -> Codes:
    """Return the codes of a list of texts."""
    return tuple(map(full_code, parts))


def _severity_of(text: str) -> tuple[str, Severity]:
    code, sign, name = text.partition("=")
    if not sign or name not in tuple(Severity):
        choices = ", ".join(Severity)
        raise argparse.ArgumentTypeError(f"{text!r} is not CODE=SEVERITY ({choices})")
    return full_code(code), Severity(name)
