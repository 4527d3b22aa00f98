"""Joints as Blender's own rigid body constraints, to watch collisions with."""

import math
from typing import TYPE_CHECKING

import bpy
import numpy as np
from mathutils import Matrix

from ..core.engines.blender_preview import ConstraintValues, MotorValues, constraint_values
from ..core.model.body import Motion, MotionType
from ..core.model.pose import Array, matrix_from_pose, pose_from_matrix
from ..core.model.scene import Joint, PhysicsScene
from ..properties.rigid_body import PREVIEW_CHANGED, PREVIEW_MADE, PREVIEW_TAG
from ..properties.rigid_body_constraint import break_rate
from ..scene.reading import objects_to_core, scene_gravity
from .context import present
from .rigid_body_world import (
    constraints_of,
    has_world,
    remove_rigid_bodies,
    remove_world,
    rigid_bodies_of,
)

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import RigidbodyConstraintTypeItems

_PARTS = {"collection", "constraints"}
_AXES = "xyz"
_COINCIDE = 1e-4


def is_built(scene: bpy.types.Scene) -> bool:
    """Return whether the scene has the preview."""
    return any(_is_tagged(obj) for obj in scene.objects) or _is_tagged(scene)


def _is_tagged(owner: bpy.types.ID) -> bool:
    return owner.get(PREVIEW_TAG) is not None


class RigidBodyPreview:
    """Makes the rigid body world, its bodies and its constraints."""

    def __init__(self, context: bpy.types.Context) -> None:
        self.lost: list[str] = []
        """What Blender cannot express."""
        self.count = 0
        scene = present(context.scene)
        present(context.view_layer).update()
        self._objects: list[bpy.types.Object] = list(scene.objects)
        self.scene: PhysicsScene = objects_to_core(self._objects, gravity=scene_gravity(scene))[0]
        self._owner = self.scene.bodies()
        self._poses = self.scene.relative_poses()
        _note_what_is_missing(scene)
        self._collection = scene.collection
        self._rigid_bodies = rigid_bodies_of(scene)
        self._break_rate = break_rate(scene) or math.inf
        self._constraints = constraints_of(scene)
        for part, collection in zip(
            ("collection", "constraints"), (self._rigid_bodies, self._constraints), strict=True
        ):
            if part in scene[PREVIEW_TAG]:
                collection[PREVIEW_TAG] = part
        self._bodies: dict[int, bpy.types.Object | None] = {}

    def add_joint(self, number: int) -> None:
        """Make the constraints of one joint."""
        joint = self.scene.joints[number]
        name = self.scene.names[joint.node]
        if joint.connected is None:
            self.lost.append(f"{name}: it has no connected object")
            return
        first, second = (self._body(int(self._owner[end])) for end in (joint.connected, joint.node))
        if first is None or second is None or first == second:
            self.lost.append(f"{name}: only mesh objects of this file can be rigid bodies")
            return
        pose = self._poses
        apart = np.linalg.norm(pose.position[number]) + np.linalg.norm(pose.rotation[number][:3])
        values = constraint_values(
            joint.settings, joint.attributes, frames_coincide=bool(apart < _COINCIDE)
        )
        self.lost += [f"{name}: {line}" for line in values.lost]
        frame = matrix_from_pose(pose_from_matrix(self.scene.matrices[joint.node]))
        ends = (first, second)
        kind: RigidbodyConstraintTypeItems = "GENERIC_SPRING" if values.springs else "GENERIC"
        kind = "FIXED" if values.is_weld else kind
        constraint = self._constraint(joint, kind, frame, ends)
        _set_generic(constraint, values)
        constraint.use_breaking = values.break_force < math.inf
        if constraint.use_breaking:
            constraint.breaking_threshold = values.break_force / self._break_rate
        for motor in values.motors:
            turned = frame @ _to_x(motor.axis)
            _set_motor(self._constraint(joint, "MOTOR", turned, ends), motor)

    def _constraint(
        self,
        joint: Joint,
        kind: "RigidbodyConstraintTypeItems",
        frame: Array,
        ends: tuple[bpy.types.Object, bpy.types.Object],
    ) -> bpy.types.RigidBodyConstraint:
        """Return a new constraint at a world matrix.

        Its name begins with a space: Blender frees objects in the order of their names where
        another file is opened, and reads constraints that were simulated after their bodies.
        """
        name = f" {self.scene.names[joint.node]} {kind.title()}"
        empty = bpy.data.objects.new(name, None)
        empty[PREVIEW_TAG] = PREVIEW_MADE
        empty.empty_display_size = 0.1
        empty.matrix_world = Matrix(frame.tolist())
        self._collection.objects.link(empty)
        self._constraints.objects.link(empty)
        constraint = present(empty.rigid_body_constraint)
        constraint.type = kind
        constraint.object1, constraint.object2 = ends
        constraint.disable_collisions = not joint.enable_collision
        self.count += 1
        return constraint

    def _body(self, node: int) -> bpy.types.Object | None:
        """Return the rigid body of a node, an anchor for the world; None where Blender has none."""
        if node not in self._bodies:
            self._bodies[node] = self._anchor() if node < 0 else self._rigid_body(node)
        return self._bodies[node]

    def _anchor(self) -> bpy.types.Object:
        mesh = bpy.data.meshes.new("Joint Anchor")
        mesh.from_pydata(
            [(-1, -1, 0), (1, -1, 0), (0, 1, 0), (0, 0, 1)],
            [],
            [(0, 1, 2), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
        )
        anchor = bpy.data.objects.new("Joint Anchor", mesh)
        anchor[PREVIEW_TAG] = PREVIEW_MADE
        anchor.scale = (0.01, 0.01, 0.01)
        anchor.hide_render = True
        self._collection.objects.link(anchor)
        self._rigid_bodies.objects.link(anchor)
        rigid = present(anchor.rigid_body)
        rigid.type = "PASSIVE"
        rigid.collision_collections = [False] * 20
        return anchor

    def _rigid_body(self, node: int) -> bpy.types.Object | None:
        obj = self._objects[node]
        if obj.type != "MESH" or (obj.rigid_body is None and not obj.is_editable):
            return None
        if obj.rigid_body is None:
            self._rigid_bodies.objects.link(obj)
            obj[PREVIEW_TAG] = PREVIEW_CHANGED
            _set_body(present(obj.rigid_body), self.scene.motions[node])
        return obj


def _set_body(rigid: bpy.types.RigidBodyObject, motion: Motion) -> None:
    rigid.type = "ACTIVE" if motion.type == MotionType.DYNAMIC else "PASSIVE"
    rigid.kinematic = motion.type == MotionType.KINEMATIC
    rigid.mass = motion.mass


def clean_preview(scene: bpy.types.Scene) -> None:
    """Remove the preview from the scene, but for collections that the user has added to."""
    made, collections = set(scene.get(PREVIEW_TAG, ())), _made_collections(scene)
    used = [each for each in collections if any(map(_is_of_user, each.objects))]
    tagged = _tagged(scene)
    changed = [obj for obj in tagged if obj[PREVIEW_TAG] != PREVIEW_MADE]
    made_here = [obj for obj in tagged if obj[PREVIEW_TAG] == PREVIEW_MADE]
    bodies = [obj for obj in made_here if obj.rigid_body_constraint is None]
    # Constraints go first: Blender 4.5 crashes where one of their bodies goes before.
    _remove([obj for obj in made_here if obj.rigid_body_constraint is not None])
    _remove(bodies)
    _restore(scene, changed)
    for collection in collections:
        if collection in used:
            del collection[PREVIEW_TAG]
        else:
            bpy.data.collections.remove(collection)
    if "world" in made and has_world(scene) and not _parts(scene):
        remove_world(scene)
    if _is_tagged(scene):
        del scene[PREVIEW_TAG]


def _is_of_user(obj: bpy.types.Object) -> bool:
    """Return whether an object of the world is there without the preview."""
    has_physics = obj.rigid_body is not None or obj.rigid_body_constraint is not None
    return has_physics and not _is_tagged(obj)


def _restore(scene: bpy.types.Scene, bodies: list[bpy.types.Object]) -> None:
    """Take the Rigid Body off bodies; Blender puts those that are in no collection into a scene."""
    here = set(scene.objects)
    away = [obj for obj in bodies if obj not in here]
    remove_rigid_bodies(scene, [obj for obj in bodies if obj.rigid_body is not None])
    for obj in away:
        if scene in obj.users_scene:
            scene.collection.objects.unlink(obj)
    for obj in bodies:
        del obj[PREVIEW_TAG]


def _tagged(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return what was made or changed of a scene, also what has left it for no other scene."""
    tagged = [obj for obj in bpy.data.objects if _is_tagged(obj) and obj.library is None]
    here = set(scene.objects)
    return [obj for obj in tagged if obj in here or not obj.users_scene]


def _parts(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """Return the collections of a scene's rigid body world."""
    world = scene.rigidbody_world
    found = [getattr(world, part) for part in sorted(_PARTS)] if world is not None else []
    return [collection for collection in found if collection is not None]


def _made_collections(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """Return the collections that were made, also those whose world the user has removed."""
    others = [part for other in bpy.data.scenes if other != scene for part in _parts(other)]
    found = [each for each in bpy.data.collections if each.get(PREVIEW_TAG) in _PARTS]
    return [collection for collection in found if collection not in others]


def _remove(objects: list[bpy.types.Object]) -> None:
    """Remove objects that the preview made, and their meshes."""
    meshes = [obj.data for obj in objects if isinstance(obj.data, bpy.types.Mesh)]
    bpy.data.batch_remove([*objects, *meshes])


def _note_what_is_missing(scene: bpy.types.Scene) -> None:
    """Note on the scene which parts of the rigid body world are to be made, and made for this."""
    world = scene.rigidbody_world
    missing = ["world"] if world is None else []
    missing += sorted(part for part in _PARTS if world is None or getattr(world, part) is None)
    scene[PREVIEW_TAG] = missing


def _set_generic(constraint: bpy.types.RigidBodyConstraint, values: ConstraintValues) -> None:
    for name, ranges in (("lin", values.linear), ("ang", values.angular)):
        for axis, limits in zip(_AXES, ranges, strict=True):
            setattr(constraint, f"use_limit_{name}_{axis}", limits is not None)
            if limits is not None:
                setattr(constraint, f"limit_{name}_{axis}_lower", limits[0])
                setattr(constraint, f"limit_{name}_{axis}_upper", limits[1])
    for spring in values.springs:
        suffix = f"{'ang_' if spring.is_angular else ''}{_AXES[spring.axis]}"
        setattr(constraint, f"use_spring_{suffix}", True)
        setattr(constraint, f"spring_stiffness_{suffix}", spring.stiffness)
        setattr(constraint, f"spring_damping_{suffix}", spring.damping)


def _set_motor(constraint: bpy.types.RigidBodyConstraint, motor: MotorValues) -> None:
    name = "ang" if motor.is_angular else "lin"
    setattr(constraint, f"use_motor_{name}", True)
    setattr(constraint, f"motor_{name}_target_velocity", motor.velocity)
    setattr(constraint, f"motor_{name}_max_impulse", motor.max_force)


def _to_x(axis: int) -> Array:
    """Return the rotation (4, 4) whose X axis is `axis`."""
    return np.eye(4)[:, [axis, (axis + 1) % 3, (axis + 2) % 3, 3]]
