"""What identifies the nodes of one document, also after the program that reads it has changed."""

from collections.abc import Iterable


def origins_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return a text for each node that no other node has, by the names of all: name, or name#2."""
    counts: dict[str, int] = {}
    found = []
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        found.append(name if counts[name] == 1 else f"{name}#{counts[name]}")
    return tuple(found)
