"""Joint settings and frames rewritten so that an engine understands them, with the same meaning.

Both frames may be turned alike by a third of a turn about their diagonal, which only renames the
axes: X to Y to Z to X. No bound, target or sign changes then.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..engines.engine import Engine
from ..meaning.recognition import main_axis_of
from ..model.axes import AXIS_LETTERS
from ..model.joint import JointLimit, JointSettings
from .turning import IDENTITY, TURNS, AxisTurn, turned_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Portable:
    """A joint that means the same and that an engine understands better."""

    settings: JointSettings
    turn: AxisTurn
    """What to turn both frames by, each in its own axes, before anything else."""
    steps: tuple[str, ...]
    """What was changed, in words; empty is nothing."""

    @property
    def is_turned(self) -> bool:
        """Whether the frames change."""
        return self.turn != IDENTITY


def portable(settings: JointSettings, engine: Engine, *, turns: bool = True) -> Portable:
    """Return the settings and frames rewritten for an engine, unchanged where nothing helps.

    `turns` says whether the frames can be turned.
    """
    steps: list[str] = []
    split = tuple(part for limit in settings.limits for part in _split(limit))
    if len(split) != len(settings.limits):
        steps.append("split limits into linear and angular ones")
    changed = replace(settings, limits=split) if steps else settings
    turn = best_turn(changed, engine) if turns else IDENTITY
    if turn != IDENTITY:
        steps.append(_turn_step(changed, turn))
        changed = turned_settings(changed, turn)
    result = engine.rewritten(changed)
    return Portable(settings=result.settings, turn=turn, steps=(*steps, *result.steps))


def best_turn(settings: JointSettings, engine: Engine) -> AxisTurn:
    """Return the turn of both frames that brings the main axis where an engine understands it."""
    axis, best = main_axis_of(settings), engine.best_axis(settings)
    return IDENTITY if axis is None or best is None else TURNS[(best - axis) % 3]


def _split(limit: JointLimit) -> Iterator[JointLimit]:
    if limit.linear_axes and limit.angular_axes:
        yield replace(limit, angular_axes=())
        yield replace(limit, linear_axes=())
    else:
        yield limit


def _turn_step(settings: JointSettings, turn: AxisTurn) -> str:
    axis = main_axis_of(settings)
    assert axis is not None
    before, after = AXIS_LETTERS[axis], AXIS_LETTERS[turn.sources.index(axis)]
    return f"turned both frames, so that {before} of the joint became {after}"
