"""The solver beside MuJoCo, an independent one in joint coordinates, on scenes built for both.

Both run at steps far finer than what the preview needs, so that what is compared is the physics.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.articulation import Coupling
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.model.pose import rotate
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import SceneBuilder, Together, turn

pytestmark = pytest.mark.slow

mujoco = pytest.importorskip("mujoco", reason="mujoco-core is not installed")

FREE = {"min_angle": -math.inf, "max_angle": math.inf}
HINGES = [presets.hinge(axis=axis, **FREE) for axis in range(3)]
PIN = presets.pin()
SLIDERS = [presets.slider(axis=axis, min_distance=-9.0, max_distance=9.0) for axis in range(3)]


class Both:
    """A tree of bodies whose joints sit at their bodies' upper ends, for both solvers."""

    def __init__(self, *, gravity=(0.0, 0.0, -9.81)):
        self.build = SceneBuilder(gravity=gravity)
        self.gravity = gravity
        self.bodies: list[int] = []
        self.places: list[np.ndarray] = []
        self.rotations: list[np.ndarray] = []
        self.children: dict[int, list[int]] = {-1: []}
        self.texts: list[str] = []
        self.actuators: list[str] = []
        self.equalities: list[str] = []
        self.couplings: list[Coupling] = []

    def add(self, settings, place, joint, kind, *, parent=-1, axis=0, drive=None, **motion):
        """Add a body at `place` with a joint at the world point `joint` to the body `parent`."""
        number = len(self.bodies)
        rotation = motion.pop("rotation", np.array((0.0, 0.0, 0.0, 1.0)))
        mass, inertia = motion.pop("mass", 1.0), motion.pop("inertia", (0.02, 0.03, 0.04))
        node = self.build.body(place, rotation, mass=mass, inertia=inertia, **motion)
        if drive is not None:
            settings = JointSettings(limits=settings.limits, drives=(drive,))
        first = -1 if parent < 0 else self.bodies[parent]
        self.build.joint(settings, first, node, joint, rotation)
        before = np.zeros(3) if parent < 0 else self.places[parent]
        x, y, z, w = rotation
        local = np.asarray(joint, float) - place
        text = self._joint(number, kind, axis, rotate((-x, -y, -z, w), local), drive)
        turned = " ".join(map(str, (w, x, y, z)))
        if parent >= 0:
            assert np.allclose(self.rotations[parent], (0, 0, 0, 1)), "only leaves are turned"
        offset = " ".join(map(str, np.asarray(place, float) - before))
        moments = " ".join(map(str, inertia))
        self.texts.append(
            f'<body name="b{number}" pos="{offset}" quat="{turned}">{text}'
            f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{moments}"/>%s</body>'
        )
        self.bodies.append(node)
        self.places.append(np.asarray(place, float))
        self.rotations.append(rotation)
        self.children[parent].append(number)
        self.children[number] = []
        return number

    def couple(self, follower, source, coefficients):
        """Let the joint of one body follow that of another one; MuJoCo's is soft, as stiff here."""
        self.couplings.append(Coupling(joint=follower, source=source, coefficients=coefficients))
        terms = (*coefficients, 0, 0, 0, 0)[:5]
        self.equalities.append(
            f'<joint joint1="j{follower}" joint2="j{source}" '
            f'polycoef="{" ".join(map(str, terms))}" solref="0.0005 1" solimp=".9999 .9999 .001"/>'
        )

    def _joint(self, number, kind, axis, local, drive):
        position, unit = " ".join(map(str, local)), " ".join(map(str, np.eye(3)[axis]))
        if drive is not None:
            gain, bias = drive.stiffness, drive.damping
            goal = gain * (drive.position_target or 0.0) + bias * (drive.velocity_target or 0.0)
            most, is_limited = min(drive.max_force, 1e9), math.isfinite(drive.max_force)
            self.actuators.append(
                f'<general joint="j{number}" gainprm="1" biastype="affine" '
                f'biasprm="{goal} {-gain} {-bias}" '
                f'forcelimited="{str(is_limited).lower()}" forcerange="{-most} {most}"/>'
            )
        tail = f' axis="{unit}"' if kind != "ball" else ""
        return f'<joint name="j{number}" type="{kind}" pos="{position}"{tail}/>'

    def _text(self, number):
        inner = "".join(self._text(child) for child in self.children[number])
        return inner if number < 0 else self.texts[number] % inner

    def scene(self):
        """Return the scene for our solver."""
        return replace(self.build.scene(), couplings=tuple(self.couplings))

    def theirs(self, seconds):
        """Return the places (f, b, 3) [m] of all bodies at each frame in MuJoCo."""
        gravity = " ".join(map(str, self.gravity))
        model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="0.0002" integrator="RK4" gravity="{gravity}">'
            '<flag contact="disable"/></option>'
            f"<worldbody>{self._text(-1)}</worldbody>"
            f"<actuator>{''.join(self.actuators)}</actuator>"
            f"<equality>{''.join(self.equalities)}</equality></mujoco>"
        )
        data, found = mujoco.MjData(model), []
        for frame in range(1, round(seconds * FPS) + 1):
            while data.time < frame / FPS - 1e-9:
                mujoco.mj_step(model, data)
            chosen = [model.body(f"b{n}").id for n in range(len(self.bodies))]
            found.append(data.xpos[chosen].copy())
        return np.array(found)


FPS = 60
SUBSTEPS = 10


def single_hinge(axis):
    both = Both(gravity=(1.0, -5.0, -8.0))
    both.add(HINGES[axis], (0.3, 0.4, -0.5), (0, 0, 0), "hinge", axis=axis)
    return both


def ball_pendulum():
    both = Both()
    both.add(PIN, (0.6, 0.2, -0.4), (0, 0, 0), "ball", rotation=turn((1, 2, 3), 0.8))
    return both


def slider_in_gravity():
    both = Both(gravity=(2.0, -1.0, -3.0))
    both.add(SLIDERS[1], (0, 0, 0), (0, 0, 0), "slide", axis=1)
    return both


def double_pendulum():
    both = Both()
    first = both.add(HINGES[1], (0.4, 0, 0), (0, 0, 0), "hinge", axis=1)
    both.add(HINGES[1], (1.2, 0, 0), (0.8, 0, 0), "hinge", axis=1, parent=first, mass=0.5)
    return both


def hinge_on_hinge():
    """Axes across each other: the second one is carried around."""
    both = Both()
    first = both.add(HINGES[2], (0.4, 0, 0.1), (0, 0, 0), "hinge", axis=2)
    both.add(HINGES[0], (0.8, 0.3, -0.2), (0.6, 0, 0), "hinge", axis=0, parent=first)
    return both


def pendulum_on_cart():
    both = Both()
    cart = both.add(SLIDERS[0], (0, 0, 0), (0, 0, 0), "slide", axis=0, mass=2.0)
    both.add(HINGES[1], (0.5, 0, -0.3), (0, 0, 0), "hinge", axis=1, parent=cart)
    return both


def spring_and_damper():
    both = Both()
    drive = JointDrive(position_target=0.3, stiffness=60.0, damping=2.0, axis=2)
    first = both.add(SLIDERS[2], (0, 0, -0.5), (0, 0, 0), "slide", axis=2, drive=drive)
    both.add(HINGES[1], (0.4, 0, -0.8), (0, 0, -0.5), "hinge", axis=1, parent=first, mass=0.7)
    return both


def bounded_servo():
    both = Both()
    drive = JointDrive(
        type="angular", axis=1, position_target=1.0, stiffness=40.0, damping=4.0, max_force=6.0
    )
    both.add(HINGES[1], (0.5, 0, 0), (0, 0, 0), "hinge", axis=1, drive=drive)
    return both


def tree_of_pins():
    both = Both()
    trunk = both.add(PIN, (0, 0, -0.5), (0, 0, 0), "ball", mass=2.0)
    for x in (-0.5, 0.5, 0.3):
        both.add(PIN, (x, 0.2, -1.0), (x / 2, 0, -0.8), "ball", parent=trunk)
    return both


def chain_of_twenty():
    both = Both(gravity=(1.5, 0.8, -9.81))
    before = -1
    for number in range(20):
        place, top = (0, 0, -0.1 * (number + 0.5)), (0, 0, -0.1 * number)
        inertia = (2e-4, 2e-4, 1e-4)
        before = both.add(PIN, place, top, "ball", parent=before, mass=0.1, inertia=inertia)
    return both


def geared_pendulums():
    """The second swings by a line of the first, beside it."""
    both = Both()
    first = both.add(HINGES[1], (0.5, 0, 0), (0, 0, 0), "hinge", axis=1)
    second = both.add(HINGES[1], (0.3, 1, 0), (0, 1, 0), "hinge", axis=1, mass=2.0)
    both.couple(second, first, (0.0, -1.5))
    return both


def curved_gripper():
    """On an arm: a finger slides by a curve of a hinge, another one by a line of the finger."""
    both = Both()
    arm = both.add(HINGES[1], (0.4, 0, 0), (0, 0, 0), "hinge", axis=1, mass=2.0)
    crank = both.add(HINGES[2], (0.8, 0.1, 0), (0.8, 0, 0), "hinge", axis=2, parent=arm, mass=0.5)
    finger = both.add(SLIDERS[0], (1, 0.2, 0), (1, 0.2, 0), "slide", axis=0, parent=arm, mass=0.3)
    other = both.add(SLIDERS[1], (1, -0.2, 0), (1, -0.2, 0), "slide", axis=1, parent=arm, mass=0.4)
    both.couple(finger, crank, (0.0, 0.3, 0.2, -0.05))
    both.couple(other, finger, (0.0, -0.7))
    return both


def geared_chain():
    """The outer link of a double pendulum follows the inner one, on bodies that both move."""
    both = Both()
    first = both.add(HINGES[1], (0.4, 0, 0), (0, 0, 0), "hinge", axis=1)
    second = both.add(HINGES[1], (1.2, 0, 0), (0.8, 0, 0), "hinge", axis=1, parent=first, mass=0.5)
    both.couple(second, first, (0.0, -2.0, 0.3))
    return both


CASES = {
    "hinge X": (lambda: single_hinge(0), 2.0),
    "hinge Y": (lambda: single_hinge(1), 2.0),
    "hinge Z": (lambda: single_hinge(2), 2.0),
    "ball": (ball_pendulum, 2.0),
    "slider": (slider_in_gravity, 1.0),
    "double pendulum": (double_pendulum, 1.5),
    "hinge on hinge": (hinge_on_hinge, 1.5),
    "pendulum on cart": (pendulum_on_cart, 2.0),
    "spring and damper": (spring_and_damper, 2.0),
    "bounded servo": (bounded_servo, 2.0),
    "tree of pins": (tree_of_pins, 1.0),
    "chain of twenty": (chain_of_twenty, 1.0),
    "geared pendulums": (geared_pendulums, 1.5),
    "curved gripper": (curved_gripper, 1.0),
    "geared chain": (geared_chain, 1.5),
}


@pytest.fixture(scope="module")
def ours():
    """Return the places (f, n, 3) of all nodes of each case, simulated as islands of one scene."""
    made = {name: make() for name, (make, _) in CASES.items()}
    together = Together({name: each.scene() for name, each in made.items()})
    simulation = Simulation(together.scene)
    frames = []
    for _ in range(round(max(seconds for _, seconds in CASES.values()) * FPS)):
        simulation.advance(1.0 / FPS, substeps=SUBSTEPS)
        frames.append(simulation.matrices())
    return {
        name: np.array([together.matrices(name, each)[:, :3, 3] for each in frames])
        for name in made
    }


@pytest.mark.parametrize("case", CASES)
def test_bodies_move_as_in_mujoco(case, ours):
    make, seconds = CASES[case]
    both = make()
    theirs = both.theirs(seconds)
    off = ours[case][: len(theirs), both.bodies] - theirs
    assert np.abs(off).max() < 2e-3
