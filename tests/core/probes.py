"""Joints of every kind with one moving body, each with its closed form."""

import math

from tests.core.probe import (
    ABOUT_JOINT,
    ARM,
    CONE,
    FALL,
    LETTERS,
    LOCK,
    PINNED,
    STIFF,
    UNEVEN,
    G,
    Probe,
    X,
    Y,
    Z,
    along,
    angular,
    balance,
    ball,
    but,
    critical,
    drive,
    hinge,
    linear,
    point,
    slider,
    started,
    swing,
)

HINGES = (
    *(
        hinge(f"hinge {letter} {word}", axis, angular(axis, **UNEVEN), push=push, expected=end)
        for axis, letter in enumerate(LETTERS)
        for word, push, end in (("up", 1.0, 1.0), ("down", -1.0, -0.2))
    ),
    hinge("hinge one-sided", Z, angular(Z, min=-0.3), push=-1.0, expected=-0.3),
    hinge("hinge free", Z, push=1.0, seconds=0.5, expected=swing(0.5)),
    hinge(
        "hinge locked off zero",
        Z,
        angular(Z, min=0.5, max=0.5),
        push=1.0,
        turned=((0, 0, 1), 0.5),
        expected=0.5,
    ),
    hinge(
        "hinge with two limits up",
        Y,
        angular(Y, min=-0.4, max=0.4),
        angular(Y, min=-0.1, max=1.0),
        push=1.0,
        expected=0.4,
    ),
    hinge(
        "hinge with two limits down",
        Y,
        angular(Y, min=-0.4, max=0.4),
        angular(Y, min=-0.1, max=1.0),
        push=-1.0,
        expected=-0.1,
    ),
    hinge(
        "hinge soft",
        Z,
        angular(Z, min=-0.5, max=0.5, stiffness=10.0, damping=2.0),
        push=1.0,
        seconds=4.0,
        expected=balance(10.0, 0.5),
    ),
    hinge(
        "hinge beyond its limit at load",
        X,
        angular(X, min=-0.7, max=0.7),
        turned=((1, 0, 0), 1.0),
        expected=0.7,
    ),
)
SLIDERS = (
    *(
        slider(
            f"slider {LETTERS[axis]} {word}",
            axis,
            linear(axis, min=-0.2, max=0.3),
            push=push,
            expected=end,
        )
        for axis, word, push, end in (
            (X, "up", 1.0, 0.3),
            (X, "down", -1.0, -0.2),
            (Y, "up", 1.0, 0.3),
            (Z, "down", -1.0, -0.2),
        )
    ),
    slider("slider one-sided", Z, linear(Z, min=-0.3), push=-1.0, expected=-0.3),
    slider("slider free", X, push=1.0, seconds=0.5, expected=FALL),
    slider(
        "slider locked off zero",
        X,
        linear(X, min=0.3, max=0.3),
        push=-1.0,
        shift=(0.3, 0, 0),
        expected=0.3,
    ),
    slider(
        "slider soft lock",
        Z,
        linear(Z, **LOCK, stiffness=200.0, damping=20.0),
        push=-1.0,
        expected=-G / 200.0,
    ),
    slider(
        "slider soft limit",
        X,
        linear(X, min=-0.2, max=0.2, stiffness=500.0, damping=40.0),
        push=1.0,
        expected=0.2 + G / 500.0,
    ),
    point(
        "cylindrical",
        linear(Y, Z, **LOCK),
        angular(Y, Z, **LOCK),
        push=(1, 0, 0),
        axes=(X,),
        seconds=0.5,
        expected=FALL,
    ),
    point(
        "planar",
        linear(Z, **LOCK),
        angular(X, Y, **LOCK),
        push=(0.6, 0.8, 0),
        axes=(X, Y),
        seconds=0.5,
        expected=FALL,
    ),
    point("free", push=(0, 0, -1), axes=(Z,), seconds=0.5, expected=-FALL),
    point("weld", PINNED, STIFF, push=(0.6, 0, 0.8), axes=(X, Y, Z), expected=0.0),
)
BALLS = (
    ball("pin", X, seconds=0.5, expected=swing(0.5)),
    ball("universal", X, angular(X, **LOCK), seconds=0.5, expected=swing(0.5)),
    *(
        ball(f"cone {letter}", axis, angular(*but(axis), max=CONE), expected=CONE)
        for axis, letter in enumerate(LETTERS)
    ),
    ball(
        "cone with hole",
        X,
        angular(Y, Z, min=0.3, max=0.8),
        gravity=along(X, G),
        turned=((0, 0, 1), 0.5),
        expected=0.3,
    ),
    ball(
        "cone and twist",
        X,
        angular(Y, Z, max=CONE),
        angular(X, min=-0.25, max=0.25),
        arm=along(Y, ARM),
        gravity=along(Z, G),
        axes=(X,),
        expected=0.25,
    ),
    ball(
        "cone soft",
        X,
        angular(Y, Z, max=0.4, stiffness=10.0, damping=2.0),
        seconds=4.0,
        expected=balance(10.0, 0.4),
    ),
    ball("rotation", X, angular(X, Y, Z, max=0.6), axes=(X, Y, Z), expected=0.6),
    ball(
        "two ranges",
        X,
        angular(X, **LOCK),
        angular(Y, min=-0.4, max=0.4),
        angular(Z, min=-0.3, max=0.5),
        axes=(Z,),
        expected=0.5,
    ),
)
REACHES = (
    point(
        "tube",
        linear(X, **LOCK),
        linear(Y, Z, max=0.3),
        STIFF,
        push=(0, 0.6, 0.8),
        axes=(Y, Z),
        expected=0.3,
    ),
    point("distance", linear(X, Y, Z, max=0.6), push=(0, 0, -1), axes=(X, Y, Z), expected=0.6),
    point(
        "distance with hole",
        linear(X, Y, Z, min=0.4, max=0.8),
        push=(0, 0, -1),
        shift=(0, 0, 0.6),
        axes=(X, Y, Z),
        expected=0.4,
    ),
)
DRIVES = (
    slider(
        "linear spring",
        X,
        push=1.0,
        expected=0.1 + G / 100.0,
        drives=(drive("linear", X, position_target=0.1, stiffness=100.0, damping=20.0),),
    ),
    hinge(
        "angular spring",
        Z,
        push=1.0,
        expected=balance(20.0, 0.3),
        drives=(drive("angular", Z, position_target=0.3, stiffness=20.0, damping=4.0),),
    ),
    slider(
        "linear motor",
        Y,
        seconds=0.5,
        expected=started(1.0, 0.5, 0.25),
        drives=(drive("linear", Y, velocity_target=1.0, damping=4.0),),
    ),
    hinge(
        "angular motor",
        Z,
        seconds=0.5,
        expected=started(2.0, 0.5, ABOUT_JOINT / 0.9),
        drives=(drive("angular", Z, velocity_target=2.0, damping=0.9),),
    ),
    slider(
        "weak motor",
        X,
        seconds=0.5,
        expected=0.25,
        drives=(drive("linear", X, velocity_target=10.0, damping=1e4, max_force=2.0),),
    ),
    slider(
        "both targets",
        X,
        expected=0.2 + 5.0 * 0.5 / 50.0,
        drives=(
            drive(
                "linear", X, position_target=0.2, velocity_target=0.5, stiffness=50.0, damping=5.0
            ),
        ),
    ),
    slider(
        "linear acceleration",
        X,
        mass=4.0,
        seconds=0.2,
        expected=critical(0.3, 10.0, 0.2),
        drives=(
            drive(
                "linear", X, position_target=0.3, stiffness=100.0, damping=20.0, mode="acceleration"
            ),
        ),
    ),
    hinge(
        "angular acceleration",
        Z,
        seconds=0.2,
        expected=critical(0.3, 10.0, 0.2),
        drives=(
            drive(
                "angular",
                Z,
                position_target=0.3,
                stiffness=100.0,
                damping=20.0,
                mode="acceleration",
            ),
        ),
    ),
    slider(
        "undamped spring",
        X,
        shift=(0.1, 0, 0),
        seconds=0.5,
        expected=0.1 * math.cos(5.0),
        drives=(drive("linear", X, position_target=0.0, stiffness=100.0),),
    ),
)
PROBES: dict[str, Probe] = {
    probe.name: probe for probe in (*HINGES, *SLIDERS, *BALLS, *REACHES, *DRIVES)
}
