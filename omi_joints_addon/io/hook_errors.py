"""Errors in hooks of Blender's exporter and importer, which Blender itself only logs."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

PACKAGE = __package__.rpartition(".")[0]


class _Faults(logging.Handler):
    """Keeps the errors that the extension logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an error."""
        if record.exc_info and record.exc_info[1] is not None:
            self.errors.append(record.exc_info[1])


@contextmanager
def whole() -> Iterator[None]:
    """Raise `RuntimeError` after the block where a hook of Blender's exporter or importer failed.

    Blender goes on without what the hook would have done, which here nobody could see.
    """
    log, faults = logging.getLogger(PACKAGE), _Faults()
    log.addHandler(faults)
    try:
        yield
    finally:
        log.removeHandler(faults)
    if faults.errors:
        raise RuntimeError("physics would be left out") from faults.errors[0]
