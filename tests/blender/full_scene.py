"""A scene with one of everything that Blender holds, and what Blender holds now."""

import math

import bpy
import numpy as np

from omi_joints_addon.core.meaning.presets import Preset, hinge, preset_settings
from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_joints_addon.core.model.mesh import Mesh, Visual
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Box, Convex, Sphere
from omi_joints_addon.scene.reading import scene_to_core
from tests.core.test_mesh_files import TETRAHEDRON


def full_scene() -> PhysicsScene:
    """Return a scene with one of everything that Blender holds."""
    names = ("Wall", "Door", "Joint", "Frame", "Skin", "Box", "Hull", "Zone", "Slider", "Rail")
    parents = np.array([-1, -1, 1, 0, 1, 1, 0, -1, 1, 0])
    matrices = np.tile(np.eye(4), (len(names), 1, 1))
    matrices[1:, 0, 3] = np.arange(1.0, len(names))
    matrices[4, :3, :3] = np.diag((1.0, 2.0, 0.5))
    half = math.sqrt(0.5)
    motion = Motion(
        mass=0.1,
        center_of_mass=(0.1, 0.2, 0.3),
        inertia_diagonal=(0.1, 0.2, 0.25),
        inertia_orientation=(0.0, 0.0, half, half),
        linear_velocity=(1.0, 0.0, 0.1),
        angular_velocity=(0.0, 0.7, 0.0),
        gravity_factor=0.3,
    )
    systems = CollisionFilter(collision_systems=("a",), collide_with_systems=("b",))
    surface = Collider(
        shape=Box(size=(1.0, 2.0, 3.0)),
        material=PhysicsMaterial(name="Ice", static_friction=0.1),
        collision_filter=systems,
    )
    attributes = JointAttributes(break_force=5.1, effort=7.3, friction=0.1, enabled=False)
    return PhysicsScene(
        names=names,
        parents=parents,
        matrices=matrices,
        motions={0: Motion(type="static"), 1: motion},
        joints=(
            Joint(
                node=2,
                connected=3,
                settings=hinge(min_angle=-0.1, max_angle=0.7),
                enable_collision=True,
                attributes=attributes,
                place="Joint",
            ),
            Joint(
                node=8,
                connected=9,
                settings=preset_settings(Preset.SUSPENSION_SPRING),
                place="Slider",
            ),
        ),
        colliders={5: surface, 6: Collider(shape=Convex(mesh=0))},
        triggers={7: Trigger(shape=Sphere(radius=2.5))},
        meshes=(Mesh(name="Tetra", read=lambda: TETRAHEDRON),),
        visuals={4: Visual(mesh=0)},
        articulations=(Articulation(root=0, is_fixed=True),),
        couplings=(Coupling(joint=1, source=0, coefficients=(0.1, 0.2, 0.3)),),
        name="Full",
    )


def scene_now() -> PhysicsScene:
    core, findings = scene_to_core(bpy.context.scene)
    assert findings == []
    return core
