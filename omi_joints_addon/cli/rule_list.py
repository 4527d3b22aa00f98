"""All rules, whether or not the module that raises them needs Blender."""

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..core.findings.finding import Rule, rules

PACKAGE = __package__.rpartition(".")[0]
_ROOMS = ("core", "io.formats")
"""Packages that need no Blender."""
PREFIX = "OMI-"
VALIDATOR = "KHR-"
"""What the codes of issues of Khronos' validator start with here."""


def all_rules() -> Mapping[str, Rule]:
    """Return every rule by code, in the order of the codes.

    Packages that need Blender keep their rules in a module `rules`, which does not.
    """
    for room in _ROOMS:
        package = importlib.import_module(f"{PACKAGE}.{room}")
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    importlib.import_module(f"{PACKAGE}.io.engine_counts")
    for file in _rule_files():
        _import(file)
    return dict(sorted(rules().items()))


def full_code(text: str) -> str:
    """Return a code, or the start of one, as rules have it: "j1" is "OMI-J1"."""
    code = text.strip().upper()
    return code if code.startswith(VALIDATOR) else PREFIX + code.removeprefix(PREFIX)


def _rule_files() -> Iterator[Path]:
    yield from sorted(Path(__file__).parents[1].rglob("rules.py"))


def _import(file: Path) -> None:
    """Import a module without the packages around it."""
    parts = file.relative_to(Path(__file__).parents[1]).with_suffix("").parts
    name = ".".join((PACKAGE, *parts))
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec
    assert spec.loader
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
