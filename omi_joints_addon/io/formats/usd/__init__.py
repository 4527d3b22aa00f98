"""USD with UsdPhysics: joints, bodies, colliders, articulations, and what PhysX adds to them."""

from typing import TYPE_CHECKING

from ..format import Read, Source, Target, Written

if TYPE_CHECKING:
    from ....core.model.scene import PhysicsScene

_BINARY, _TEXT, _ZIP = b"PXR-USDC", b"#usda", b"PK\x03\x04"
SUFFIXES = (".usda", ".usdc", ".usdz", ".usd")
_NAME_AT = 30
"""Where the name of the first file in a ZIP archive is."""


def is_package(head: bytes) -> bool:
    """Return whether a file starts as a .usdz does: a ZIP archive whose first file is a layer."""
    end = _NAME_AT + int.from_bytes(head[26:28], "little")
    name = head[_NAME_AT:end].lower()
    return head.startswith(_ZIP) and name.endswith((b".usd", b".usda", b".usdc"))


class Usd:
    """Files of OpenUSD."""

    name = "usd"
    label = "USD"
    suffixes = SUFFIXES
    reading_options = ("folder",)
    writing_options = (
        "meters_per_unit",
        "kilograms_per_unit",
        "up_axis",
        "nesting",
        "physx",
        "layer",
        "source",
    )

    def recognizes(self, head: bytes) -> bool:
        """Return whether a file that starts with `head` is certainly a USD file."""
        return head.startswith((_BINARY, _TEXT)) or is_package(head)

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the scene of a stage; raises `UnreadableError` and nothing else."""
        from .opening import read_file

        return (read_file(source),)

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return the file of a scene; raises `UnwritableError` where there can be none."""
        from .writing import write_usd

        return write_usd(scene, target)


USD = Usd()
