"""Check joints and bodies in files of every known format.

Prints one line for each finding: the file, the severity, the code of the rule, the place (a JSON
pointer in glTF files, the object in Blender files) and a sentence. The command explain gives the
reason of a rule, docs/checks those of all rules. Only .blend files need Blender. The file - is
standard input. In folders, hidden files and .json and .xml files of other kinds are skipped.

What a project sets in omi-joints.toml, or in the table [tool.omi-joints] of pyproject.toml, is used
from the folders of the file up; options come before it.

Exit code: 0 if there are no errors, 1 if there is an error (or what --fail-on names), 2 if a file
cannot be read.

examples:
  check door.glb
  check --recursive assets --format json > findings.json
  check --engine godot --least warning *.gltf
  check --recursive assets --fail-on warning --ignore J111,B0 --jobs 0
  check --recursive assets --format sarif > findings.sarif
  check --recursive assets --fix
"""

import argparse
import sys
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.findings.finding import Severity
from ..io.collector import without_collections
from .engines import add_engine_argument
from .errors import CommandError
from .file_report import FileReport
from .project_settings import NEVER, ProjectSettings, settings_beside, settings_of
from .reports import REPORTS, Report
from .rule_choice import RuleChoice, add_choice_arguments
from .sources import (
    KINDS,
    STANDARD,
    add_folder_arguments,
    add_size_argument,
    files,
    whole_number,
)
from .terminal import Painter, printable, progress, say

if TYPE_CHECKING:
    from .checked_files import Wanted

_MOST_JOBS = 256


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help=KINDS)
    add_folder_arguments(parser)
    _add_report_arguments(parser)
    add_choice_arguments(parser)
    add_engine_argument(parser, help="also report how this engine handles the joints")
    parser.add_argument(
        "--with-validator",
        action="store_true",
        help="also report what Khronos' glTF-Validator finds, with codes that start with KHR-; "
        "requires Node and the package gltf-validator in a folder of NODE_PATH",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="remove limits and drives that do nothing from .gltf and .glb files, and list the "
        "extensions that are used; everything else stays as it is",
    )
    _add_run_arguments(parser)
    add_size_argument(parser)


def _add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is printed, and what counts as failed."""
    parser.add_argument("--format", choices=tuple(REPORTS), default="text", help="output format")
    parser.add_argument(
        "--least",
        type=Severity,
        choices=tuple(Severity),
        metavar="SEVERITY",
        help="hide less severe findings: error, warning or info (default: info)",
    )
    parser.add_argument(
        "--fail-on",
        choices=(*map(str, Severity), NEVER),
        help="exit with 1 if there is a finding of this severity or a graver one (default: error)",
    )


def _add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is not about findings."""
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE.toml",
        help="settings of the project (default: omi-joints.toml or pyproject.toml in this folder "
        "or the nearest above it)",
    )
    parser.add_argument("--no-config", action="store_true", help="use no settings of a project")
    parser.add_argument(
        "-j",
        "--jobs",
        type=whole_number(_MOST_JOBS),
        default=1,
        metavar="COUNT",
        help="check files in this many processes, 0 for one per processor (default: 1)",
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="print findings only, no summary or progress"
    )
    parser.add_argument(
        "--list-rules",
        action="store_true",
        help="print the rules that --select and --ignore leave, instead of checking files",
    )


def run(options: argparse.Namespace) -> int:
    """Check the files and return the exit code."""
    if options.list_rules:
        from .explain import print_rules

        choice = RuleChoice(select=options.select or (), ignore=options.ignore or ())
        return print_rules(choice, as_json=options.format == "json")
    if not options.files:
        raise CommandError("name the files to check")
    if options.fix and STANDARD in options.files:
        raise CommandError("--fix changes files, and standard input is not a file")
    project = _project(options)
    level = options.fail_on or project.fail_on or Severity.ERROR
    least = options.least or project.least or Severity.INFO
    exclude = (*options.exclude, *project.exclude)
    paths = list(files(options.files, recursive=options.recursive, exclude=exclude))
    report = REPORTS[options.format](least=least, level=None if level == NEVER else Severity(level))
    checked = _checked(paths, options, project, report)
    _print_end(checked, options, report)
    if any(each.problem for each in checked):
        return 2
    return int(any(each.fails(report.level) for each in checked))


def _checked(
    paths: Sequence[Path], options: argparse.Namespace, project: ProjectSettings, report: Report
) -> list[FileReport]:
    """Check files, print of each what can be printed at once, and return what there is of all."""
    painter, checked = Painter(options), []
    with without_collections(), closing(_found(paths, options, project, report)) as found:
        for each in found:
            checked.append(each)
            if each.problem:
                say(f"{printable(str(each.path))}: {printable(each.problem)}")
            sys.stdout.writelines(f"{line}\n" for line in report.lines(each, painter))
    return checked


def _found(
    paths: Sequence[Path], options: argparse.Namespace, project: ProjectSettings, report: Report
) -> Generator[FileReport, None, None]:
    from .checked_files import processors, reports

    # Blender's own Python does not find an extension by the name that it has in Blender.
    count = 1 if options.is_in_blender else options.jobs or processors()
    found = reports(paths, _wanted(options, project, report), count)
    with closing(found):
        yield from found if options.quiet else progress(found, "files", count=len(paths))


def _wanted(options: argparse.Namespace, project: ProjectSettings, report: Report) -> "Wanted":
    from .checked_files import Wanted

    choice = RuleChoice(
        select=options.select or project.select,
        ignore=(*(options.ignore or ()), *project.ignore),
        severities={**project.severity, **dict(options.severity or ())},
        ignored_in=project.ignore_in,
    )
    choice.require_known()
    return Wanted(
        choice=choice,
        max_size=options.max_size,
        engine=options.engine or project.engine,
        has_digest=report.has_digests,
        has_lines=report.has_lines,
        has_validator=options.with_validator,
        is_fixed=options.fix,
    )


def _project(options: argparse.Namespace) -> ProjectSettings:
    if options.no_config:
        return ProjectSettings()
    return settings_of(options.config) if options.config else settings_beside(Path.cwd())


def _print_end(checked: Sequence[FileReport], options: argparse.Namespace, report: Report) -> None:
    """Print what a report has after all files."""
    sys.stdout.writelines(report.whole(checked))
    if not options.quiet:
        sys.stdout.writelines(f"{line}\n" for line in report.summary(checked))
