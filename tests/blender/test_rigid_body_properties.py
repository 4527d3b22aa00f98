"""What becomes of each property of Blender's rigid bodies, against its own Bullet in motion.

`ROWS` is the table of docs/dialects.md; every property that Blender has is in it.
"""

import math
import re
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.authoring.constraints import ConstraintConverter, retire_constraints
from omi_joints_addon.core.solver.trajectory import simulate
from omi_joints_addon.scene.reading import scene_to_core

pytestmark = pytest.mark.usefixtures("empty_scene")
_TYPES = ("RigidBodyObject", "RigidBodyConstraint", "RigidBodyWorld")
RATE = 24
"""Frames a second of an empty scene."""


def add_world() -> Any:
    """Return the rigid body world of the scene, made to be accurate."""
    scene = bpy.context.scene
    if scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
        world = scene.rigidbody_world
        world.collection = bpy.data.collections.new("Bodies")
        world.constraints = bpy.data.collections.new("Constraints")
        world.substeps_per_frame = 40
        world.solver_iterations = 60
    return scene.rigidbody_world


def add_block(name: str, size: Any, place: Any, **values: Any) -> Any:
    """Return a new rigid body, a block of a size at a place, without damping."""
    world, (x, y, z) = add_world(), (0.5 * part for part in size)
    corners = [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.location = place
    world.collection.objects.link(obj)
    plain = {"linear_damping": 0.0, "angular_damping": 0.0, "use_deactivation": False}
    for key, value in (plain | {"collision_shape": "BOX"} | values).items():
        setattr(obj.rigid_body, key, value)
    return obj


def add_floor(**values: Any) -> Any:
    """Return a floor whose surface is at the height 0."""
    return add_block("Floor", (20.0, 20.0, 1.0), (0.0, 0.0, -0.5), type="PASSIVE", **values)


def in_bullet(obj: Any, seconds: float) -> np.ndarray:
    """Return the world matrix of an object after Blender's own playback."""
    scene, frames = bpy.context.scene, 1 + round(seconds * RATE)
    scene.frame_end = scene.rigidbody_world.point_cache.frame_end = frames
    for frame in range(1, frames + 1):
        scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    found = np.array(obj.evaluated_get(graph).matrix_world)
    scene.frame_set(1)
    return found


def in_ours(obj: Any, seconds: float) -> np.ndarray:
    """Return the world position of an object after our simulation of the same scene."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    core, _ = scene_to_core(bpy.context.scene, simulated=graph)
    motion = simulate(core, seconds=seconds, fps=RATE)
    return motion.positions[-1, motion.bodies.index(core.names.index(obj.name))]


def codes() -> set[str]:
    """Return the rules that a check of the scene names."""
    bpy.context.view_layer.update()
    return {found.code for found in scene_to_core(bpy.context.scene)[1]}


def both(obj: Any, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """Return where an object is in Bullet and in our simulation."""
    return in_bullet(obj, seconds)[:3, 3], in_ours(obj, seconds)


def link(kind: str, first: Any, second: Any, place: Any, **values: Any) -> Any:
    """Return a new constraint between two bodies."""
    holder = bpy.data.objects.new("Link", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.location = place
    add_world().constraints.objects.link(holder)
    data = holder.rigid_body_constraint
    data.type, data.object1, data.object2 = kind, first, second
    for name, value in values.items():
        setattr(data, name, value)
    return holder


def convert(holder: Any) -> None:
    """Make a joint of a constraint."""
    bpy.context.view_layer.update()
    ConstraintConverter(bpy.context).convert(holder)
    retire_constraints(bpy.context, [holder])
    bpy.context.view_layer.update()


def properties_of(name: str) -> set[str]:
    kind = getattr(bpy.types, name)
    return {each.identifier for each in kind.bl_rna.properties} - {"rna_type"}


def test_the_manual_has_a_row_for_each_property(repository: Path) -> None:
    text = (repository / "docs" / "dialects.md").read_text(encoding="utf-8")
    for name in _TYPES:
        _, _, rest = text.partition(f"| `{name}` |")
        rows, _, _ = rest.partition("\n\n")
        first = " ".join(row.split("|")[1] for row in rows.split("\n")[2:])
        assert properties_of(name) <= set(re.findall(r"`(\w+)`", first)), name


class TestBody:
    @pytest.mark.parametrize(
        ("values", "falls"),
        [
            ({}, True),
            ({"type": "PASSIVE"}, False),
            ({"enabled": False}, False),
            ({"kinematic": True}, False),
            ({"enabled": False, "kinematic": True}, False),
        ],
    )
    def test_what_moves(self, values, falls):
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 5.0), **values)
        height = 5.0 - 0.5 * 9.81 if falls else 5.0
        for place in both(block, 1.0):
            assert place[2] == pytest.approx(height, abs=0.02)

    def test_friction_of_two_bodies_is_their_product(self):
        angle = math.radians(20.0)
        bpy.context.scene.gravity = (9.81 * math.sin(angle), 0.0, -9.81 * math.cos(angle))
        add_floor(friction=0.6)
        block = add_block("Block", (0.9, 0.9, 0.3), (0.0, 0.0, 0.15), friction=0.25)
        sliding = 9.81 * (math.sin(angle) - 0.15 * math.cos(angle))
        for place in both(block, 1.0):
            assert place[0] == pytest.approx(0.5 * sliding, rel=0.05)

    def test_bounciness_of_two_bodies_is_their_product(self):
        add_floor(restitution=0.8)
        ball = add_block(
            "Ball", (0.4, 0.4, 0.4), (0.0, 0.0, 1.2), collision_shape="SPHERE", restitution=0.75
        )
        # In Bullet a bounce depends on the length of the steps; this one is the usual.
        bpy.context.scene.rigidbody_world.substeps_per_frame = 10
        # It hits after falling 1 m, and is then as high as 0.6 squared of that.
        fall = math.sqrt(2.0 / 9.81)
        for place in both(ball, round((fall + 0.6 * fall) * RATE) / RATE):
            assert place[2] - 0.2 == pytest.approx(0.36, abs=0.04)

    @pytest.mark.parametrize(
        ("shape", "height"),
        [
            ("BOX", 0.7),
            ("SPHERE", 0.7),
            ("CAPSULE", 0.7),
            ("CYLINDER", 0.7),
            ("CONE", 0.7),
            ("CONVEX_HULL", 0.7),
        ],
    )
    def test_shapes_rest_where_they_do_in_bullet(self, shape, height):
        add_floor()
        block = add_block(
            "Block",
            (0.6, 0.6, 1.4),
            (0.0, 0.0, 0.72),
            collision_shape=shape,
            use_margin=True,
            collision_margin=0.0,
        )
        bullet, ours = both(block, 0.5)
        assert bullet[2] == pytest.approx(height, abs=0.02)
        assert ours[2] == pytest.approx(height, abs=0.02)

    @pytest.mark.parametrize(
        ("source", "modifiers", "height"),
        [
            ("BASE", "deform", 0.5),
            ("DEFORM", "deform", 0.8),
            ("FINAL", "deform", 0.8),
            ("BASE", "thick", 0.5),
            ("DEFORM", "thick", 0.5),
            ("FINAL", "thick", 1.0),
        ],
    )
    @pytest.mark.parametrize("shape", ["CONVEX_HULL", "BOX"])
    def test_the_source_of_the_mesh(self, source, modifiers, height, shape):
        add_floor(use_margin=True, collision_margin=0.0)
        block = add_block(
            "Block",
            (1.0, 1.0, 1.0),
            (0.0, 0.0, 1.2),
            collision_shape=shape,
            mesh_source=source,
            use_margin=True,
            collision_margin=0.0,
        )
        if modifiers == "deform":
            made = block.modifiers.new("Stretch", "SIMPLE_DEFORM")
            made.deform_method, made.deform_axis, made.factor = "STRETCH", "Z", 0.6
        else:
            made = block.modifiers.new("Thick", "SOLIDIFY")
            made.thickness, made.offset, made.use_even_offset = 0.5, 1.0, True
        if shape == "BOX":
            # Primitives enclose what is seen.
            height = 0.8 if modifiers == "deform" else 1.0
        for place in both(block, 1.0):
            assert place[2] == pytest.approx(height, abs=0.02)

    @pytest.mark.parametrize(("source", "named"), [("DEFORM", True), ("FINAL", False)])
    def test_a_mesh_between_modifiers_is_bullets_own(self, source, named):
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 1.2), mesh_source=source,
                          collision_shape="CONVEX_HULL", linear_damping=0.04,
                          angular_damping=0.1)  # fmt: skip
        block.modifiers.new("Stretch", "SIMPLE_DEFORM")
        assert "OMI-B052" not in codes()
        block.modifiers.new("Thick", "SOLIDIFY")
        assert ("OMI-B052" in codes()) == named

    def test_only_bodies_that_share_a_collection_meet(self):
        floor = add_floor()
        floor.rigid_body.collision_collections = [index == 3 for index in range(20)]
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 1.0))
        for place in both(block, 1.0):
            assert place[2] == pytest.approx(1.0 - 0.5 * 9.81, abs=0.05)

    def test_a_margin_is_bullets_own(self):
        add_floor(use_margin=True, collision_margin=0.0)
        block = add_block(
            "Block",
            (1.0, 1.0, 1.0),
            (0.0, 0.0, 0.7),
            collision_shape="CONVEX_HULL",
            use_margin=True,
            collision_margin=0.1,
        )
        bullet, ours = both(block, 1.0)
        assert bullet[2] == pytest.approx(0.6, abs=0.02)
        assert ours[2] == pytest.approx(0.5, abs=0.02)
        assert "OMI-B052" in codes()

    @pytest.mark.parametrize(("damping", "named"), [(0.04, False), (0.5, True)])
    def test_damping_is_bullets_own(self, damping, named):
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 5.0), linear_damping=damping)
        block.rigid_body.angular_damping = 0.1
        bullet, ours = both(block, 1.0)
        # v' = -g - k v with k = -ln(1 - damping).
        rate = -math.log(1.0 - damping)
        fallen = 9.81 / rate * (1.0 - (1.0 - math.exp(-rate)) / rate)
        assert 5.0 - bullet[2] == pytest.approx(fallen, rel=0.02)
        assert 5.0 - ours[2] == pytest.approx(0.5 * 9.81, rel=0.01)
        assert ("OMI-B052" in codes()) == named

    @pytest.mark.parametrize(
        "values", [{"use_deactivation": True}, {"use_start_deactivated": True}]
    )
    def test_sleep_changes_nothing_that_falls(self, values):
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 5.0), **values)
        for place in both(block, 1.0):
            assert place[2] == pytest.approx(5.0 - 0.5 * 9.81, abs=0.02)

    def test_a_body_outside_of_the_collection_is_named(self):
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 5.0))
        bpy.context.scene.rigidbody_world.collection.objects.unlink(block)
        bullet, ours = both(block, 1.0)
        assert bullet[2] == pytest.approx(5.0)
        assert ours[2] < 1.0
        assert "OMI-B054" in codes()

    @pytest.mark.parametrize("owner", ["compound", "children"])
    def test_the_surface_of_a_compound_is_its_own(self, owner):
        """Friction and filters of the shapes below do not count in Bullet."""
        angle = math.radians(20.0)
        bpy.context.scene.gravity = (9.81 * math.sin(angle), 0.0, -9.81 * math.cos(angle))
        add_floor(friction=1.0)
        top = add_block("Top", (0.1, 0.1, 0.1), (0.0, 0.0, 0.15), collision_shape="COMPOUND")
        top.rigid_body.friction = 0.0 if owner == "compound" else 0.9
        for index, side in enumerate((-0.4, 0.4)):
            part = add_block(f"Part {index}", (0.3, 0.9, 0.3), (side, 0.0, 0.0))
            part.parent = top
            part.rigid_body.friction = 0.9 if owner == "compound" else 0.0
        fallen = 0.5 * 9.81 * math.sin(angle) if owner == "compound" else 0.0
        for place in both(top, 1.0):
            assert place[0] == pytest.approx(fallen, abs=0.06)


class TestWorld:
    @pytest.mark.parametrize(
        ("gravity", "every"), [(1.0, 1.0), (0.25, 1.0), (1.0, 0.5), (0.0, 1.0)]
    )
    def test_weights_of_gravity(self, gravity, every):
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 5.0))
        weights = bpy.context.scene.rigidbody_world.effector_weights
        weights.gravity, weights.all = gravity, every
        for place in both(block, 1.0):
            assert 5.0 - place[2] == pytest.approx(0.5 * 9.81 * gravity * every, abs=0.02)

    def test_another_speed_is_named(self):
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 50.0))
        bpy.context.scene.rigidbody_world.time_scale = 2.0
        bullet, ours = both(block, 1.0)
        assert 50.0 - bullet[2] == pytest.approx(4.0 * 0.5 * 9.81, rel=0.01)
        assert 50.0 - ours[2] == pytest.approx(0.5 * 9.81, rel=0.01)
        assert "OMI-B053" in codes()

    def test_steps_change_nothing_but_accuracy(self):
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 5.0))
        world = bpy.context.scene.rigidbody_world
        world.substeps_per_frame, world.solver_iterations, world.use_split_impulse = 5, 5, True
        for place in both(block, 1.0):
            assert 5.0 - place[2] == pytest.approx(0.5 * 9.81, rel=0.03)


class TestConstraint:
    def hung(self, **values):
        """Return a block that hangs from a wall by a point, and the constraint."""
        wall = add_block("Wall", (1.0, 1.0, 1.0), (0.0, 0.0, 6.0), type="PASSIVE")
        block = add_block("Block", (0.5, 0.5, 0.5), (0.0, 0.0, 4.0))
        return block, link("POINT", wall, block, (0.0, 0.0, 5.0), **values)

    @pytest.mark.parametrize(
        ("values", "holds"),
        [
            ({}, True),
            ({"enabled": False}, False),
            ({"use_override_solver_iterations": True, "solver_iterations": 90}, True),
        ],
    )
    def test_one_that_is_off_holds_nothing(self, values, holds):
        block, holder = self.hung(**values)
        bullet = in_bullet(block, 0.5)[2, 3]
        convert(holder)
        height = 4.0 if holds else 4.0 - 0.5 * 9.81 * 0.25
        assert bullet == pytest.approx(height, abs=0.05)
        assert in_ours(block, 0.5)[2] == pytest.approx(height, abs=0.02)

    @pytest.mark.parametrize(("part", "holds"), [(0.97, False), (1.03, True)])
    @pytest.mark.parametrize(("fps", "substeps"), [(24, 40), (60, 7)])
    def test_breaking(self, part, holds, fps, substeps):
        """The threshold is the impulse of a substep, here a little less or more than the weight."""
        impulse = part * 3.0 * 9.81 / (fps * substeps)
        block, holder = self.hung(use_breaking=True, breaking_threshold=impulse)
        block.rigid_body.mass = 3.0
        bpy.context.scene.render.fps = fps
        bpy.context.scene.rigidbody_world.substeps_per_frame = substeps
        bullet = in_bullet(block, 0.5)[2, 3]
        bpy.context.view_layer.update()
        converter = ConstraintConverter(bpy.context)
        joint = converter.convert(holder)
        retire_constraints(bpy.context, [holder])
        assert "OMI-B046" in {found.code for found in converter.findings}
        attributes = joint.omi_joint.attributes
        assert attributes.break_force == pytest.approx(part * 3.0 * 9.81, rel=1e-5)
        assert attributes.break_torque == attributes.break_force
        for height in (bullet, in_ours(block, 0.5)[2]):
            assert (height > 3.9) == holds

    @pytest.mark.parametrize("is_solid", [False, True])
    def test_bodies_of_a_constraint_collide_where_it_lets_them(self, is_solid):
        lower = add_block("Lower", (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), type="PASSIVE")
        block = add_block("Block", (1.0, 1.0, 1.0), (0.0, 0.0, 1.5))
        free = {f"use_limit_lin_{axis}": axis != "z" for axis in "xyz"}
        free |= {f"use_limit_ang_{axis}": True for axis in "xyz"}
        bounds = {
            f"limit_{kind}_{axis}_{end}": 0.0
            for kind in ("lin", "ang")
            for axis in "xyz"
            for end in ("lower", "upper")
        }
        values = free | bounds | {"disable_collisions": not is_solid}
        holder = link("GENERIC", lower, block, (0.0, 0.0, 1.5), **values)
        bullet = in_bullet(block, 1.0)[2, 3]
        convert(holder)
        height = 1.0 if is_solid else 1.5 - 0.5 * 9.81
        assert bullet == pytest.approx(height, abs=0.05)
        assert in_ours(block, 1.0)[2] == pytest.approx(height, abs=0.05)

    def test_mass_stretches_a_spring(self):
        wall = add_block("Wall", (1.0, 1.0, 1.0), (0.0, 0.0, 6.0), type="PASSIVE")
        block = add_block("Block", (0.5, 0.5, 0.5), (0.0, 0.0, 4.0), mass=3.0)
        values = {"use_spring_z": True, "spring_stiffness_z": 100.0, "spring_damping_z": 30.0}
        values |= {f"use_limit_{kind}_{axis}": False for kind in ("lin", "ang") for axis in "xyz"}
        holder = link("GENERIC_SPRING", wall, block, (0.0, 0.0, 4.0), **values)
        bullet = in_bullet(block, 4.0)[2, 3]
        convert(holder)
        for height in (bullet, in_ours(block, 4.0)[2]):
            assert 4.0 - height == pytest.approx(3.0 * 9.81 / 100.0, rel=0.05)
