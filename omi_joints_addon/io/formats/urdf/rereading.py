"""What a document of this program means to this program."""

from pathlib import Path

from ....core.model.scene import PhysicsScene
from ..beside import Folders
from .document import Robot
from .parts import Parts
from .reading import SceneReader


def reread(robot: Robot) -> PhysicsScene:
    """Return the scene of a document, without its meshes."""
    return SceneReader(robot, Parts(Folders(Path(), (), {})), {}).scene()
