"""Roots of articulations: bodies, joints to the world, or prims above them."""

from collections.abc import Sequence

from ....core.findings.finding import Finding
from ....core.model.articulation import Articulation
from ....core.model.body import MotionType
from .joint_placing import JointPlacing
from .nodes import StageNodes
from .prim import Prim
from .rules import EMPTY_ROOT, NESTED_ROOTS


def read_articulations(
    roots: Sequence[Prim], nodes: StageNodes, placing: JointPlacing, findings: list[Finding]
) -> dict[str, Articulation]:
    """Return the articulations of prims that have the API by their paths, those above first."""
    found: dict[str, Articulation] = {}
    known = set[int]()
    taken: list[str] = []
    for prim in roots:
        if any(prim.path.startswith(f"{path}/") for path in taken):
            findings.append(NESTED_ROOTS(prim.path))
            continue
        taken.append(prim.path)
        articulation = _articulation(prim.path, nodes, placing)
        if articulation is None:
            findings.append(EMPTY_ROOT(prim.path))
        elif articulation.root not in known:
            known.add(articulation.root)
            found[prim.path] = articulation
    return found


def _articulation(path: str, nodes: StageNodes, placing: JointPlacing) -> Articulation | None:
    """Return the articulation of one prim: from a weld, a joint to the world, or a body."""
    if path in placing.welds:
        return Articulation(root=placing.welds[path], is_fixed=True)
    if path in placing.bodies_by_path:
        return _of_joint(placing.bodies_by_path[path], placing)
    below = f"{path.rstrip('/')}/"
    bodies = [
        node
        for node in placing.motions
        if nodes.paths[node] == path
        or (nodes.paths[node].startswith(below) and _moves(node, placing))
    ]
    if not bodies:
        return None
    inside = set(bodies)
    for joint, pair in placing.bodies_by_path.items():
        is_fixed = placing.is_fixed_joint(joint)
        if is_fixed and _is_anchored(pair, placing) and inside & set(pair):
            return Articulation(root=(inside & set(pair)).pop(), is_fixed=True)
    root = min(bodies, key=lambda node: (nodes.paths[node].count("/"), node))
    return Articulation(root=root)


def _of_joint(pair: tuple[int, int], placing: JointPlacing) -> Articulation | None:
    moving = [body for body in pair if body >= 0 and _moves(body, placing)]
    if not moving:
        return None
    return Articulation(root=moving[-1], is_fixed=_is_anchored(pair, placing))


def _is_anchored(pair: tuple[int, int], placing: JointPlacing) -> bool:
    return any(body < 0 or not _moves(body, placing) for body in pair)


def _moves(body: int, placing: JointPlacing) -> bool:
    return placing.motions[body].type != MotionType.STATIC
