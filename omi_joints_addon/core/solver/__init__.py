"""Simulation of joints by the force laws of the specification, without collisions.

Its modules are loaded when something is simulated, not where its step is only told of.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .rate import STEP

if TYPE_CHECKING:
    from .simulation import Simulation
    from .simulator import JointState, Options, Simulator

__all__ = ["STEP", "JointState", "Options", "Simulation", "Simulator"]
_HOMES = {
    "JointState": "simulator",
    "Options": "simulator",
    "Simulation": "simulation",
    "Simulator": "simulator",
}


def __getattr__(name: str) -> Any:
    """Return what is asked for from the module that has it (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
