"""What a document of this program means to this program."""

from pathlib import Path

from ....core.model.scene import PhysicsScene
from ..beside import Folders
from .carrying import carried_of
from .document import Robot
from .parts import Parts
from .printing import Texts
from .reading import SceneReader


def reread(robot: Robot, texts: Texts | None = None) -> PhysicsScene:
    """Return the scene of a document, without its meshes; `texts` are what `carried_of` takes."""
    kept = carried_of(robot, texts)
    return SceneReader(robot, kept, Parts(Folders(Path(), (), {})), {}).scene()
