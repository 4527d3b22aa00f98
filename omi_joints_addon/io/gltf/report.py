"""What an export or import has to say: in Blender's own log and popup, and with the scene."""

import logging
from collections.abc import Callable, Iterable
from functools import wraps
from types import TracebackType
from typing import Any, ParamSpec

import bpy

from ...authoring.report import keep_report
from ...core.findings.finding import Finding, Severity
from ..hook_errors import FINDING

Given = ParamSpec("Given")
_log = logging.getLogger(__name__)
MOST_POPUPS = 20
"""Further messages of one run go to the log only: a popup of hundreds of lines helps nobody."""


class _EarlyLog:
    """Python's log in place of Blender's, which an exporter has only once it runs."""

    def warning(self, text: str, **_how: Any) -> None:
        _log.warning(text)


EARLY_LOG = _EarlyLog()


class Report:
    """Messages of one run to the `Log` of io_scene_gltf2 (`io.com.debug`)."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self._popups = 0
        self._findings: list[Finding] = []
        self._problems: list[str] = []

    def keep(self, scene: bpy.types.Scene, title: str) -> None:
        """Keep what was reported with a scene, for its panel."""
        # Hooks are given no context.
        keep_report(scene, bpy.data, title, findings=self._findings, problems=self._problems)

    def add(self, findings: Iterable[Finding], prefix: str = "") -> None:
        """Pass findings on; each names its object or place, `prefix` may name it in other words."""
        for found in findings:
            self._findings.append(found)
            _log.debug("%s", found, extra={FINDING: found})
            if found.severity == Severity.INFO:
                self._log.info(f"{prefix}{found}")
            else:
                self._warn(f"{prefix}{found}")

    def guard(self, place: str | Callable[[], str]) -> "Guard":
        """Report any fault about `place`, or what it returns, and go on after the block.

        Else the exporter drops what a hook does with a line in the console, and the importer
        breaks off half-way.
        """
        return Guard(self, place)

    def fault(self, place: str, error: BaseException) -> None:
        """Report a fault about `place`."""
        _log.error(place, exc_info=error)
        problem = f"{place}: physics is left out here, {type(error).__name__}: {error}"
        self._problems.append(problem)
        self._warn(problem)

    def _warn(self, message: str) -> None:
        """Warn; an error would make `bpy.ops` raise although the file is there."""
        self._popups += 1
        self._log.warning(message, popup=self._popups <= MOST_POPUPS)
        if self._popups == MOST_POPUPS:
            self._log.warning("Any further physics messages are in the console only", popup=True)


def caught(hook: Callable[Given, None]) -> Callable[Given, None]:
    """Return a hook that never raises: what its guards let through is logged.

    An exporter goes on without it, but an importer breaks off, and what it has made stays.
    """

    @wraps(hook)
    def call(*args: Given.args, **options: Given.kwargs) -> None:
        try:
            hook(*args, **options)
        except Exception as error:  # noqa: BLE001 - the last place where it can be held
            _log.exception("glTF: physics is left out, %s: %s", type(error).__name__, error)

    return call


class Guard:
    """A block of `Report.guard`: as a class it costs a third of a generator, for every joint."""

    __slots__ = ("_place", "_report")

    def __init__(self, report: Report, place: str | Callable[[], str]) -> None:
        self._report = report
        self._place = place

    def __enter__(self) -> Report:
        return self._report

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        place = self._place
        self._report.fault(place if isinstance(place, str) else place(), error)
        return True
