"""A workshop to look at: a door ajar, a lamp on two arms, a tire on a rope and a toy car.

`build()` makes it in the current scene by the buttons that artists press: the moving body is
selected, then the one that holds it. Run as a script it saves it as build/workshop.blend.
"""

import itertools
import math
from collections.abc import Sequence

import bpy
from mathutils import Matrix, Vector
from parts import box, capsule, cylinder, select
from session import BUILD, blender

OAK, WALL, RED, CREAM = (
    (0.42, 0.22, 0.09),
    (0.21, 0.36, 0.38),
    (0.55, 0.06, 0.04),
    (0.85, 0.75, 0.55),
)
BRASS, BLACK, YELLOW, STEEL = (
    (0.8, 0.5, 0.12),
    (0.02, 0.02, 0.025),
    (0.95, 0.5, 0.03),
    (0.4, 0.45, 0.5),
)
AJAR = math.radians(38.0)
HINGE_LINE = Vector((-2.45, 1.3, 1.0))
TIRE = 0.3
"""Radius of the tire [m]."""
ROPE_LINKS = 4


def build() -> None:
    """Add the workshop to the current scene."""
    room()
    door()
    lamp()
    rope()
    car()


def room() -> None:
    """Add what never moves."""
    painted(box("Floor", size=(5.6, 3.3, 0.1), location=(-0.4, -0.2, -0.05)), OAK)
    painted(box("Wall Left", size=(0.7, 0.1, 3.0), location=(-2.85, 1.4, 1.5)), WALL)
    painted(box("Wall", size=(3.9, 0.1, 3.0), location=(0.45, 1.4, 1.5)), WALL)
    painted(box("Wall Above", size=(1.0, 0.1, 0.95), location=(-2.0, 1.4, 2.525)), WALL)
    painted(box("Frame", size=(0.08, 0.2, 2.05), location=(-2.5, 1.35, 1.025)), CREAM)
    painted(box("Frame Right", size=(0.08, 0.2, 2.05), location=(-1.5, 1.35, 1.025)), CREAM)
    painted(box("Lintel", size=(1.08, 0.2, 0.08), location=(-2.0, 1.35, 2.08)), CREAM)
    painted(box("Beam", size=(0.16, 2.2, 0.18), location=(1.75, 0.35, 2.75)), OAK)
    painted(box("Bench", size=(1.5, 0.6, 0.08), location=(-0.2, 1.0, 0.8)), OAK)
    for x, y in itertools.product((-0.85, 0.45), (0.8, 1.2)):
        painted(box("Leg", size=(0.08, 0.08, 0.76), location=(x, y, 0.38)), OAK)


def door() -> None:
    """Add a door with panels and a knob, closed while its hinge is made, then ajar."""
    leaf = painted(box("Door", size=(0.9, 0.06, 2.0), location=(-2.0, 1.3, 1.01)), RED)
    for z in (0.55, 1.45):
        panel = painted(box("Panel", size=(0.62, 0.03, 0.7), location=(-2.0, 1.26, z)), RED)
        attach(panel, leaf)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.045, location=(-1.64, 1.23, 1.0))
    attach(painted(bpy.context.object, BRASS, metallic=1.0), leaf)
    bpy.context.scene.cursor.location = HINGE_LINE
    joined("HINGE", leaf, onto="Frame", axis="Z", pivot="CURSOR", use_reverse=True, min_angle=0.0)
    bpy.context.object.omi_joint.limits[-1].max = math.radians(110.0)
    turn(leaf, HINGE_LINE, "Z", -AJAR)


def lamp() -> None:
    """Add a lamp whose two arms and head turn by hinges."""
    points = [Vector(each) for each in ((-0.4, 1.0, 0.9), (-0.75, 1.0, 1.55), (0.05, 1.0, 2.1))]
    bpy.ops.mesh.primitive_cylinder_add(radius=0.16, depth=0.06, location=(-0.4, 1.0, 0.87))
    painted(bpy.context.object, BLACK).name = "Lamp Base"
    below = "Lamp Base"
    for name, start, end in (("Arm", points[0], points[1]), ("Boom", points[1], points[2])):
        arm = painted(box(name, size=(0.05, 0.05, (end - start).length), location=(0, 0, 0)), STEEL)
        turned = (end - start).to_track_quat("Z", "Y").to_matrix().to_4x4()
        arm.matrix_world = Matrix.Translation((start + end) / 2.0) @ turned
        hinge_at(arm, below, start, math.radians(40.0))
        below = name
    bpy.ops.mesh.primitive_cone_add(
        radius1=0.2, radius2=0.05, depth=0.24, location=(0.11, 1.0, 2.0)
    )
    head = painted(bpy.context.object, RED)
    head.name = "Shade"
    hinge_at(head, below, points[2], math.radians(60.0))
    bulb = bpy.data.objects.new("Bulb", bpy.data.lights.new("Bulb", "POINT"))
    bulb.data.energy, bulb.data.color, bulb.data.shadow_soft_size = 60.0, (1.0, 0.75, 0.45), 0.06
    bulb.location = (0.11, 1.0, 1.84)
    bpy.context.scene.collection.objects.link(bulb)
    attach(bulb, head)


def hinge_at(moving: bpy.types.Object, holder: str, place: Vector, reach: float) -> None:
    """Connect a body by a hinge that is seen from the front."""
    bpy.context.scene.cursor.location = place
    joined(
        "HINGE", moving, onto=holder, axis="Y", pivot="CURSOR", min_angle=-reach, max_angle=reach
    )


def rope() -> None:
    """Add a tire that hangs on links; each swings within a cone."""
    links = [
        painted(
            capsule(f"Link {n + 1}", radius=0.035, length=0.2, top=(1.75, -0.4, 2.66 - 0.27 * n)),
            CREAM,
        )
        for n in range(ROPE_LINKS)
    ]
    height = 2.66 - 0.27 * ROPE_LINKS - TIRE - 0.09
    bpy.ops.mesh.primitive_torus_add(
        major_radius=TIRE,
        minor_radius=0.09,
        location=(1.75, -0.4, height),
        rotation=(math.pi / 2, 0, 0.5),
    )
    tire = painted(bpy.context.object, BLACK)
    tire.name = "Tire"
    bpy.ops.object.shade_smooth()
    joined("BALL_WITH_CONE", links[0], onto="Beam", cone=math.radians(28.0))
    bpy.context.object.omi_joint.limits.remove(2)  # it may twist
    joined("PIN", *links[1:], tire, onto="Link 1", pattern="CHAIN")


def car() -> None:
    """Add a toy car whose wheels motors turn, on a stand: previews do not collide."""
    chassis = painted(box("Chassis", size=(1.3, 0.56, 0.24), location=(-0.7, -1.1, 0.34)), YELLOW)
    cabin = painted(box("Cabin", size=(0.6, 0.48, 0.26), location=(-0.62, -1.1, 0.58)), CREAM)
    attach(cabin, chassis)
    painted(box("Stand", size=(0.2, 0.2, 0.22), location=(-0.7, -1.1, 0.11)), STEEL)
    joined("FIXED", chassis, onto="Stand")
    wheels = []
    for x, y in itertools.product((-1.15, -0.25), (-1.44, -0.76)):
        wheel = cylinder("Wheel", radius=0.22, width=0.14, location=(x, y, 0.22))
        wheel.rotation_euler = (math.pi / 2, 0.0, 0.0)
        wheels.append(painted(wheel, BLACK))
        hub = cylinder("Hub", radius=0.1, width=0.16, location=(x, y, 0.22))
        hub.rotation_euler = (math.pi / 2, 0.0, 0.0)
        attach(painted(hub, STEEL, metallic=1.0), wheel)
    joined("HINGE_MOTOR", *wheels, onto="Chassis", pattern="EACH_TO_ACTIVE", velocity_target=6.0)


def joined(preset: str, *moving: bpy.types.Object, onto: str, **values: object) -> None:
    """Connect bodies to the one that holds them, as the button of a preset does."""
    select(*moving, onto=onto)
    bpy.ops.omi.joint_add(preset=preset, **values)


def turn(obj: bpy.types.Object, place: Vector, axis: str, angle: float) -> None:
    """Turn an object about a world axis through a place."""
    there = Matrix.Translation(place)
    turned = there @ Matrix.Rotation(angle, 4, axis) @ there.inverted()
    obj.matrix_world = turned @ obj.matrix_world
    bpy.context.view_layer.update()


def attach(obj: bpy.types.Object, parent: bpy.types.Object) -> None:
    """Parent an object, in place."""
    bpy.context.view_layer.update()
    obj.parent = parent
    obj.matrix_parent_inverse = parent.matrix_world.inverted()


def painted(
    obj: bpy.types.Object, color: Sequence[float], *, metallic: float = 0.0
) -> bpy.types.Object:
    """Give an object a color and, where it has edges, round ones."""
    material = bpy.data.materials.new(obj.name)
    material.diffuse_color = (*color, 1.0)
    material.use_nodes = True
    surface = material.node_tree.nodes["Principled BSDF"].inputs
    surface["Base Color"].default_value = (*color, 1.0)
    surface["Roughness"].default_value, surface["Metallic"].default_value = 0.45, metallic
    obj.data.materials.append(material)
    bevel = obj.modifiers.new("Bevel", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = 0.012, 2, "ANGLE"
    return obj


if __name__ == "__main__":
    with blender():
        build()
        bpy.ops.wm.save_as_mainfile(filepath=str(BUILD / "workshop.blend"))
