"""OMI_physics_joint as it was in 2023: read, never written. SI units, radians, glTF axes (Y up).

Nodes named `constraints`, by index or inline, and two bodies `nodeA` and `nodeB`; the frame of each
body was where the joint's node stood against it. Documents are JSON objects and changed in place.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .....core.findings.finding import Finding
from .....core.model.joint import JointLimit, JointSettings
from .....core.model.plain import JsonObject
from ..document_frames import FRAME_NAME
from ..document_members import extension_of, nodes_of, set_extension
from ..document_nodes import shown_index
from ..members import Members, integer_of, kind_of
from ..omi.joint import EXTENSION, NodeJoint, node_joint_to_json, settings_to_json
from ..rules import NO_SUCH_ELEMENT, NOT_AN_OBJECT, OLD_JOINT_WITHOUT_NODES
from .tree import Tree
from .values import array_of

_DEFAULTS = {"lowerLimit": 0.0, "upperLimit": 0.0, "damping": 1.0}
_NAMES = frozenset(("constraints", "nodeA", "nodeB"))


def is_of_2023(document: JsonObject) -> bool:
    """Return whether a node of the document has a joint of the old form."""
    return any(is_old_joint(extension_of(node, EXTENSION)) for node in nodes_of(document))


def upgrade(document: JsonObject) -> list[Finding]:
    """Turn joints of the old form into those of today; return what is wrong with them.

    A joint's node goes below its first body, a new node for the other frame below the second, both
    where the joint's node stood.
    """
    findings: list[Finding] = []
    root = extension_of(document, EXTENSION)
    root = root if isinstance(root, dict) else {}
    constraints = Members(root, f"/extensions/{EXTENSION}", findings).array("constraints")
    joints = array_of(root, "physicsJoints")
    tree = Tree(document)
    for index, node in enumerate(nodes_of(document)):
        value = extension_of(node, EXTENSION)
        if not is_old_joint(value):
            continue
        place = f"/nodes/{index}/extensions/{EXTENSION}"
        settings = _settings(value["constraints"], constraints, place, findings)
        joint = settings_to_json(settings, place)
        if joint not in joints:
            joints.append(joint)
        members = {name: member for name, member in value.items() if name not in _NAMES}
        node["extensions"] = {n: v for n, v in node["extensions"].items() if n != EXTENSION}
        if (frames := _frames(tree, index, value, place, findings)) is not None:
            holder, connected = frames
            upgraded = NodeJoint(joint=joints.index(joint), connected_node=connected)
            owner = document["nodes"][holder]
            set_extension(owner, EXTENSION, members | node_joint_to_json(upgraded))
    rest = {name: member for name, member in root.items() if name != "constraints"}
    set_extension(document, EXTENSION, rest | {"physicsJoints": joints})
    return findings


def settings_from_constraints(
    constraints: list[tuple[Any, str]], findings: list[Finding]
) -> JointSettings:
    """Return the settings that constraints mean, given as JSON with their pointers.

    The bounds of a constraint held for each of its axes, and where constraints overlap the last
    one counted.
    """
    limits: list[JointLimit] = []
    for value, pointer in constraints:
        if not isinstance(value, dict):
            findings.append(NOT_AN_OBJECT(pointer, found=kind_of(value)))
            continue
        new = _limit(Members(_DEFAULTS | value, pointer, findings))
        limits = [kept for old in limits if (kept := _without(old, new)) is not None]
        limits.append(new)
    return JointSettings(limits=tuple(part for limit in limits for part in _parts(limit)))


def _frames(
    tree: Tree, index: int, value: JsonObject, place: str, findings: list[Finding]
) -> tuple[int, int] | None:
    """Return the frames of a joint's two bodies, made or moved below them.

    The first is the joint's own node, but where that holds up its own body.
    """
    members = Members(value, place, findings)
    first, second = members.index("nodeA"), members.index("nodeB")
    problem = ""
    if first is None or second is None or not tree.has(first) or not tree.has(second):
        problem = "nodeA and nodeB"
    elif len({index, first, second}) < 3:
        problem = "nodeA and nodeB that differ from it and from each other"
    elif not all(map(tree.has_size, (index, first, second))):
        problem = "a size above zero"
    if problem or first is None or second is None:
        findings.append(OLD_JOINT_WITHOUT_NODES(place, problem=problem))
        return None
    connected = tree.new_frame(FRAME_NAME.format(tree.name(index)), index, second)
    if first in tree.above(index) and not tree.is_cut(index, first):
        return index, connected
    if index in tree.above(first):
        return tree.new_frame(FRAME_NAME.format(tree.name(index)), index, first), connected
    tree.hang(index, first)
    return index, connected


def is_old_joint(value: object) -> bool:
    """Return whether the joint of a node is of the old form."""
    return isinstance(value, dict) and isinstance(value.get("constraints"), list)


def _settings(
    references: list[Any], constraints: list[Any], place: str, findings: list[Finding]
) -> JointSettings:
    """Return the settings of a node, whose constraints are indices or objects."""
    found: list[tuple[Any, str]] = []
    for position, reference in enumerate(references):
        index = integer_of(reference)
        pointer = f"{place}/constraints/{position}"
        if index is None:
            found.append((reference, pointer))
        elif 0 <= index < len(constraints):
            found.append((constraints[index], f"/extensions/{EXTENSION}/constraints/{index}"))
        else:
            findings.append(NO_SUCH_ELEMENT(pointer, name="constraint", index=shown_index(index)))
    return settings_from_constraints(found, findings)


def _limit(members: Members) -> JointLimit:
    axes: dict[str, tuple[int, ...]] = {}
    for attribute, name in {"linear_axes": "linearAxes", "angular_axes": "angularAxes"}.items():
        numbers = [integer_of(value) for value in members.array(name)]
        axes[attribute] = tuple(sorted({n for n in numbers if n is not None and 0 <= n <= 2}))
    lower, upper = members.number("lowerLimit"), members.number("upperLimit")
    stiffness = members.number("stiffness", minimum=0.0)
    damping = members.number("damping", minimum=0.0)
    return JointLimit(
        **axes,
        min=0.0 if lower is None else lower,
        max=0.0 if upper is None else upper,
        stiffness=math.inf if stiffness is None else stiffness,
        damping=1.0 if damping is None else damping,
        carried=members.carried(),
    )


def _without(old: JointLimit, new: JointLimit) -> JointLimit | None:
    """Return a limit without the axes that a later one takes over, None if nothing is left."""
    linear = tuple(axis for axis in old.linear_axes if axis not in new.linear_axes)
    angular = tuple(axis for axis in old.angular_axes if axis not in new.angular_axes)
    if not linear and not angular:
        return None
    return replace(old, linear_axes=linear, angular_axes=angular)


def _parts(limit: JointLimit) -> Iterator[JointLimit]:
    """Yield the limit, or one for each axis where a common one would bound a distance or a cone."""
    if limit.min == limit.max == 0.0:
        yield limit
        return
    for axis in limit.linear_axes:
        yield replace(limit, linear_axes=(axis,), angular_axes=())
    for axis in limit.angular_axes:
        yield replace(limit, linear_axes=(), angular_axes=(axis,))
