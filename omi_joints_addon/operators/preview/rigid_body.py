"""Joints as Blender's own rigid body constraints, to watch collisions with."""

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from mathutils import Matrix

from ...authoring.conditions import Explained, not_object_mode
from ...authoring.context import present
from ...core.engines.blender_preview import ConstraintValues, MotorValues, constraint_values
from ...core.model.body import Motion, MotionType
from ...core.model.pose import Array, matrix_from_pose, pose_from_matrix
from ...core.model.scene import Joint, PhysicsScene
from ...preview.session import scene_now, stop
from ...properties.joint import joint_data

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

TAG = "omi_rigid_body_preview"
"""Custom property of all that the preview makes or changes."""
_MADE, _CHANGED = "made", "changed"
_AXES = "xyz"
_COINCIDE = 1e-4


def no_joints(context: bpy.types.Context) -> str | None:
    """Return why there is nothing to build."""
    has_joint = any(joint_data(obj).enabled for obj in present(context.scene).objects)
    return None if has_joint else "The scene has no physics joint"


def nothing_built(context: bpy.types.Context) -> str | None:
    """Return why there is nothing to remove."""
    scene: Any = context.scene
    is_built = any(TAG in obj for obj in scene.objects) or TAG in scene
    return None if is_built else "No rigid body preview has been built"


def already_built(context: bpy.types.Context) -> str | None:
    """Return why nothing can be built."""
    return None if nothing_built(context) else "A rigid body preview exists; clean it first"


class OMI_OT_rigid_body_preview_build(Explained, bpy.types.Operator):
    """Make Blender rigid bodies and constraints from the joints, as far as it can express them"""

    bl_idname = "omi.rigid_body_preview_build"
    bl_label = "Build Rigid Body Preview"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (not_object_mode, no_joints, already_built)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        stop()
        builder = _Builder(context)
        for number in range(len(builder.scene.joints)):
            builder.add_joint(number)
        for line in builder.lost:
            self.report({"WARNING"}, line)
        self.report({"INFO"}, f"{builder.count} constraints")
        return {"FINISHED"}


class OMI_OT_rigid_body_preview_clean(Explained, bpy.types.Operator):
    """Remove all that the rigid body preview has made"""

    bl_idname = "omi.rigid_body_preview_clean"
    bl_label = "Clean Rigid Body Preview"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (not_object_mode, nothing_built)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        clean(context)
        return {"FINISHED"}


class _Builder:
    """Makes the rigid body world, its bodies and its constraints."""

    def __init__(self, context: bpy.types.Context) -> None:
        self.lost: list[str] = []
        """What Blender cannot express."""
        self.count = 0
        self._context = context
        self._objects: list[bpy.types.Object] = list(present(context.scene).objects)
        present(context.view_layer).update()
        self.scene: PhysicsScene = scene_now(context, self._objects)[0]
        self._owner = self.scene.bodies()
        self._poses = self.scene.relative_poses()
        self._world = _world(context)
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
            self.lost.append(f"{name}: only mesh objects can be rigid bodies in Blender")
            return
        pose = self._poses
        apart = np.linalg.norm(pose.position[number]) + np.linalg.norm(pose.rotation[number][:3])
        values = constraint_values(joint.settings, frames_coincide=bool(apart < _COINCIDE))
        self.lost += [f"{name}: {line}" for line in values.lost]
        frame = _rigid(self.scene.matrices[joint.node])
        ends = (first, second)
        kind = "GENERIC_SPRING" if values.springs else "GENERIC"
        _set_generic(self._constraint(joint, kind, frame, ends), values)
        for motor in values.motors:
            turned = frame @ _to_x(motor.axis)
            _set_motor(self._constraint(joint, "MOTOR", turned, ends), motor)

    def _constraint(
        self, joint: Joint, kind: str, frame: Array, ends: tuple[bpy.types.Object, bpy.types.Object]
    ) -> Any:
        """Return a new constraint at a world matrix."""
        empty: Any = bpy.data.objects.new(f"{self.scene.names[joint.node]} {kind.title()}", None)
        empty[TAG] = _MADE
        empty.empty_display_size = 0.1
        empty.matrix_world = Matrix(frame.tolist())
        present(self._context.scene).collection.objects.link(empty)
        self._world.constraints.objects.link(empty)
        constraint = empty.rigid_body_constraint
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
        anchor: Any = bpy.data.objects.new("Joint Anchor", mesh)
        anchor[TAG] = _MADE
        anchor.scale = (0.01, 0.01, 0.01)
        anchor.hide_render = True
        present(self._context.scene).collection.objects.link(anchor)
        self._world.collection.objects.link(anchor)
        anchor.rigid_body.type = "PASSIVE"
        anchor.rigid_body.collision_collections = [False] * 20
        return anchor  # type: ignore[no-any-return]

    def _rigid_body(self, node: int) -> bpy.types.Object | None:
        obj: Any = self._objects[node]
        if obj.type != "MESH":
            return None
        if obj.rigid_body is None:
            self._world.collection.objects.link(obj)
            obj[TAG] = _CHANGED
            _set_body(obj.rigid_body, self.scene.motions[node])
        return obj  # type: ignore[no-any-return]


def _set_body(rigid: Any, motion: Motion) -> None:
    rigid.type = "ACTIVE" if motion.type == MotionType.DYNAMIC else "PASSIVE"
    rigid.kinematic = motion.type == MotionType.KINEMATIC
    rigid.mass = motion.mass


def clean(context: bpy.types.Context) -> None:
    """Remove the preview from the scene."""
    scene: Any = context.scene
    world = scene.rigidbody_world
    for obj in list(scene.objects):
        tag = obj.get(TAG)
        if tag == _MADE:
            _remove(obj)
        elif tag == _CHANGED:
            del obj[TAG]
            if obj.rigid_body is not None:
                # Blender takes a rigid body off an object by operator only.
                with context.temp_override(scene=scene, object=obj, active_object=obj):
                    bpy.ops.rigidbody.object_remove()  # noqa: TID251 - no other way
    made = list(scene.get(TAG, ()))
    for part in {"collection", "constraints"}.intersection(made):
        collection = getattr(world, part)
        setattr(world, part, None)
        bpy.data.collections.remove(collection)
    if "world" in made and scene.rigidbody_world is not None:
        # Blender makes and removes a rigid body world by operator only.
        with context.temp_override(scene=scene):
            bpy.ops.rigidbody.world_remove()  # noqa: TID251 - no other way
    if TAG in scene:
        del scene[TAG]


def _remove(obj: Any) -> None:
    """Remove an object that the preview made, and its mesh."""
    mesh = obj.data
    bpy.data.objects.remove(obj)
    if mesh is not None:
        bpy.data.meshes.remove(mesh)


def _world(context: bpy.types.Context) -> Any:
    """Return the scene's rigid body world with both collections; note what was made."""
    scene: Any = context.scene
    made = []
    if scene.rigidbody_world is None:
        with context.temp_override(scene=scene):
            bpy.ops.rigidbody.world_add()  # noqa: TID251 - no other way
        made.append("world")
    world = scene.rigidbody_world
    for part in ("collection", "constraints"):
        if getattr(world, part) is None:
            setattr(world, part, bpy.data.collections.new(f"Joint Preview {part.title()}"))
            made.append(part)
    scene[TAG] = made
    return world


def _set_generic(constraint: Any, values: ConstraintValues) -> None:
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


def _set_motor(constraint: Any, motor: MotorValues) -> None:
    name = "ang" if motor.is_angular else "lin"
    setattr(constraint, f"use_motor_{name}", True)
    setattr(constraint, f"motor_{name}_target_velocity", motor.velocity)
    setattr(constraint, f"motor_{name}_max_impulse", motor.max_force)


def _rigid(matrix: Array) -> Array:
    """Return a world matrix without scale."""
    return matrix_from_pose(pose_from_matrix(matrix))


def _to_x(axis: int) -> Array:
    """Return the rotation (4, 4) whose X axis is `axis`."""
    return np.eye(4)[:, [axis, (axis + 1) % 3, (axis + 2) % 3, 3]]


CLASSES = (OMI_OT_rigid_body_preview_build, OMI_OT_rigid_body_preview_clean)
