"""All rules, whether or not the module that raises them needs Blender."""

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path

from ..core.findings.finding import Rule, rules

PACKAGE = __package__.rpartition(".")[0]
_FOLDER = Path(__file__).parents[1]
_DEFINITION = b" = rule("
"""What only files with rules hold."""
PREFIX = "OMI-"
VALIDATOR = "KHR-"
"""What the codes of issues of Khronos' validator start with here."""


def all_rules() -> Mapping[str, Rule]:
    """Return every rule by code, in the order of the codes.

    Modules that need Blender or an extra keep their rules in a module `rules`, which does not.
    """
    for file in sorted(_FOLDER.rglob("*.py")):
        if _DEFINITION in file.read_bytes():
            _import(file)
    return dict(sorted(rules().items()))


def full_code(text: str) -> str:
    """Return a code, or the start of one, as rules have it: "j1" is "OMI-J1"."""
    code = text.strip().upper()
    return code if code.startswith(VALIDATOR) else PREFIX + code.removeprefix(PREFIX)


def _import(file: Path) -> None:
    """Import a module, without the packages around it where they may need Blender."""
    parts = file.relative_to(_FOLDER).with_suffix("").parts
    name = ".".join((PACKAGE, *parts))
    if file.name != "rules.py":
        importlib.import_module(name)
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec
    assert spec.loader
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
