"""When views show what timers find between redraws: all at its end, and some meanwhile."""

FIRST = 0.25
"""Time [s] of work after which views show what has been found so far."""


class Patience:
    """Has views drawn after some time of work, then after twice that time, and so on.

    A redraw of a large scene takes much longer than what is done between two of them.
    """

    def __init__(self) -> None:
        self._spent, self._limit = 0.0, FIRST

    def is_time(self, spent: float, *, is_done: bool) -> bool:
        """Return whether to draw after some more time [s] was spent."""
        self._spent += spent
        is_late = self._spent > self._limit
        if is_done:
            self._spent, self._limit = 0.0, FIRST
        elif is_late:
            self._limit *= 2.0
        return is_done or is_late
