"""Contacts of bodies: what collides, where it touches, and the steps of what does.

MuJoCo finds contacts (`finding`) and solves the steps of bodies that touch (`convex`); the rest of
the solver does not know it, and it is loaded only here.
"""

from functools import cache

from ....isolation import isolated


@cache
def unavailable() -> str:
    """Return why there are no contacts here, empty where there are."""
    try:
        with isolated():
            import mujoco
    except ImportError:
        return "MuJoCo is not installed"
    if not mujoco.__version__.startswith("4."):
        return f"contacts need MuJoCo 4, not {mujoco.__version__}"
    try:
        from .self_test import problem

        found = problem()
    except Exception as error:  # noqa: BLE001 - whatever another build of MuJoCo does differently
        found = str(error) or type(error).__name__
    return f"MuJoCo {mujoco.__version__} failed its test: {found}" if found else ""
