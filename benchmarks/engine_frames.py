"""Times of the frames of a scene in MuJoCo and Jolt, which run it with the steps that we take."""

import json
import subprocess
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from figures import Samples

from omi_joints_addon.core.engines.jolt.constraints import constraints_of
from omi_joints_addon.core.model.body import Collider
from omi_joints_addon.core.model.pose import Array
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Sphere
from omi_joints_addon.core.shapes.surface import shape_surface
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.mjcf import MJCF
from tests.oracles import jolt

_BULLET_SHAPES = {Box: "BOX", Sphere: "SPHERE", Capsule: "CAPSULE"}
SCRIPT = Path(__file__).with_name("jolt_frames.mjs")
STEPS = 4
"""Steps of a frame at 60 Hz."""


def in_mujoco(scene: PhysicsScene, frames: int) -> Samples | None:
    """Return the times [ms] of frames in MuJoCo, given the scene as our MJCF; None without it."""
    try:
        import mujoco
    except ImportError:
        return None
    target = Target(path=Path("scene.xml"))
    text = MJCF.write(scene, target).files[target.path.name].decode()
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.timestep = 1.0 / (60.0 * STEPS)
    data, times = mujoco.MjData(model), []
    for _ in range(frames):
        start = time.process_time()
        mujoco.mj_step(model, data, nstep=STEPS)
        times.append(1000.0 * (time.process_time() - start))
    return Samples(times)


def in_bullet(scene: PhysicsScene, frames: int) -> Samples:
    """Return the times [ms] of frames in Blender's Bullet: shapes as they are, joints as points."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.rigidbody.world_add()
    blender: Any = bpy.context.scene
    blender.frame_end, blender.render.fps = frames + 1, 60
    blender.rigidbody_world.point_cache.frame_end = frames + 1
    blender.rigidbody_world.substeps_per_frame = STEPS
    objects = {}
    for node, collider in scene.colliders.items():
        motion = scene.motions.get(node)
        objects[node] = _bullet_body(scene.matrices[node], collider, motion and motion.mass)
    for joint in scene.joints:
        if joint.connected is not None:
            ends = [objects[int(scene.bodies()[end])] for end in (joint.node, joint.connected)]
            _bullet_joint(scene.matrices[joint.node], *ends)
    times = []
    for frame in range(1, frames + 1):
        start = time.process_time()
        blender.frame_set(frame)
        times.append(1000.0 * (time.process_time() - start))
    return Samples(times)


def _bullet_body(matrix: Array, collider: Collider, mass: float | None) -> Any:
    """Return an object that Bullet moves, or holds where no mass is given."""
    import bpy

    surface = shape_surface(collider.shape)
    mesh = bpy.data.meshes.new("Shape")
    mesh.from_pydata(surface.points.tolist(), [], surface.triangles.tolist())
    obj: Any = _placed(bpy.data.objects.new("Body", mesh), matrix)
    bpy.ops.rigidbody.object_add(type="PASSIVE" if mass is None else "ACTIVE")
    obj.rigid_body.collision_shape = _BULLET_SHAPES.get(type(collider.shape), "CONVEX_HULL")
    obj.rigid_body.use_margin, obj.rigid_body.collision_margin = True, 0.0
    if mass is not None:
        obj.rigid_body.mass = mass
    return obj


def _bullet_joint(matrix: Array, one: object, other: object) -> None:
    import bpy

    obj: Any = _placed(bpy.data.objects.new("Joint", None), matrix)
    bpy.ops.rigidbody.constraint_add(type="POINT")
    held = obj.rigid_body_constraint
    held.object1, held.object2 = one, other


def _placed(obj: Any, matrix: Array) -> Any:
    """Return an object that stands there, linked and active."""
    import bpy

    obj.matrix_world = matrix.T.tolist()
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    return obj


def in_jolt(scene: PhysicsScene, frames: int) -> Samples | None:
    """Return the times [ms] of frames in Jolt as WebAssembly; None without Node or Jolt."""
    command = jolt.command()
    if command is None:
        return None
    found = {"gravity": scene.gravity, "frames": frames, "steps": STEPS} | _content(scene)
    run = subprocess.run(
        [command[0], str(SCRIPT), command[-1]],
        input=json.dumps([jolt.finite(found)]),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=300,
    )
    return Samples(json.loads(run.stdout)[0])


def _content(scene: PhysicsScene) -> dict[str, Any]:
    """Return the bodies of a scene, the world first, none of which is turned, and its joints."""
    numbers = {-1: 0} | {node: number for number, node in enumerate(scene.motions, 1)}
    owners = scene.bodies()
    bodies = [{"position": [0.0, 0.0, 0.0], "motion": None}]
    for node, motion in scene.motions.items():
        mass = {"mass": motion.mass, "inertia": list(motion.inertia_diagonal)}
        bodies.append({"position": scene.matrices[node, :3, 3].tolist(), "motion": mass})
    return {
        "bodies": bodies,
        "joints": [_joint(scene, joint, owners, numbers, bodies) for joint in scene.joints],
    }


def _joint(
    scene: PhysicsScene, joint: Joint, owners: Array, numbers: dict[int, int], bodies: list[Any]
) -> dict[str, Any]:
    held = [numbers[int(owners[node])] for node in (joint.node, joint.other)]
    frames = [
        {
            "position": (scene.matrices[node, :3, 3] - bodies[body]["position"]).tolist(),
            "rotation": (0.0, 0.0, 0.0, 1.0),
        }
        for node, body in zip((joint.node, joint.other), held, strict=True)
    ]
    constraints = [asdict(record) for record in constraints_of(joint.settings)]
    return {"bodies": held, "frames": frames, "constraints": constraints}
