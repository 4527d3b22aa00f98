"""Names each of which stands for one thing."""

from collections import Counter
from collections.abc import Container

from ..model.scene import PhysicsScene


def distinct_names(scene: PhysicsScene) -> list[str]:
    """Return the names of nodes, as commands print and take them.

    Those of several bodies or joints have the node's number.
    """
    shown = {*scene.motions, *(joint.node for joint in scene.joints)}
    counts = Counter(scene.names[node] for node in shown)
    return [f"{name}#{node}" if counts[name] > 1 else name for node, name in enumerate(scene.names)]


def free_name(name: str, taken: Container[str]) -> str:
    """Return the name, with the first number from 2 on that makes it none of those taken."""
    free, number = name, 2
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def take_free_name(name: str, taken: set[str]) -> str:
    """Return the name, numbered where it is taken, and take it."""
    free = free_name(name, taken)
    taken.add(free)
    return free
