"""Simulation of joints by the force laws of the specification: maximal coordinates, no collisions, no Blender."""

from .simulation import STEP, JointState, Options, Simulation

__all__ = ["STEP", "JointState", "Options", "Simulation"]
