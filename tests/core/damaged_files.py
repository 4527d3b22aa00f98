"""Damaged files of one format: each is read and written again, or refused in one line."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Read, UnreadableError
from tests.tally import Faults, Tally


@dataclass(frozen=True)
class Attack:
    """How files of a format are made, read and written."""

    kind: str
    damaged: Callable[[int, random.Random], str | bytes]
    """Makes a file of its number and what draws from it."""
    read: Callable[[str | bytes, Path], Read]
    write: Callable[[PhysicsScene, Path], object]

    def run(self, cases: int, folder: Path, tally: Tally) -> None:
        """Try some files; none is a fault of ours."""
        faults = Faults()
        for number in range(cases):
            seed = f"{self.kind.lower()} {number}"
            outcome = "failed"
            with faults.of(seed):
                outcome = self._read_and_write(self.damaged(number, random.Random(seed)), folder)
            tally.add(f"damaged {self.kind} files", seed, outcome)
        faults.tell()

    def _read_and_write(self, text: str | bytes, folder: Path) -> str:
        """Return how a file ended."""
        try:
            scene = self.read(text, folder).scene
        except UnreadableError as error:
            assert "\n" not in str(error)  # noqa: PT017 - most files are not refused
            return "refused"
        assert np.isfinite(scene.matrices).all()
        self.write(scene, folder)
        json.dumps(scene.carried)
        return "read"
