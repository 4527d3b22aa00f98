"""What is connected to what in Blender: bodies above frames, joints of a scene, shared settings.

Looks at the objects as they are now. The walks go upwards over `parent_of` or once over all
objects: in Blender `Object.children` and `Object.users_collection` search the whole file each time.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import bpy

from ..core.meaning.sides import End, moving_end, moving_ends
from ..core.model.body import MotionType
from ..properties.body import body_data, motion_of, motion_type_of
from ..properties.body_reading import read_body
from ..properties.bones import RAGDOLL, BodyBone, Node
from ..properties.joint import (
    OMI_PG_joint,
    SettingsCycleError,
    joint_data,
    joint_of,
    settings_owner,
)


def body_bones_of(obj: bpy.types.Object) -> list[BodyBone]:
    """Return the bones of an armature that are bodies, solid or triggers, parents first."""
    bones = () if obj.pose is None else obj.pose.bones
    return [BodyBone(obj, bone.name) for bone in bones if _is_body_part(obj, bone)]


class Follower(NamedTuple):
    """A bone that follows a body beside the skeleton."""

    body: bpy.types.Object
    constraint: bpy.types.CopyTransformsConstraint


def followers_of(armature: bpy.types.Object) -> dict[str, Follower]:
    """Return the bones that follow bodies of a ragdoll beside the skeleton, by their names.

    A body is that of the first of its bones: others are copies, or something that goes along.
    """
    own: dict[bpy.types.Object, tuple[str, Follower]] = {}
    for bone, follower in followings_of(armature):
        own.setdefault(follower.body, (bone.name, follower))
    return dict(own.values())


def followings_of(
    armature: bpy.types.Object,
) -> Iterator[tuple[bpy.types.PoseBone, Follower]]:
    """Yield each bone that follows a body of a ragdoll beside the skeleton, parents first."""
    for bone in () if armature.pose is None else armature.pose.bones:
        for each in bone.constraints:
            if isinstance(each, bpy.types.CopyTransformsConstraint):
                body = each.target
                if body is not None and body.get(RAGDOLL) is not None:
                    yield bone, Follower(body, each)


def _is_body_part(armature: bpy.types.Object, bone: bpy.types.PoseBone) -> bool:
    if not bone.is_property_set("omi_body"):
        return False
    body = read_body(BodyBone(armature, bone.name))
    return body is not None and body.is_part


def parent_of(node: Node) -> Node | None:
    """Return the parent of a node in the tree of bodies.

    The parent of a child of a bone is the nearest bone at or above it that is a node itself, and
    the armature where there is none. The parent of a bone that is a body is the armature: it moves
    by itself.
    """
    if not isinstance(node, BodyBone):
        armature = node.parent
        if armature is None or node.parent_type != "BONE" or armature.pose is None:
            return armature
        return _bone_at(armature, armature.pose.bones.get(node.parent_bone)) or armature
    if motion_type_of(node) is not None:
        return node.armature
    return _bone_at(node.armature, node.pose_bone.parent) or node.armature


def _bone_at(armature: bpy.types.Object, bone: bpy.types.PoseBone | None) -> BodyBone | None:
    """Return the nearest node at or above a bone."""
    while bone is not None and not _is_body_part(armature, bone):
        bone = bone.parent
    return None if bone is None else BodyBone(armature, bone.name)


def parents_of(obj: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield the parents of an object in Blender, nearest first."""
    while (above := obj.parent) is not None:
        yield above
        obj = above


def nodes_above(node: Node) -> Iterator[Node]:
    """Yield the parents of a node in the tree of bodies, nearest first."""
    above = parent_of(node)
    while above is not None:
        yield above
        above = parent_of(above)


def body_object_of(obj: Node | None) -> Node | None:
    """Return the nearest node at or above `obj` that is a body."""
    return next(bodies_above(obj), None)


def bodies_above(obj: Node | None) -> Iterator[Node]:
    """Yield the bodies at and above `obj`, nearest first."""
    if obj is not None:
        yield from (node for node in (obj, *nodes_above(obj)) if motion_of(node) is not None)


class BodiesAbove:
    """Finds bodies at and above objects as they are now, and looks at each object once."""

    def __init__(self) -> None:
        self._found: dict[Node | None, Node | None] = {None: None}

    def of(self, obj: Node | None) -> Node | None:
        """Return the nearest node at or above `obj` that is a body."""
        passed = []
        while obj is not None and obj not in self._found:
            if motion_type_of(obj) is not None:
                self._found[obj] = obj
            else:
                passed.append(obj)
                obj = parent_of(obj)
        body = self._found[obj]
        self._found |= dict.fromkeys(passed, body)
        return body

    def of_joint(self, obj: bpy.types.Object) -> tuple[Node | None, Node | None]:
        """Return the bodies of the joint `obj`: the joint's own and the connected one."""
        return self.of(obj), self.of(joint_data(obj).connected_object)


def is_dynamic(obj: Node | None) -> bool:
    """Return whether the object is a dynamic body."""
    motion = motion_of(obj)
    return motion is not None and motion.type == MotionType.DYNAMIC


def joint_bodies(obj: bpy.types.Object) -> tuple[Node | None, Node | None]:
    """Return the bodies of the joint `obj`: the joint's own and the connected one."""
    return body_object_of(obj), body_object_of(joint_data(obj).connected_object)


class MovingEnds:
    """The end that moves of each joint among some objects, as these are now."""

    def __init__(self, objects: Iterable[bpy.types.Object]) -> None:
        """Look at all joints among `objects` once."""
        above, self._numbers, pairs = BodiesAbove(), dict[int, int](), list[tuple[int, int]]()
        dynamic, roots = set[int](), set[int]()
        for number, joint in enumerate(joint_objects(objects)):
            is_open = joint_data(joint).connected_object is None
            own, connected = above.of_joint(joint)
            pairs.append((_key_of(own), _key_of(own if is_open else connected)))
            self._numbers[joint.session_uid] = number
            bodies = [body for body in (own, connected) if body is not None]
            dynamic.update(_key_of(body) for body in bodies if is_dynamic(body))
            roots.update(_key_of(body) for body in bodies if body_data(body).articulation)
        self._ends = moving_ends(pairs, dynamic, roots)

    def of(self, obj: bpy.types.Object) -> End:
        """Return the end of a joint that moves."""
        number = self._numbers.get(obj.session_uid)
        found = None if number is None else self._ends[number]
        return found or moving_end(*map(motion_of, joint_bodies(obj)))


def _key_of(node: Node | None) -> int:
    return -1 if node is None else node.session_uid


def joint_objects(objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """Return the joints among `objects`."""
    return [obj for obj in objects if joint_data(obj).enabled]


def sharing_joints(
    objects: Iterable[bpy.types.Object],
) -> defaultdict[bpy.types.Object, list[bpy.types.Object]]:
    """Return for each object the joints among `objects` that name it as their settings' source."""
    sharing: defaultdict[bpy.types.Object, list[bpy.types.Object]] = defaultdict(list)
    for joint in joint_objects(objects):
        if (source := joint_data(joint).settings_source) is not None:
            sharing[source].append(joint)
    return sharing


def settings_of(obj: bpy.types.Object | None) -> OMI_PG_joint | None:
    """Return the joint data that holds the settings of the joint `obj`: its own or another's.

    None where the object is not a joint or the sharing is a loop.
    """
    if obj is None or joint_of(obj) is None:
        return None
    try:
        return joint_data(settings_owner(obj))
    except SettingsCycleError:
        return None
