"""What an export or import has to say: in the log, and in the panel of the scene."""

import logging
import traceback
from collections.abc import Iterable
from types import TracebackType
from typing import Literal, Self

import bpy

from ...core.findings.finding import Finding, Severity
from ...core.findings.loss import How, Loss
from ...properties.usd_options import usd_options

_log = logging.getLogger(__package__)
_MOST = 200
"""Lines that are kept."""


class Report:
    """Messages of one run; faults inside of `with` become one, so that the file stays whole."""

    def __init__(self, scene: bpy.types.Scene, title: str) -> None:
        self._scene = scene
        self._title = title
        self._lines: list[str] = []

    def add(self, findings: Iterable[Finding]) -> None:
        """Note findings."""
        for found in findings:
            self._say(str(found), is_warning=found.severity != Severity.INFO)

    def add_losses(self, losses: Iterable[Loss]) -> None:
        """Note what a file does not say."""
        for loss in losses:
            self._say(str(loss), is_warning=loss.how == How.LOST)

    def say(self, text: str) -> None:
        """Note a line."""
        self._say(text, is_warning=True)

    def _say(self, text: str, *, is_warning: bool) -> None:
        self._lines.append(text)
        _log.log(logging.WARNING if is_warning else logging.INFO, "%s: %s", self._title, text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Literal[True] | None:
        """Keep the messages with the scene, and a fault from Blender's exporter."""
        is_fault = isinstance(error, Exception)
        if is_fault:
            _log.error("".join(traceback.format_exception(error)))
            self._say(f"physics is left out, {type(error).__name__}: {error}", is_warning=True)
        usd_options(self._scene).report = "\n".join(self._lines[:_MOST])
        return True if is_fault else None
