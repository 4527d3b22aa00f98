"""Numbers as words of a text: those that did not change stay as they are written."""

from collections.abc import Sequence


def numbers_in(text: str) -> list[float]:
    """Return the numbers of a text, none unless all of its words are numbers."""
    try:
        return list(map(float, text.split()))
    except ValueError:
        return []


def word(value: float) -> str:
    """Return the shortest text of a double, whole numbers without point."""
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def counted_from(rest: float, value: float) -> float:
    """Return a value [m or rad] counted from a rest position that was measured between frames.

    The last digits of a measured position differ between processors (BLAS picks its kernels by
    what they offer), so the difference keeps only digits that are the same on all of them.
    """
    return value - rest if rest == 0.0 else round(value - rest, 12) + 0.0


def rounded(value: float, decimals: int | None) -> float:
    """Return a number with some decimals, all of them where None."""
    return value + 0.0 if decimals is None else round(value, decimals) + 0.0


def snapped(value: float, decimals: int | None) -> float:
    """Return a number with some decimals where that is what rounding has left of it."""
    near = rounded(value, decimals)
    return near if decimals is None or abs(near - value) < 2.0 * 10.0 ** -(decimals + 1) else value


def shortest(value: float, relative: float) -> float:
    """Return the number with the fewest digits that is as near as `relative` parts of it."""
    for digits in range(1, 17):
        near = float(f"{value:.{digits}g}")
        if abs(near - value) <= relative * abs(value):
            return near
    return value


def words(old: str, values: Sequence[float], decimals: int | None, close: float) -> str:
    """Return numbers as words; of as many old words those that are as close as `close` stay."""
    found, gaps = old.split(), _gap(old)
    if len(found) != len(values):
        found = [""] * len(values)
    new = [
        text if is_near(text, value, close) else word(rounded(value, decimals))
        for text, value in zip(found, values, strict=True)
    ]
    return gaps.join(new)


def _gap(text: str) -> str:
    """Return the white space between the words of a text."""
    head = text.strip()
    first = head.split()[0] if head else ""
    rest = head[len(first) :]
    return rest[: len(rest) - len(rest.lstrip())] or " "


def is_near(text: str, value: float, close: float) -> bool:
    """Return whether a word is a number near to a value."""
    try:
        return abs(float(text) - value) <= close
    except ValueError:
        return False
