"""glTF 2.0 with physics, as .gltf and .glb, in the dialects that `dialects` names."""

from typing import TYPE_CHECKING

from ..format import Read, Source, Target, Written

if TYPE_CHECKING:
    from ....core.model.scene import PhysicsScene


_ARRAYS = (
    "accessors animations bufferViews buffers cameras extensionsRequired extensionsUsed images "
    "materials meshes nodes samplers scenes skins textures"
)
_FIRST = tuple(f'"{name}"'.encode() for name in _ARRAYS.split())
"""Members by one of which a document may start whose asset comes late."""


class GltfFormat:
    """The format of .gltf and .glb files."""

    name = "gltf"
    label = "glTF"
    suffixes = (".glb", ".gltf")
    reading_options = ("dialect",)
    writing_options = ("dialect", "for")

    def recognizes(self, head: bytes) -> bool:
        """Return whether this is a binary container, or JSON with members of a glTF document.

        Members may be in any order: Godot writes them by the alphabet, `asset` after `accessors`.
        """
        text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if not text.startswith(b"{"):
            return head.startswith(b"glTF")
        return b'"asset"' in text or text[1:].lstrip().startswith(_FIRST)

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the scene of a file; raises `UnreadableError`.

        Options: `dialect`, a set of the `Dialect`s that are read.
        """
        from .reading import read_file

        return (read_file(source),)

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return the files of a scene; raises `UnwritableError`.

        Options: `dialect`, a set of the `Dialect`s that are written; `for` (godot).
        """
        from .writing import write_file

        return write_file(scene, target)


GLTF = GltfFormat()
