"""Names of nodes that commands print and take, each of which stands for one."""

from collections import Counter

from ..model.scene import PhysicsScene


def distinct_names(scene: PhysicsScene) -> list[str]:
    """Return the names of nodes; those of several bodies or joints with the node's number."""
    shown = {*scene.motions, *(joint.node for joint in scene.joints)}
    counts = Counter(scene.names[node] for node in shown)
    return [f"{name}#{node}" if counts[name] > 1 else name for node, name in enumerate(scene.names)]
