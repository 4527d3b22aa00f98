"""Values of attributes at time codes of a stage, between which OpenUSD interpolates."""

from typing import Any, NamedTuple

import numpy as np

from ....core.model.animation import Interpolation
from ....core.model.numbers import double
from ....core.model.pose import Array
from .layer import plain
from .prim import Prim
from .pxr_access import usd

HELD_UNTIL = 1e-6
"""How many time codes before a jump a value ends to be held: OpenUSD interpolates numbers."""


class Keys(NamedTuple):
    """Keys as tracks have them, in time codes."""

    codes: Array
    values: Array
    interpolation: Interpolation


class Samples(NamedTuple):
    """Values of one attribute over time."""

    codes: Array
    """Time codes, ascending, shape (n,)."""
    values: tuple[Any, ...]
    """Value at each, plain."""

    def numbers(self) -> Array | None:
        """Return the values as finite numbers, shape (n,); truth values are 0 and 1."""
        found = [float(v) if isinstance(v, bool) else double(v) for v in self.values]
        return None if None in found else np.array(found, dtype=float)


def read_samples(prim: Any, declared: Prim) -> dict[str, Samples]:
    """Return the samples of the attributes of a prim that change over time, by name.

    What `declared` has of them becomes their value at rest: the one without time, where there is
    one.
    """
    pxr = usd().Usd
    timeless = pxr.TimeCode.Default()
    found = {}
    for name, (kind, _value) in list(declared.attributes.items()):
        attribute = prim.GetAttribute(name)
        count = attribute.GetNumTimeSamples() if ":" in name else 0
        if not count:
            continue
        has_rest = attribute.GetResolveInfo(timeless).GetSource() == pxr.ResolveInfoSourceDefault
        if has_rest:
            declared.set(name, kind, plain(attribute.Get(timeless)))
        if has_rest or count > 1:
            codes = attribute.GetTimeSamples()
            values = tuple(plain(attribute.Get(code)) for code in codes)
            found[name] = Samples(np.array(codes), values)
    return found


def keys_of(samples: Samples, values: Array) -> Keys:
    """Return keys with `values` at samples; values that are held and then jump are steps."""
    codes = samples.codes
    if isinstance(samples.values[0], bool):
        return Keys(codes, values, Interpolation.STEP)
    is_jump = np.diff(codes) <= 2.0 * HELD_UNTIL
    if is_jump.any() and not np.diff(values)[~is_jump].any():
        is_key = np.append(True, is_jump)
        return Keys(codes[is_key], values[is_key], Interpolation.STEP)
    return Keys(codes, values, Interpolation.LINEAR)


def stepped(codes: Array, values: Array) -> tuple[Array, Array]:
    """Return time codes and values that hold each value until right before the next key."""
    both = np.column_stack((codes[1:] - HELD_UNTIL, codes[1:])).reshape(-1)
    held = np.column_stack((values[:-1], values[1:])).reshape(-1)
    return np.append(codes[:1], both), np.append(values[:1], held)
