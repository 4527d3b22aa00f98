"""glTF 2.0 with physics, as .gltf and .glb, in the dialects that `dialects` names."""

from typing import TYPE_CHECKING

from ..format import Read, Source, Target, Written

if TYPE_CHECKING:
    from ....core.model.scene import PhysicsScene


class _Gltf:
    """The format of .gltf and .glb files.

    The option `dialect` is a set of `Dialect`: those that count where a file is read, and those
    that are written.
    """

    name = "gltf"
    label = "glTF"
    suffixes = (".glb", ".gltf")
    reading_options = ("dialect",)
    writing_options = ("dialect", "for")

    def recognizes(self, head: bytes) -> bool:
        """Return whether this is a binary container, or JSON that starts with an asset."""
        text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        return head.startswith(b"glTF") or (text.startswith(b"{") and b'"asset"' in text)

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the scene of a file; raises `UnreadableError`."""
        from .reading import read_file

        return (read_file(source),)

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return the files of a scene; raises `UnwritableError`."""
        from .writing import write_file

        return write_file(scene, target)


GLTF = _Gltf()
