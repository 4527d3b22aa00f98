"""What loss lines and engine reports must say of written files."""

from collections.abc import Iterator

from tests.oracles.files import Result

ELSEWHERE = {
    "cone Y": "it opens along Y, where a box is as wide",
    "cone Z": "it opens along Z, where a box is as wide",
    "cone and twist": "it reaches the twist, which all engines hold",
    "cylindrical": "it slides, and does not try to turn",
    "hinge beyond its limit at load": "nothing pushes it, so that it is taken back in time",
    "hinge with two limits down": "the last limit holds on this side",
    "linear acceleration": "it slides, and its inertia does not act",
    "rotation": "it turns about one axis, where a box is as wide",
    "universal": "it turns about one axis",
    "weak motor": "its force, not its damping, limits it",
}
"""Joints of which something is reported that shows in other poses only, and why."""


def problems(column: str, name: str, result: Result) -> Iterator[str]:
    """Yield what is wrong with what is reported of the file of a joint."""
    if result.differs and not (result.reported or result.converted):
        yield f"{column}: {name} differs ({result.values}), and nothing says so"
    is_idle = result.is_judged and not result.differs and name not in ELSEWHERE
    if is_idle and result.reported:
        yield f"{column}: {name} does not differ, but {' '.join(result.reported)} says so"
