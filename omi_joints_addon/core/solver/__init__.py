"""Simulation of joints by the force laws of the specification, without collisions."""

from .simulation import STEP, Simulation
from .simulator import JointState, Options, Simulator

__all__ = ["STEP", "JointState", "Options", "Simulation", "Simulator"]
