"""A scene whose motion is known, which shows whether MuJoCo does what is asked of it."""

import numpy as np

from ...findings.finding import Finding
from ...model.body import Collider, Motion
from ...model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ...model.scene import Joint, PhysicsScene
from ...model.shape import Sphere
from ..acting import model_of_scene
from ..bodies import bodies_of, motions_at_rest
from ..memory import new_memory
from ..rate import STEP
from .collision import contact_model

_CLOSE = 1e-6
_STEPS = 3


def scene() -> PhysicsScene:
    """Return a ball on a vertical slider that a motor of 2 N pushes onto another ball."""
    settings = JointSettings(
        limits=(
            JointLimit(linear_axes=(0, 1), min=0.0, max=0.0),
            JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.0),
            JointLimit(linear_axes=(2,), min=-1.0, max=1.0),
        ),
        drives=(
            JointDrive(
                type=DriveType.LINEAR, axis=2, velocity_target=-5.0, damping=1e4, max_force=2.0
            ),
        ),
    )
    matrices = np.tile(np.eye(4), (4, 1, 1))
    matrices[1, 2, 3] = -1.0
    ball = Collider(shape=Sphere(radius=0.5))
    return PhysicsScene(
        names=("moving", "below", "frame", "connected"),
        parents=np.array((-1, -1, -1, 0), np.intp),
        matrices=matrices,
        motions={0: Motion(mass=1.0, inertia_diagonal=(0.1, 0.1, 0.1))},
        joints=(Joint(node=2, connected=3, settings=settings),),
        colliders={0: ball, 1: ball},
    )


def problem() -> str:
    """Return what is wrong with steps that MuJoCo solves, empty where nothing is.

    The ball stays where it is, and the contact carries its weight and the motor: m g + 2 N.
    """
    known, findings = scene(), list[Finding]()
    bodies, _assumed = bodies_of(known)
    model = model_of_scene(known, bodies, [0], (), findings, rigid_locks=False)
    contacts = contact_model(known, model)
    if contacts is None:
        return "it finds no contact"
    course, motions = contacts.course(), motions_at_rest(bodies)
    memory = new_memory(model, motions)
    for number in range(_STEPS):
        motions = course.advance(motions, memory, STEP, pull=None, renew=number == 0)
    moved = float(np.abs(motions.center[:, 1]).max())
    force = float(np.linalg.norm(course.contact_forces()[:, 3:6].sum(axis=0)))
    wanted = 2.0 - float(known.gravity[2])
    is_right = moved < _CLOSE and abs(force - wanted) < 1e-3 * wanted
    return "" if is_right else "its steps are not those of this simulation"
