"""A ragdoll on the bones of an armature: bodies, shapes, masses, joints with limits, filters.

All is made for the rest pose. What was written is remembered by its digest, so that another run
renews it and keeps what somebody has edited since.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.body import CollisionFilter
from ..core.model.pose import Array
from ..core.ragdoll.joints import PlannedJoint, planned_joints
from ..core.ragdoll.masses import masses
from ..core.ragdoll.parts import Place
from ..core.ragdoll.plan import SMALLEST, Bone, Plan, plan
from ..core.ragdoll.shapes import BOX_PARTS, fitted_shape, mirrored_fit, overlapping
from ..core.shapes.fit import Fit
from ..core.shapes.inertia import primitive_solid
from ..properties.body import body_data, motion_of
from ..properties.bones import RAGDOLL, BodyBone
from ..properties.joint import joint_data, joint_of, own_settings
from ..properties.overridable import make_groups
from ..properties.stored import read_group
from ..scene.structure import body_bones_of
from .context import present
from .frames import CollectionMap, display_size, frame_collection, new_empty, place_under
from .joints import EMPTY_SIZE, show_range
from .skins import points_of_bodies

HUMAN_MASS = 70.0
"""Mass of a grown human [kg]."""
_HEAVY = 1000.0
"""Density of bodies without a mass of their own [kg/m³]: that of water."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RagdollOptions:
    """How to make a ragdoll."""

    shape: str = "auto"
    """auto, capsule or box."""
    smallest: float = SMALLEST
    """Length of a bone [sizes of the armature] below which it belongs to the body above it."""
    mass: float = HUMAN_MASS
    """Mass of all bodies [kg]; 0 takes the volumes of their shapes."""
    by_part: bool = True
    """Whether parts of a human have their shares of the mass."""
    use_filters: bool = True
    """Whether bodies that overlap at rest do not collide."""
    symmetric: str = ""
    """Side, L or R, whose shapes the other side gets; empty fits both."""


@dataclass(frozen=True, slots=True)
class Ragdoll:
    """What was made."""

    bodies: tuple[BodyBone, ...]
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


def remove_ragdoll(context: bpy.types.Context, armature: bpy.types.Object) -> int:
    """Remove the bodies and joints of a ragdoll, edited or not; return how many bodies."""
    frames = [obj for obj in present(context.scene).objects if _is_frame_of(obj, armature)]
    present(context.blend_data).batch_remove(frames)
    bones = [bone for bone in body_bones_of(armature) if bone.pose_bone.get(RAGDOLL) is not None]
    for bone in bones:
        _clear(bone)
    return len(bones)


class _Maker:
    def __init__(
        self, context: bpy.types.Context, armature: bpy.types.Object, options: RagdollOptions
    ) -> None:
        self._context, self._armature, self._options = context, armature, options
        self._scene = present(context.scene)
        self._bones = _bones_at_rest(armature)
        self._kept = 0

    def make(self, chosen: Sequence[str]) -> Ragdoll:
        names = set(chosen)
        numbers = [n for n, bone in enumerate(self._bones) if bone.name in names]
        made = plan(self._bones, numbers, smallest=self._options.smallest)
        bodies = [BodyBone(self._armature, self._bones[b.bone].name) for b in made.bodies]
        self._remove_others(bodies)
        worlds = [self._bones[body.bone].matrix for body in made.bodies]
        fits = self._fits(made, worlds)
        weights = self._masses(made, fits, worlds)
        planned = planned_joints(self._bones, made.bodies)
        filters = self._filters(fits, np.array(worlds).reshape(-1, 4, 4), planned)
        for number, bone in enumerate(bodies):
            self._write(bone, fits[number], float(weights[number]), filters[number])
        joints = self._joints(bodies, worlds, planned)
        return Ragdoll(tuple(bodies), tuple(joints), made.is_human, self._kept)

    def _fits(self, made: Plan, worlds: Sequence[Array]) -> list[Fit]:
        """Return the shape of each body, in the axes of its bone."""
        owner = {bone.name: n for bone, n in zip(self._bones, made.owner, strict=True)}
        points = points_of_bodies(self._armature, self._scene, owner, len(worlds))
        fits: list[Fit] = []
        for body, world, cloud in zip(made.bodies, worlds, points, strict=True):
            inverse = np.linalg.inv(world)
            local = cloud @ inverse[:3, :3].T + inverse[:3, 3]
            length = self._armature.data.bones[self._bones[body.bone].name].length  # type: ignore[union-attr]
            kind = self._options.shape
            if kind == "auto":
                kind = "box" if body.place and body.place.part in BOX_PARTS else "capsule"
            fits.append(fitted_shape(kind, local, length))
        return _alike(fits, [body.place for body in made.bodies], self._options.symmetric)

    def _masses(self, made: Plan, fits: Sequence[Fit], worlds: Sequence[Array]) -> Array:
        volumes = []
        for fit, world in zip(fits, worlds, strict=True):
            solid = primitive_solid(fit.shape)
            size = abs(float(np.linalg.det(world[:3, :3])))
            volumes.append(0.0 if solid is None else solid.volume * size)
        total = self._options.mass or _HEAVY * max(sum(volumes), 1e-6)
        by_part = self._options.by_part and made.is_human
        return masses(made.bodies, volumes, total, by_part=by_part)

    def _filters(
        self, fits: Sequence[Fit], worlds: Array, joints: Sequence[PlannedJoint]
    ) -> list[CollisionFilter | None]:
        """Return what each body does not meet: those that overlap it without a joint between."""
        systems: list[list[str]] = [[] for _ in fits]
        if self._options.use_filters and fits:
            apart = overlapping(fits, worlds)
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
        self, bone: BodyBone, fit: Fit, mass: float, collision_filter: CollisionFilter | None
    ) -> None:
        """Make a bone a body, unless it is one that was made or edited by hand."""
        if motion_of(bone) is not None and not _is_untouched(bone):
            self._kept += 1
            return
        data = body_data(bone)
        make_groups(data)
        data.motion_type, data.mass = "DYNAMIC", mass
        data.collider.source = "CUSTOM"
        data.collider.shape.from_fit(fit)
        data.collider.collision_filter.from_core(collision_filter)
        bone.pose_bone[RAGDOLL] = _digest_of_body(bone)

    def _joints(
        self, bodies: Sequence[BodyBone], worlds: Sequence[Array], planned: Sequence[PlannedJoint]
    ) -> list[bpy.types.Object]:
        known = {
            obj.parent_bone: obj
            for obj in self._scene.objects
            if joint_of(obj) is not None and _is_frame_of(obj, self._armature)
        }
        collections, own = CollectionMap(self._context), frame_collection(self._context)
        joints = []
        for each in planned:
            bone, parent = bodies[each.body], bodies[each.parent]
            joint = known.get(bone.name)
            if joint is not None and not _is_joint_untouched(joint):
                self._kept += 1
                joints.append(joint)
                continue
            joint = joint or self._frame(f"{bone.name} Joint", bone, collections, own)
            data = joint_data(joint)
            end = data.connected_object or self._frame(
                f"{bone.name} Connected", bone, collections, own
            )
            _place(joint, bone, each.frame, worlds[each.body])
            _place(end, parent, each.connected, worlds[each.parent])
            data.enabled = True
            make_groups(data)
            data.connect(end)
            data.display_size = display_size(bone)
            data.settings_from_core(each.settings)
            show_range(data)
            end[RAGDOLL] = 0
            joint[RAGDOLL] = _digest_of_joint(joint)
            joints.append(joint)
        return joints

    def _frame(
        self,
        name: str,
        bone: BodyBone,
        collections: CollectionMap,
        own: bpy.types.Collection | None,
    ) -> bpy.types.Object:
        size = EMPTY_SIZE * display_size(bone)
        frame = new_empty(self._context, name, display="PLAIN_AXES", size=size)
        if own is None:
            collections.link(frame, bone)
        else:
            own.objects.link(frame)
        return frame

    def _remove_others(self, bodies: Sequence[BodyBone]) -> None:
        """Remove what an earlier run made of bones that are no bodies now, unless it was edited."""
        wanted = {bone.name for bone in bodies}
        gone = [
            bone
            for bone in body_bones_of(self._armature)
            if bone.name not in wanted and _is_untouched(bone)
        ]
        names = {bone.name for bone in gone}
        joints = [
            obj
            for obj in self._scene.objects
            if _is_frame_of(obj, self._armature) and joint_of(obj) and obj.parent_bone in names
        ]
        ends = [end for joint in joints if (end := joint_data(joint).connected_object) is not None]
        present(self._context.blend_data).batch_remove([*joints, *ends])
        for bone in gone:
            _clear(bone)


def _bones_at_rest(armature: bpy.types.Object) -> list[Bone]:
    """Return the bones of an armature in the world, parents first."""
    bones = armature.data.bones  # type: ignore[union-attr]
    numbers = {bone.name: number for number, bone in enumerate(bones)}
    world = np.array(armature.matrix_world)
    found = []
    for bone in bones:
        matrix = world @ np.array(bone.matrix_local)
        length = bone.length * float(np.linalg.norm(matrix[:3, 1]))
        parent = numbers[bone.parent.name] if bone.parent else -1
        found.append(Bone(bone.name, parent, matrix, length))
    return found


def _alike(fits: list[Fit], places: Sequence[Place | None], side: str) -> list[Fit]:
    """Return shapes of which those of one side are those of the other."""
    by_place = {place: number for number, place in enumerate(places) if place}
    return [
        mirrored_fit(fits[by_place[other]])
        if side
        and place
        and place.side not in ("", side)
        and (other := Place(place.part, side)) in by_place
        else fit
        for fit, place in zip(fits, places, strict=True)
    ]


def _place(frame: bpy.types.Object, bone: BodyBone, world: Array, at_rest: Array) -> None:
    """Put a frame below a bone, where `world` is in the rest pose."""
    place_under(frame, bone, Matrix(world.tolist()), above=Matrix(at_rest.tolist()))


def _is_frame_of(obj: bpy.types.Object, armature: bpy.types.Object) -> bool:
    is_below = obj.parent == armature and obj.parent_type == "BONE"
    return is_below and obj.get(RAGDOLL) is not None


def _is_untouched(bone: BodyBone) -> bool:
    """Return whether a body is as a ragdoll made it."""
    return bool(bone.pose_bone.get(RAGDOLL) == _digest_of_body(bone))


def _is_joint_untouched(joint: bpy.types.Object) -> bool:
    return bool(joint.get(RAGDOLL) == _digest_of_joint(joint))


def _digest_of_body(bone: BodyBone) -> int:
    group = read_group(bone, "omi_body")
    return 0 if group is None else zlib.crc32(group.key) >> 1


def _digest_of_joint(joint: bpy.types.Object) -> int:
    end = joint_data(joint).connected_object
    places = [np.array(obj.matrix_basis).round(5).tolist() for obj in (joint, end) if obj]
    return zlib.crc32(f"{own_settings(joint)}{places}".encode()) >> 1


def _clear(bone: BodyBone) -> None:
    bone.pose_bone.property_unset("omi_body")
    del bone.pose_bone[RAGDOLL]
