"""A ragdoll from an armature: bodies, shapes, masses, joints with limits, filters.

All is made for the rest pose. Another run renews it and keeps what somebody has edited since.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.body import CollisionFilter
from ..core.model.pose import Array
from ..core.ragdoll.fitting import fitted_to_poses, mirrored_limits
from ..core.ragdoll.joints import PlannedJoint, planned_joints, spring_gravity
from ..core.ragdoll.masses import masses
from ..core.ragdoll.parts import Place
from ..core.ragdoll.plan import SMALLEST, Plan, plan
from ..core.ragdoll.shapes import (
    BOX_PARTS,
    BoneShape,
    fitted_shape,
    mirrored_shape,
    overlapping,
)
from ..properties.body import body_data, motion_of
from ..properties.bones import RAGDOLL, BodyBone, Node
from ..properties.joint import joint_data, joint_of, own_settings
from ..properties.overridable import make_groups
from ..scene.structure import followers_of, parent_of
from .beside import put_beside, remove_beside
from .bone_bodies import DENSITY, set_bone_shape
from .context import present
from .frames import CollectionMap, display_size, frame_collection, new_empty, place_under
from .joints import EMPTY_SIZE, show_range
from .ragdoll_parts import (
    bones_at_rest,
    clear,
    frames_of,
    is_body_unedited,
    is_joint_unedited,
    mark_body,
    mark_joint,
    ragdoll_bones,
)
from .skins import points_of_bodies

_EARTH = 9.81
"""Gravity of a scene by default [m/s²]."""
HUMAN_MASS = 70.0
"""Mass of a grown human [kg]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RagdollOptions:
    """How to make a ragdoll."""

    shape: str = "auto"
    """auto, capsule, box or hull."""
    smallest: float = SMALLEST
    """Length of a bone [sizes of the armature] below which it belongs to the body above it."""
    mass: float = HUMAN_MASS
    """Mass of all bodies [kg]; 0 takes the volumes of their shapes."""
    by_part: bool = True
    """Whether parts of a human have their shares of the mass."""
    use_filters: bool = True
    """Whether bodies that overlap at rest do not collide."""
    symmetric: str = ""
    """Side, L or R, whose shapes and limits by poses the other side gets; empty fits both."""
    beside: bool = False
    """Whether bodies are objects that the bones follow, instead of the bones themselves."""
    springs: bool = False
    """Whether spring bones of VRM become chains of bodies."""
    poses: Mapping[str, Array] = field(default_factory=dict)
    """World matrices (f, 4, 4) of bones by name in poses that the limits are to contain."""


@dataclass(frozen=True, slots=True)
class Ragdoll:
    """What was made."""

    bodies: tuple[Node, ...]
    joints: tuple[bpy.types.Object, ...]
    is_human: bool
    kept: int
    """Number of bodies and joints that were edited and stay as they are."""


def make_ragdoll(
    context: bpy.types.Context,
    armature: bpy.types.Object,
    chosen: Sequence[str],
    options: RagdollOptions | None = None,
) -> Ragdoll:
    """Make some bones of an armature a ragdoll, or renew the one that it has."""
    return _Maker(context, armature, options or RagdollOptions()).make(chosen)


def selected_bones(armature: bpy.types.Object) -> list[str]:
    """Return the names of the bones that are selected in Pose Mode."""
    bones = armature.data.bones  # type: ignore[union-attr]
    return [bone.name for bone in bones if BodyBone(armature, bone.name).is_selected]


def has_other_kind(armature: bpy.types.Object, *, beside: bool) -> bool:
    """Return whether an armature has a ragdoll on its bones, where one beside it is wanted.

    Where one on its bones is wanted, whether it has one beside the skeleton.
    """
    return bool(ragdoll_bones(armature) if beside else followers_of(armature))


def remove_ragdoll(context: bpy.types.Context, armature: bpy.types.Object) -> int:
    """Remove the bodies and joints of a ragdoll, edited or not; return how many bodies."""
    present(context.blend_data).batch_remove(frames_of(armature, present(context.scene)))
    bones, following = ragdoll_bones(armature), list(followers_of(armature))
    for bone in bones:
        clear(bone)
    remove_beside(context, armature, following)
    return len(bones) + len(following)


class _Maker:
    def __init__(
        self, context: bpy.types.Context, armature: bpy.types.Object, options: RagdollOptions
    ) -> None:
        self._context, self._armature, self._options = context, armature, options
        self._scene = present(context.scene)
        self._bones = bones_at_rest(armature, springs=options.springs)
        self._collections, self._own = CollectionMap(context), frame_collection(context)
        self._kept = 0

    def make(self, chosen: Sequence[str]) -> Ragdoll:
        names = set(chosen)
        numbers = [n for n, bone in enumerate(self._bones) if bone.name in names]
        made = plan(self._bones, numbers, smallest=self._options.smallest)
        if not made.bodies:
            return Ragdoll((), (), made.is_human, 0)
        bones = [BodyBone(self._armature, self._bones[b.bone].name) for b in made.bodies]
        self._remove_others({bone.name for bone in bones})
        worlds = [self._bones[body.bone].matrix for body in made.bodies]
        shapes = self._shapes(made, worlds)
        weights = self._masses(made, shapes, worlds)
        planned = self._planned(made, bones, np.array(worlds).reshape(-1, 4, 4))
        filters = self._filters(shapes, np.array(worlds).reshape(-1, 4, 4), planned)
        bodies = self._nodes(bones)
        for number, body in enumerate(bodies):
            self._write(body, shapes[number], float(weights[number]), filters[number])
            spring = self._bones[made.bodies[number].bone].spring
            if spring is not None:
                body_data(body).gravity_factor = spring_gravity(spring) / _EARTH
                mark_body(body)
        joints = self._joints(bones, bodies, worlds, planned)
        return Ragdoll(tuple(bodies), tuple(joints), made.is_human, self._kept)

    def _planned(self, made: Plan, bones: Sequence[BodyBone], rest: Array) -> list[PlannedJoint]:
        planned, poses = planned_joints(self._bones, made.bodies), self._options.poses
        if not (planned and poses):
            return planned
        shown = np.stack([poses[bone.name] for bone in bones], axis=1)
        fitted = [fitted_to_poses(joint, rest, shown) for joint in planned]
        others = _other_sides([body.place for body in made.bodies], self._options.symmetric)
        own, known = ({joint.body: joint for joint in each} for each in (planned, fitted))
        return [
            mirrored_limits(own[joint.body], known[other])
            if (other := others.get(joint.body)) in known and known[other] is not own[other]
            else joint
            for joint in fitted
        ]

    def _nodes(self, bones: Sequence[BodyBone]) -> list[Node]:
        """Return what is to be the body of each bone."""
        if not self._options.beside:
            return [*bones]
        known = {name: each.body for name, each in followers_of(self._armature).items()}
        return [self._beside(bone, known.get(bone.name)) for bone in bones]

    def _beside(self, bone: BodyBone, body: bpy.types.Object | None) -> bpy.types.Object:
        if body is None or is_body_unedited(body):
            body = body or self._empty(f"{bone.name} Body", bone)
            put_beside(bone, body)
        return body

    def _shapes(self, made: Plan, worlds: Sequence[Array]) -> list[BoneShape]:
        """Return the shape of each body, in the axes of its bone."""
        owner = {bone.name: n for bone, n in zip(self._bones, made.owner, strict=True)}
        points = points_of_bodies(self._armature, self._scene, owner, len(worlds))
        shapes: list[BoneShape] = []
        for body, world, cloud in zip(made.bodies, worlds, points, strict=True):
            inverse = np.linalg.inv(world)
            local = cloud @ inverse[:3, :3].T + inverse[:3, 3]
            length = self._armature.data.bones[self._bones[body.bone].name].length  # type: ignore[union-attr]
            kind = self._options.shape
            if kind == "auto":
                kind = "box" if body.place and body.place.part in BOX_PARTS else "capsule"
            shapes.append(fitted_shape(kind, local, length))
        others = _other_sides([body.place for body in made.bodies], self._options.symmetric)
        for number, other in others.items():
            shapes[number] = mirrored_shape(shapes[other])
        return shapes

    def _masses(self, made: Plan, shapes: Sequence[BoneShape], worlds: Sequence[Array]) -> Array:
        volumes = [
            shape.volume * abs(float(np.linalg.det(world[:3, :3])))
            for shape, world in zip(shapes, worlds, strict=True)
        ]
        total = self._options.mass or DENSITY * max(sum(volumes), 1e-6)
        by_part = self._options.by_part and made.is_human
        return masses(made.bodies, volumes, total, by_part=by_part)

    def _filters(
        self, shapes: Sequence[BoneShape], worlds: Array, joints: Sequence[PlannedJoint]
    ) -> list[CollisionFilter | None]:
        """Return what each body does not meet: those that overlap it without a joint between."""
        systems: list[list[str]] = [[] for _ in shapes]
        if self._options.use_filters and shapes:
            apart = overlapping(shapes, worlds)
            for joint in joints:
                apart[joint.body, joint.parent] = apart[joint.parent, joint.body] = False
            for one, other in np.argwhere(np.triu(apart)).tolist():
                name = f"{self._armature.name} {one + 1}-{other + 1}"
                systems[one].append(name)
                systems[other].append(name)
        return [
            CollisionFilter(collision_systems=tuple(names), not_collide_with_systems=tuple(names))
            if names
            else None
            for names in systems
        ]

    def _write(
        self, body: Node, shape: BoneShape, mass: float, collision_filter: CollisionFilter | None
    ) -> None:
        """Make a bone or an object a body, unless it is one that was made or edited by hand."""
        if motion_of(body) is not None and not is_body_unedited(body):
            self._kept += 1
            return
        data = body_data(body)
        make_groups(data)
        if motion_of(body) is None:
            data.motion_type = "DYNAMIC"
        data.mass = mass
        set_bone_shape(body, shape)
        data.collider.collision_filter.from_core(collision_filter)
        mark_body(body)

    def _joints(
        self,
        bones: Sequence[BodyBone],
        bodies: Sequence[Node],
        worlds: Sequence[Array],
        planned: Sequence[PlannedJoint],
    ) -> list[bpy.types.Object]:
        frames = frames_of(self._armature, self._scene)
        known = {parent_of(obj): obj for obj in frames if joint_of(obj) is not None}
        joints = []
        for each in planned:
            bone, body = bones[each.body], bodies[each.body]
            joint = known.get(body)
            if joint is not None and not is_joint_unedited(joint):
                self._kept += 1
                joints.append(joint)
                continue
            joint = joint or self._empty(f"{bone.name} Joint", bone)
            data = joint_data(joint)
            end = data.connected_object or self._empty(f"{bone.name} Connected", bone)
            _place(joint, body, each.frame, worlds[each.body])
            _place(end, bodies[each.parent], each.connected, worlds[each.parent])
            data.enabled = True
            make_groups(data)
            data.connect(end)
            data.display_size = display_size(bone)
            drives = own_settings(joint).drives or each.settings.drives
            data.settings_from_core(replace(each.settings, drives=drives))
            show_range(data)
            end[RAGDOLL] = 0
            mark_joint(joint)
            joints.append(joint)
        return joints

    def _empty(self, name: str, bone: BodyBone) -> bpy.types.Object:
        size = EMPTY_SIZE * display_size(bone)
        empty = new_empty(self._context, name, display="PLAIN_AXES", size=size)
        if self._own is None:
            self._collections.link(empty, bone)
        else:
            self._own.objects.link(empty)
        return empty

    def _remove_others(self, wanted: set[str]) -> None:
        """Remove what an earlier run made of bones that are no bodies now, unless it was edited."""
        gone = [
            bone
            for bone in ragdoll_bones(self._armature)
            if bone.name not in wanted and is_body_unedited(bone)
        ]
        frames = frames_of(self._armature, self._scene)
        joints = [obj for obj in frames if joint_of(obj) and parent_of(obj) in gone]
        ends = [end for joint in joints if (end := joint_data(joint).connected_object) is not None]
        present(self._context.blend_data).batch_remove([*joints, *ends])
        for bone in gone:
            clear(bone)
        following = followers_of(self._armature).items()
        left = [n for n, each in following if n not in wanted and is_body_unedited(each.body)]
        remove_beside(self._context, self._armature, left)


def _other_sides(places: Sequence[Place | None], side: str) -> dict[int, int]:
    """Return the bodies that are to be as those of a side are, L or R, with these."""
    by_place = {place: number for number, place in enumerate(places) if place}
    return {
        number: by_place[other]
        for number, place in enumerate(places)
        if side
        and place
        and place.side not in ("", side)
        and (other := Place(place.part, side)) in by_place
    }


def _place(frame: bpy.types.Object, body: Node, world: Array, at_rest: Array) -> None:
    """Put a frame below a body, where `world` is in the rest pose."""
    place_under(frame, body, Matrix(world.tolist()), above=Matrix(at_rest.tolist()))
