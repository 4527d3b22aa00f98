"""Simulation of joints by the force laws of the specification, without collisions."""

from .simulation import STEP, JointState, Options, Simulation

__all__ = ["STEP", "JointState", "Options", "Simulation"]
