"""How many frames of a simulation are due, so that it runs in real time."""

from collections import deque

_LONGEST = 0.5
"""Time [s] that is made up for at most after a tick that was late."""
_MOST_SIMULATED = 2.0
"""Time that frames may take, as a multiple of that of all else between two ticks, drawing first."""
_REMEMBERED = 1.0
"""Time [s] over which the pace is measured."""


class Pace:
    """Keeps a simulation to real time as far as it can, and knows how far that is."""

    def __init__(self, frame: float) -> None:
        """Take how long a frame is [s]."""
        self._frame = frame
        self.rest()

    def rest(self) -> None:
        """Forget what was before a pause."""
        self._late = 0.0
        """Time [s] by which the simulation is behind."""
        self._spent, self._cost = 0.0, 0.0
        """Time [s] that the frames of the last tick took, and each of them."""
        self._recent: deque[tuple[float, float]] = deque()
        """Real and simulated time [s] of the last ticks."""

    def frames_due(self, elapsed: float) -> int:
        """Return how many frames to simulate, 1 at least, `elapsed` [s] after the last tick.

        Where simulating is what takes long there are few of them, so that views still move: what
        cannot be made up for is given up, and `share` tells of it.
        """
        others = max(0.0, elapsed - self._spent)
        affordable = _MOST_SIMULATED * others / self._cost if self._cost else 1.0
        late = min(self._late + elapsed, _LONGEST)
        count = max(1, min(round(late / self._frame), int(affordable)))
        simulated = count * self._frame
        self._late = min(max(late - simulated, -0.5 * self._frame), self._frame)
        self._remember(elapsed, simulated)
        return count

    def note(self, count: int, spent: float) -> None:
        """Take over how long [s] the frames of a tick took."""
        self._spent, self._cost = spent, spent / count

    @property
    def share(self) -> float:
        """How quickly time passes in the simulation, 1 in real time."""
        real = sum(each for each, _ in self._recent)
        return min(1.0, sum(each for _, each in self._recent) / real) if real else 1.0

    def _remember(self, elapsed: float, simulated: float) -> None:
        self._recent.append((elapsed, simulated))
        while sum(each for each, _ in self._recent) - self._recent[0][0] > _REMEMBERED:
            self._recent.popleft()
