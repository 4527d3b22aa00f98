"""Animations of io_scene_gltf2 with channels of KHR_animation_pointer, which it passes on unseen.

As `upstream`, for its versions in Blender 4.5 LTS and 5.2 LTS.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.model.pose import Array

Values = np.ndarray[Any, np.dtype[Any]]
POINTER = "KHR_animation_pointer"
_FLOAT, _BYTE = 5126, 5121


@dataclass(frozen=True, slots=True)
class PointerChannel:
    """A channel of a file that is read."""

    animation: str
    pointer: str
    seconds: Array
    values: Array
    """(n,), of `CUBICSPLINE` (n, 3): tangent in per second, value, tangent out.

    Of vectors with one more axis, that of the components.
    """
    width: int
    """Number of components."""
    interpolation: str


def animation_named(animations: list[Any], name: str) -> Any:
    """Return the animation of the file that has the name, a new one where there is none."""
    from io_scene_gltf2.io.com import gltf2_io

    for animation in animations:
        if animation.name == name:
            return animation
    new = gltf2_io.Animation(channels=[], extensions=None, extras=None, name=name, samplers=[])
    animations.append(new)
    return new


def add_sampler(
    animation: Any, seconds: Array, values: Values, interpolation: str, *, width: int = 1
) -> int:
    """Add keys to an animation and return the index of their sampler; truth values are bytes.

    `width` is 3 for vectors.
    """
    from io_scene_gltf2.io.com import gltf2_io

    component = _BYTE if values.dtype == np.bool_ else _FLOAT
    times = _accessor(seconds.astype(np.float32), _FLOAT, has_bounds=True)
    outputs = values.astype(np.uint8 if component == _BYTE else np.float32).reshape(-1)
    output = _accessor(outputs, component, has_bounds=False, width=width)
    sampler = gltf2_io.AnimationSampler(
        extensions=None, extras=None, input=times, interpolation=interpolation, output=output
    )
    animation.samplers.append(sampler)
    return len(animation.samplers) - 1


def add_channel(animation: Any, sampler: int) -> dict[str, str]:
    """Add a channel and return what it points by: set `pointer` when indices are known."""
    from io_scene_gltf2.io.com import gltf2_io

    target = {"pointer": ""}
    animation.channels.append(
        gltf2_io.AnimationChannel(
            extensions=None,
            extras=None,
            sampler=sampler,
            target=gltf2_io.AnimationChannelTarget(
                extensions={POINTER: target}, extras=None, node=None, path="pointer"
            ),
        )
    )
    return target


def _accessor(values: Values, component: int, *, has_bounds: bool, width: int = 1) -> Any:
    from io_scene_gltf2.io.com import gltf2_io
    from io_scene_gltf2.io.exp import binary_data

    return gltf2_io.Accessor(
        buffer_view=binary_data.BinaryData(values.tobytes()),
        byte_offset=None,
        component_type=component,
        count=len(values) // width,
        extensions=None,
        extras=None,
        max=[float(values.max())] if has_bounds else None,
        min=[float(values.min())] if has_bounds else None,
        name=None,
        normalized=None,
        sparse=None,
        type="SCALAR" if width == 1 else f"VEC{width}",
    )


def declare_pointers(data: Any) -> None:
    """Name the extension among those that a document uses."""
    if POINTER not in data.extensions_used:
        data.extensions_used.append(POINTER)


def drop_unpointed(data: Any) -> None:
    """Take channels without a pointer out of a document, and animations that have no others."""
    for animation in data.animations or ():
        animation.channels = [each for each in animation.channels if _pointer(each) != ""]
    data.animations = [each for each in data.animations or () if each.channels]


def pointer_channels(importer: Any) -> Iterator[PointerChannel]:
    """Yield the channels with pointers of a file that is read; what is damaged is passed over."""
    from io_scene_gltf2.io.imp.gltf2_io_binary import BinaryData

    for number, animation in enumerate(importer.data.animations or ()):
        for channel in animation.channels:
            pointer = _pointer(channel)
            if not pointer:
                continue
            sampler = animation.samplers[channel.sampler]
            times, values = (
                np.array(BinaryData.get_data_from_accessor(importer, index), float).reshape(-1)
                for index in (sampler.input, sampler.output)
            )
            shape = (len(times), 3) if sampler.interpolation == "CUBICSPLINE" else (len(times),)
            width, left = divmod(len(values), max(1, math.prod(shape)))
            if width and not left:
                yield PointerChannel(
                    animation=animation.name or f"Animation_{number}",
                    pointer=pointer,
                    seconds=times,
                    values=values.reshape(shape if width == 1 else (*shape, width)),
                    width=width,
                    interpolation=sampler.interpolation or "LINEAR",
                )


def _pointer(channel: Any) -> str | None:
    """Return what a channel points at, None for one of nodes."""
    extension = (channel.target.extensions or {}).get(POINTER)
    pointer = extension.get("pointer") if isinstance(extension, dict) else None
    return pointer if isinstance(pointer, str) else None
