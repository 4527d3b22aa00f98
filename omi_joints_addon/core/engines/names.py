"""What engines are called, known before any report about one is asked for."""

from typing import NamedTuple


class EngineName(NamedTuple):
    """How an engine is named and shown."""

    name: str
    """Word for it on the command line and in Blender's properties."""
    label: str
    """Name to show."""
    description: str
    """What it stands for, without full stop."""


ANY = EngineName("any", "Any", "Work in all other engines")
GODOT = EngineName("godot", "Godot 4", "Godot 4 with the OMI importer")
KHR = EngineName("khr", "KHR Viewers", "Viewers of KHR_physics_rigid_bodies")
PHYSX = EngineName("physx", "PhysX", "Engines built on PhysX")
BULLET = EngineName("bullet", "Bullet", "Engines built on Bullet")
JOLT = EngineName("jolt", "Jolt", "Engines built on Jolt Physics")
NEWTON = EngineName("newton", "Newton", "Newton, which imports UsdPhysics")
MUJOCO = EngineName("mujoco", "MuJoCo", "MuJoCo, which reads MJCF")
NAMES = (ANY, GODOT, KHR, PHYSX, BULLET, JOLT, NEWTON, MUJOCO)
CHOICES = tuple((engine.name.upper(), engine.label, engine.description) for engine in NAMES)
"""Identifier, label and description of each, as menus list them."""
