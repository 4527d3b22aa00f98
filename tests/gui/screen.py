"""Reads the screen as it is, by the library that Blender's own window needs.

Pictures are written with the least compression: there are hundreds of them.
"""

import ctypes
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Colours (height, width, 3); `picture[y, x]` is the pixel at the window's point (x, y)."""

_ALL_PLANES, _Z_PIXMAP = -1, 2
"""Arguments of XGetImage: all bits of each pixel, whole pixels."""


class _Image(ctypes.Structure):
    """Head of an XImage."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("width", "height", "offset", "format")),
        ("data", ctypes.c_void_p),
        *((name, ctypes.c_int) for name in ("byte_order", "unit", "bit_order", "pad")),
        *((name, ctypes.c_int) for name in ("depth", "bytes_per_line", "bits_per_pixel")),
    ]


_X = ctypes.CDLL("libX11.so.6")
for _name in ("XOpenDisplay", "XDefaultRootWindow"):
    getattr(_X, _name).restype = ctypes.c_void_p
_X.XGetImage.restype = ctypes.POINTER(_Image)


def grab(width: int, height: int) -> Picture:
    """Return what the lower left of the screen shows, of a window that fills it."""
    display = ctypes.c_void_p(_X.XOpenDisplay(None))
    root = ctypes.c_void_p(_X.XDefaultRootWindow(display))
    planes = ctypes.c_ulong(_ALL_PLANES)
    image = _X.XGetImage(display, root, 0, 0, width, height, planes, _Z_PIXMAP)
    shape = image.contents.height, image.contents.bytes_per_line // 4, 4
    data = ctypes.string_at(image.contents.data, shape[0] * image.contents.bytes_per_line)
    _X.XFree(ctypes.c_void_p(image.contents.data))
    _X.XFree(image)
    _X.XCloseDisplay(display)
    pixels = np.frombuffer(data, np.uint8).reshape(shape)[:, :width]
    return np.ascontiguousarray(pixels[::-1, :, 2::-1])


def save(picture: Picture, path: Path) -> None:
    """Write a picture as PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    height, width = picture.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = picture[::-1].reshape(height, 3 * width)
    parts = (
        (b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.tobytes(), 1)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
