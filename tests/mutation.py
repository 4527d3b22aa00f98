"""Seeded damage to documents and files, as files from the internet may have it."""

import copy
import random
from collections.abc import Iterator
from typing import Any

NAN, INFINITY = float("nan"), float("inf")
HUGE = 10**18
SCALARS = (
    None, True, False, 0, 1, 2, 3, -1, 7, HUGE, -HUGE, 10**400, 0.5, -0.0, 1e308, 1e-320, NAN,
    INFINITY, -INFINITY, "", "0", "linear", "dynamic", "\ud800", "\x00\x1b[2J", "../../etc/passwd",
)  # fmt: skip


def value(source: random.Random, depth: int = 3) -> Any:
    """Return any JSON value."""
    kind = source.random()
    if depth == 0 or kind < 0.7:
        return source.choice(SCALARS)
    if kind < 0.85:
        return [value(source, depth - 1) for _ in range(source.randrange(5))]
    names = ("joint", "nodes", "limits", "min", "extensions", "type", "children", "shape")
    return {source.choice(names): value(source, depth - 1) for _ in range(source.randrange(4))}


def deep(levels: int) -> Any:
    """Return lists in lists."""
    inner: Any = 0
    for _ in range(levels):
        inner = [inner]
    return inner


def containers(root: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in a document as container and key."""
    waiting = [root]
    while waiting:
        place = waiting.pop()
        keys = list(place) if isinstance(place, dict) else range(len(place))
        for key in keys:
            yield place, key
            if isinstance(place[key], dict | list):
                waiting.append(place[key])


def damage(root: Any, source: random.Random, times: int) -> None:
    """Change, remove, repeat or exchange things below `root`, in place."""
    for _ in range(times):
        places = list(containers(root))
        if not places:
            return
        holder, key = source.choice(places)
        _ACTIONS[source.randrange(len(_ACTIONS))](holder, key, source, places)


def mutated_bytes(data: bytes, source: random.Random) -> bytes:
    """Return a file cut off, with other bytes in it, or with numbers exchanged."""
    changed = bytearray(data)
    for _ in range(source.randrange(1, 8)):
        at = source.randrange(len(changed)) if changed else 0
        match source.randrange(4):
            case 0:
                del changed[at : at + source.randrange(1, 40)]
            case 1:
                changed[at:at] = source.randbytes(source.randrange(1, 8))
            case 2:
                changed[at : at + 4] = b"\xff\xff\xff\xff"
            case 3 if source.random() < 0.3:
                del changed[at:]
    return bytes(changed)


def _set(holder: Any, key: Any, source: random.Random, _places: Any) -> None:
    holder[key] = value(source)


def _remove(holder: Any, key: Any, _source: random.Random, _places: Any) -> None:
    del holder[key]


def _add(holder: Any, _key: Any, source: random.Random, _places: Any) -> None:
    if isinstance(holder, dict):
        holder[source.choice(("min", "extras", "joint", "nodeA", "\x1b", "axis"))] = value(source)
    else:
        holder.insert(source.randrange(len(holder) + 1), value(source))


def _repeat(holder: Any, key: Any, source: random.Random, _places: Any) -> None:
    if isinstance(holder, list):
        holder.extend(copy.deepcopy(holder[key]) for _ in range(source.randrange(1, 4)))


def _exchange(holder: Any, key: Any, source: random.Random, places: Any) -> None:
    other, name = source.choice(places)
    holder[key] = copy.deepcopy(other[name])


def _sink(holder: Any, key: Any, source: random.Random, _places: Any) -> None:
    holder[key] = deep(source.choice((10, 100)))


_ACTIONS = (_set, _set, _set, _remove, _add, _repeat, _exchange, _sink)
