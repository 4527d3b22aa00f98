"""Simulation of joints by the force laws of the specification, without collisions."""

from .course import STEP
from .simulation import Simulation
from .simulator import JointState, Options, Simulator

__all__ = ["STEP", "JointState", "Options", "Simulation", "Simulator"]
