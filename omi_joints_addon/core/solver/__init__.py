"""Simulation of joints by the force laws of the specification, without collisions."""

from typing import TYPE_CHECKING

from ... import rooms
from .rate import STEP

if TYPE_CHECKING:
    from .faults import SimulationError
    from .simulation import Simulation
    from .simulator import JointState, Options, Simulator

__all__ = ["STEP", "JointState", "Options", "Simulation", "SimulationError", "Simulator"]
__getattr__ = rooms.loader(
    __name__,
    JointState="simulator",
    Options="simulator",
    Simulation="simulation",
    SimulationError="faults",
    Simulator="simulator",
)
