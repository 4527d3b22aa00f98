"""USD with UsdPhysics: joints, bodies, colliders, articulations, and what PhysX adds to them."""

from ....core.model.scene import PhysicsScene
from ..format import Read, Source, Target, Written

_PACKAGE, _BINARY, _TEXT = b"PK\x03\x04", b"PXR-USDC", b"#usda"


class Usd:
    """Files of OpenUSD."""

    name = "usd"
    label = "USD"
    suffixes = (".usda", ".usdc", ".usdz", ".usd")

    def recognizes(self, head: bytes) -> bool:
        """Return whether a file that starts with `head` is certainly a USD file."""
        return head.startswith((_BINARY, _TEXT))

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the scene of a stage; raises `UnreadableError` and nothing else."""
        from .opening import read_file

        return (read_file(source),)

    def write(self, scene: PhysicsScene, target: Target) -> Written:
        """Return the file of a scene; what it does not say is among the losses."""
        from .writing import write_usd

        return write_usd(scene, target)


USD = Usd()
