"""What an export or import has to say: in the log, and in the report of the scene."""

import logging
import traceback
from collections.abc import Iterable
from types import TracebackType
from typing import Literal, Self

import bpy

from ...authoring.report import keep_report
from ...core.findings.finding import Finding, Severity
from ...core.findings.loss import How, Loss

_log = logging.getLogger(__package__)


class UsdReport:
    """Messages of one run; faults inside of `with` become one, so that the file stays whole."""

    def __init__(self, scene: bpy.types.Scene, title: str) -> None:
        self._scene = scene
        self._title = title
        self._findings: list[Finding] = []
        self._losses: list[Loss] = []
        self._problems: list[str] = []

    def add(self, findings: Iterable[Finding]) -> None:
        """Note findings."""
        for found in findings:
            self._findings.append(found)
            self._log(str(found), is_warning=found.severity != Severity.INFO)

    def add_losses(self, losses: Iterable[Loss]) -> None:
        """Note what a file does not say."""
        for loss in losses:
            self._losses.append(loss)
            self._log(str(loss), is_warning=loss.how == How.LOST)

    def say(self, text: str) -> None:
        """Note a line."""
        self._problems.append(text)
        self._log(text, is_warning=True)

    def _log(self, text: str, *, is_warning: bool) -> None:
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
            self.say(f"physics is left out, {type(error).__name__}: {error}")
        # Hooks are given no context.
        keep_report(
            self._scene,
            bpy.data,
            self._title,
            findings=self._findings,
            losses=self._losses,
            problems=self._problems,
        )
        return True if is_fault else None
