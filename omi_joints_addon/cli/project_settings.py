"""Settings of a project for `check`: omi-joints.toml, or a table of pyproject.toml.

The folder may be a stranger's. So they choose what is reported, and how severe it is; none of them
starts a process or names a place to read or write (SECURITY.md).
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..core.findings.finding import Severity
from ..io.files import opened, real
from .errors import CommandError
from .rule_choice import Codes, codes_from

OWN_NAME = "omi-joints.toml"
TABLE = "tool.omi-joints"
_SHARED_NAME = "pyproject.toml"
NEVER = "never"
_LARGEST = 2**20
"""Bytes of a file of settings."""


class ProjectSettings(NamedTuple):
    """What a project sets; None and empty values are not set."""

    path: Path | None = None
    """The file that sets them."""
    select: Codes = ()
    ignore: Codes = ()
    severity: Mapping[str, Severity] = {}
    ignore_in: Mapping[str, Codes] = {}
    exclude: tuple[str, ...] = ()
    engine: str = ""
    fail_on: str = ""
    least: Severity | None = None


def settings_beside(folder: Path) -> ProjectSettings:
    """Return the settings of the project that a folder belongs to; raises `CommandError`.

    They are those of the nearest folder above it that has any.
    """
    for place in (folder, *folder.parents):
        own, shared = place / OWN_NAME, place / _SHARED_NAME
        if own.is_file():
            if not _is_inside(own):
                raise CommandError(f"{own} is a link out of its folder; name it with --config")
            return settings_of(own)
        if shared.is_file() and _is_inside(shared):
            table = _shared_table(shared)
            if table is not None:
                return _parsed(shared, table)
    return ProjectSettings()


def _is_inside(path: Path) -> bool:
    """Return whether a file is in the folder that it was found in, and not a link out of it."""
    return real(path).is_relative_to(real(path.parent))


def settings_of(path: Path) -> ProjectSettings:
    """Return the settings in a file that is named; raises `CommandError`."""
    table = _shared_table(path) if path.name == _SHARED_NAME else _toml(path)
    if table is None:
        raise CommandError(f"{path} has no table [{TABLE}]")
    return _parsed(path, table)


def _shared_table(path: Path) -> Mapping[str, Any] | None:
    # Most are not about joints, and to parse one takes a tenth of a command.
    found: Any = _toml(path, about=TABLE.rpartition(".")[2])
    for name in TABLE.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def _toml(path: Path, *, about: str = "") -> Mapping[str, Any]:
    """Return what a file contains, nothing where a word is not in it."""
    try:
        with opened(path) as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise CommandError(f"{path} is larger than {_LARGEST // 2**20} MiB")
        text = data.decode()
        if about not in text:
            return {}
        import tomllib

        return tomllib.loads(text)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise CommandError(f"{path} is not valid TOML: {error}") from error
    except RecursionError as error:
        raise CommandError(f"{path} is nested too deeply") from error


def _parsed(path: Path, table: Mapping[str, Any]) -> ProjectSettings:
    if "jobs" in table:
        raise CommandError(f"{path}: settings start no processes; use the option --jobs")
    unknown = ", ".join(sorted(table.keys() - KNOWN_SETTINGS.keys()))
    if unknown:
        known = ", ".join(KNOWN_SETTINGS)
        raise CommandError(f"{path}: unknown settings {unknown} (choose from {known})")
    values: dict[str, Any] = {}
    for name, value in table.items():
        parse, expected = KNOWN_SETTINGS[name]
        try:
            values[name.replace("-", "_")] = parse(value)
        except (TypeError, ValueError) as error:
            raise CommandError(f"{path}: {name} must be {expected}") from error
    return ProjectSettings(path=path, **values)


def _texts(value: object) -> tuple[str, ...]:
    if not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        raise TypeError
    return tuple(value)


def _codes(value: object) -> Codes:
    return codes_from(_texts(value))


def _table(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError
    return value


def _severities(value: object) -> Mapping[str, Severity]:
    return {codes_from([code])[0]: Severity(name) for code, name in _table(value).items()}


def _codes_by_pattern(value: object) -> Mapping[str, Codes]:
    return {pattern: _codes(codes) for pattern, codes in _table(value).items()}


def _engine(value: object) -> str:
    from ..core.engines.engines import ENGINES

    if value not in ENGINES:
        raise ValueError
    return str(value)


def _level(value: object) -> str:
    return NEVER if value == NEVER else str(Severity(str(value)))


_SEVERITY_NAMES = " or ".join(Severity)
_LIST = "a list of codes"
KNOWN_SETTINGS: Mapping[str, tuple[Callable[[Any], Any], str]] = {
    "select": (_codes, _LIST),
    "ignore": (_codes, _LIST),
    "severity": (_severities, f"a table of codes, each {_SEVERITY_NAMES}"),
    "ignore-in": (_codes_by_pattern, "a table of patterns of files, each a list of codes"),
    "exclude": (_texts, "a list of patterns"),
    "engine": (_engine, "the name of an engine"),
    "fail-on": (_level, f"{_SEVERITY_NAMES} or {NEVER}"),
    "least": (Severity, _SEVERITY_NAMES),
}
"""How each setting is parsed, and what it must be."""
