"""What an export or import has to say, in Blender's own log and popup."""

import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...core.findings.finding import Finding, Severity

MOST_POPUPS = 20
"""Further messages of one run go to the log only: a popup of hundreds of lines helps nobody."""


class Report:
    """Messages of one run to the `Log` of io_scene_gltf2 (`io.com.debug`)."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self._popups = 0

    def add(self, findings: Iterable[Finding], prefix: str = "") -> None:
        """Pass findings on; each names its object or place, `prefix` may name it in other words."""
        for found in findings:
            if found.severity == Severity.INFO:
                self._log.info(f"{prefix}{found}")
            else:
                self._warn(f"{prefix}{found}")

    @contextmanager
    def guard(self, place: str) -> Iterator["Report"]:
        """Report any fault about `place` and go on after the block.

        The one place where faults are caught: the exporter drops one of a hook with a line in the
        console, the importer breaks off half-way.
        """
        try:
            yield self
        except Exception as error:  # noqa: BLE001 - see above
            self._log.error(traceback.format_exc())
            self._warn(f"{place}: physics is left out here, {type(error).__name__}: {error}")

    def _warn(self, message: str) -> None:
        """Warn; an error would make `bpy.ops` raise although the file is there."""
        self._popups += 1
        self._log.warning(message, popup=self._popups <= MOST_POPUPS)
        if self._popups == MOST_POPUPS:
            self._log.warning("Any further physics messages are in the console only", popup=True)
