"""Pictures of lit scenes, by Cycles: what is behind the joints of a picture."""

import math
from dataclasses import dataclass
from typing import Any

import bpy

SAMPLES = 48


@dataclass(frozen=True)
class Light:
    """The time of day."""

    sky: tuple[float, float, float]
    sun: float
    """Power of the sun [W/m²]."""
    sun_color: tuple[float, float, float]
    text: tuple[float, float, float]
    """Color of numbers."""


DARK = Light((0.02, 0.026, 0.045), 0.9, (0.55, 0.7, 1.0), (1.0, 1.0, 1.0))
LIGHT = Light((0.75, 0.82, 0.9), 2.2, (1.0, 0.94, 0.84), (0.02, 0.02, 0.02))


def set_light(light: Light) -> None:
    """Light the open scene, and nothing else than this and its own lamps."""
    scene = bpy.context.scene
    world = bpy.data.worlds.new("Sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (*light.sky, 1.0)
    scene.world = world
    sun = bpy.data.objects.get("Sun") or bpy.data.objects.new(
        "Sun", bpy.data.lights.new("Sun", "SUN")
    )
    if not sun.users_collection:
        scene.collection.objects.link(sun)
    sun.data.energy, sun.data.color, sun.data.angle = light.sun, light.sun_color, 0.15
    sun.rotation_euler = (math.radians(42.0), math.radians(12.0), math.radians(28.0))


def lit(scene: bpy.types.Scene) -> Any:
    """Return the pixels of the scene as Cycles renders it."""
    from omi_joints_addon.pictures.render import rendered  # importable once the add-on is

    cycles: Any = scene.cycles
    cycles.samples, cycles.use_denoising, cycles.seed = SAMPLES, True, 0
    scene.render.film_transparent = False
    return rendered(scene, engine="CYCLES")
