"""Errors and findings of hooks of Blender's exporter and importer, which Blender only logs."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.findings.finding import Finding

PACKAGE = __package__.rpartition(".")[0]
FINDING = "omi_finding"
"""Attribute of a record of the log that is about a finding."""


class _Kept(logging.Handler):
    """Keeps the errors and findings that the extension logs."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.errors: list[BaseException] = []
        self.findings: list[Finding] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an error or a finding."""
        if (found := getattr(record, FINDING, None)) is not None:
            self.findings.append(found)
        if record.exc_info and record.exc_info[1] is not None:
            self.errors.append(record.exc_info[1])


@contextmanager
def whole() -> "Iterator[list[Finding]]":
    """Yield the findings of hooks of Blender's exporter or importer, as far as these have run.

    Raises `RuntimeError` after the block where a hook failed: Blender goes on without what it would
    have done, which here nobody could see.
    """
    log, kept = logging.getLogger(PACKAGE), _Kept()
    before = log.level
    log.addHandler(kept)
    log.setLevel(logging.DEBUG)
    try:
        yield kept.findings
    finally:
        log.setLevel(before)
        log.removeHandler(kept)
    if kept.errors:
        raise RuntimeError("physics would be left out") from kept.errors[0]
