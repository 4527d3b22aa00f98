"""Examples for what engines other than Godot make of files."""

from collections.abc import Iterator

from conformance.generate.dialects import KHR, OMI
from conformance.generate.fault import sound
from conformance.generate.feature import X, Y, Z
from conformance.generate.joints import PINNED, STIFF, angular, linear

from .gltf import (
    CONE,
    CONE_ABOUT_Z,
    RAIL,
    RANGE,
    changed,
    hinge,
    joint,
    motor,
    opening,
    pair,
    spring,
    still,
    swap,
    without_base,
)
from .pair import Pair

_SOFT = {"stiffness": 50.0, "damping": 1.0}
_BOUNDS = {"min": -0.3, "max": 0.3}
_TUBE = (linear(Y, Z, max=0.3), STIFF)
_BOX = (linear(Y, **_BOUNDS), linear(Z, **_BOUNDS), STIFF)
_PYRAMID = (angular(Y, **_BOUNDS), angular(Z, **_BOUNDS))
_HOLE = CONE | {"min": 0.2}
_SLOW = spring(mode="acceleration")


def pairs() -> Iterator[Pair]:
    """Yield the examples."""
    yield from _of_khr()
    yield from _of_physx()
    yield from _of_bullet()
    yield from _of_jolt()
    yield from _of_newton()
    yield pair("E701", "a bound that changes over time", opening(), still())


def _of_khr() -> Iterator[Pair]:
    yield pair("E201", "OMI_physics_joint alone", sound(OMI), sound(KHR))
    yield pair(
        "E203", "a cone about Z, and about X", joint(PINNED, CONE_ABOUT_Z), joint(PINNED, CONE)
    )
    yield pair("E204 J110 J305", "a cone with a hole", joint(PINNED, _HOLE), joint(PINNED, CONE))
    yield pair("E205", "a soft cone", joint(PINNED, CONE | _SOFT), joint(PINNED, CONE))
    lock = angular(Z, min=0.0, max=0.0)
    yield pair("E206", "a soft lock", hinge(lock | _SOFT), hinge(lock))
    yield pair(
        "E207 J108",
        "a second limit on one axis",
        hinge(RANGE, angular(Z, min=-1.0, max=1.0)),
        hinge(RANGE),
    )
    yield pair("E208", "a motor, and a spring", hinge(drives=motor()), hinge(drives=spring()))
    yield pair("E209", "acceleration mode", hinge(drives=_SLOW), hinge(drives=spring()))
    yield pair(
        "E210 J005",
        "the joint is below the node that is no body",
        changed(without_base, swap),
        changed(without_base),
    )
    yield pair("E211", "a bound that changes over time", opening(), still())


def _of_physx() -> Iterator[Pair]:
    cone, pyramid = joint(PINNED, CONE), joint(PINNED, *_PYRAMID)
    yield pair("E302", "a cone about Z, and about X", joint(PINNED, CONE_ABOUT_Z), cone)
    every = angular(X, Y, Z, max=0.5)
    yield pair("E303", "any rotation of 0.5 rad, and a cone", joint(PINNED, every), cone)
    yield pair("E304 J110 J305", "a cone with a hole", joint(PINNED, _HOLE), cone)
    yield pair("E305", "a spring, and a motor", hinge(drives=spring()), hinge(drives=motor()))
    yield pair("E306", "acceleration mode", hinge(drives=_SLOW), hinge(drives=spring()))
    yield pair("E307", "one bound", hinge(angular(Z, max=0.5)), hinge(RANGE))
    yield pair(
        "E308",
        "a swing with bounds beside a free one",
        joint(PINNED, _PYRAMID[0]),
        joint(PINNED, _PYRAMID[0], angular(Z, min=-3.124, max=3.124)),
    )
    yield pair("E309", "a tube, and a box", joint(*_TUBE), joint(*_BOX))
    yield pair("E310", "a range for each swing, and a cone", pyramid, cone)
    yield pair("E311", "a distance, and a pin", joint(linear(X, Y, Z, max=0.3)), joint(PINNED))


def _of_bullet() -> Iterator[Pair]:
    yield pair("E401", "a tube, and a box", joint(*_TUBE), joint(*_BOX))
    yield pair("E402", "a soft bound", hinge(RANGE | _SOFT), hinge(RANGE))
    yield pair("E403", "acceleration mode", hinge(drives=_SLOW), hinge(drives=spring()))
    yield pair(
        "E404",
        "all axes turn",
        joint(PINNED, drives=spring()),
        joint(PINNED, angular(X, min=0.0, max=0.0), drives=spring()),
    )


def _of_jolt() -> Iterator[Pair]:
    cone = joint(PINNED, CONE)
    swing = joint(PINNED, angular(X, min=0.0, max=0.0), drives=spring())
    yield pair("E501", "a tube, and a box", joint(*_TUBE), joint(*_BOX))
    yield pair(
        "E502", "a cone of a quarter of a degree", joint(PINNED, CONE | {"max": 0.004}), cone
    )
    yield pair("E503 J110 J305", "a cone with a hole", joint(PINNED, _HOLE), cone)
    yield pair("E504", "a soft cone", joint(PINNED, CONE | _SOFT), cone)
    every = angular(X, Y, Z, max=0.5)
    twist = angular(X, min=-0.5, max=0.5)
    yield pair(
        "E505",
        "any rotation of 0.5 rad, and cone and twist",
        joint(PINNED, every),
        joint(PINNED, CONE, twist),
    )
    yield pair(
        "E506", "a spring of a joint that swings, and of a hinge", swing, hinge(drives=spring())
    )
    yield pair("E507", "acceleration mode", hinge(drives=_SLOW), hinge(drives=spring()))
    yield pair(
        "E508",
        "a spring without damping",
        hinge(drives=spring(damping=0.0)),
        hinge(drives=spring()),
    )


def _of_newton() -> Iterator[Pair]:
    yield pair("E601", "a range, and none", hinge(RANGE), hinge())
    yield pair("E602", "a soft bound", hinge(RANGE | _SOFT), hinge(RANGE))
    yield pair(
        "E603 J305", "a lock elsewhere", hinge(angular(Z, min=0.5, max=0.5)), joint(PINNED, STIFF)
    )
    yield pair(
        "E604", "a cone, and a range for each axis", joint(PINNED, CONE), joint(PINNED, *_PYRAMID)
    )
    yield pair("E605", "a tube, and a box", joint(*_TUBE), joint(*_BOX))
    yield pair("E606", "a distance, and a pin", joint(linear(X, Y, Z, max=0.3)), joint(PINNED))
    yield pair(
        "E607",
        "two targets",
        joint(*RAIL, drives=spring("linear", X, velocityTarget=0.5)),
        joint(*RAIL, drives=spring("linear", X)),
    )
    yield pair("E608", "acceleration mode", hinge(drives=_SLOW), hinge(drives=spring()))
    universal = joint(PINNED, angular(X, min=0.0, max=0.0))
    yield pair("E611", "a joint with two axes, and a pin", universal, joint(PINNED))
    yield pair("E609", "a largest force", hinge(drives=motor(maxForce=2.0)), hinge(drives=motor()))
