"""Laws of motion with one degree of freedom, in closed form. SI units and radians."""

import math
from collections.abc import Callable

G = 9.81
Law = Callable[[float], float]
"""Value by time [s]."""


def rests(value: float) -> Law:
    """Return the law of what stays at a value."""
    return lambda _: value


def after(start: float, law: Law) -> Law:
    """Return the law of what rests at 0 until a time, then follows another."""
    return lambda t: law(t - start) if t > start else 0.0


def falls(acceleration: float, velocity: float = 0.0) -> Law:
    """Return the law of a constant acceleration."""
    return lambda t: velocity * t + acceleration * t * t / 2.0


def spring(inertia: float, stiffness: float, damping: float, *, rest: float, start: float) -> Law:
    """Return the law of a damped spring that starts at rest; underdamped."""
    rate = damping / (2.0 * inertia)
    turn = math.sqrt(stiffness / inertia - rate * rate)

    def value(t: float) -> float:
        wave = math.cos(turn * t) + rate / turn * math.sin(turn * t)
        return rest + (start - rest) * math.exp(-rate * t) * wave

    return value


def motor(inertia: float, damping: float, velocity: float) -> Law:
    """Return the law of a motor that nears its velocity, from rest."""
    delay = inertia / damping
    return lambda t: velocity * (t - delay * (1.0 - math.exp(-t / delay)))


def pendulum(pull: float) -> Law:
    """Return the law of x'' = pull cos x from rest at 0: a pendulum released level.

    By the classic Runge-Kutta method at 0.1 ms, whose error is below 1e-9.
    """

    def value(t: float) -> float:
        count = round(t * 1e4)
        x = v = 0.0
        h = t / count if count else 0.0
        for _ in range(count):
            k1 = (v, pull * math.cos(x))
            k2 = (v + h / 2 * k1[1], pull * math.cos(x + h / 2 * k1[0]))
            k3 = (v + h / 2 * k2[1], pull * math.cos(x + h / 2 * k2[0]))
            k4 = (v + h * k3[1], pull * math.cos(x + h * k3[0]))
            x += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            v += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        return x

    return value


def balance(stiffness: float, bound: float, torque: float) -> float:
    """Return the angle x where stiffness (x - bound) = torque cos x."""
    low, high = bound, math.pi / 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        is_above = stiffness * (middle - bound) > torque * math.cos(middle)
        low, high = (low, middle) if is_above else (middle, high)
    return low
