"""Probes in MuJoCo: MJCF files as written, and models in the joint's own coordinates.

The models are written for the probes alone. Axes that are locked get no joint. Cones are chords
between two points on the axes, tubes and distances tendons between the frames, soft bounds springs
with a dead band. A soft cone, and twist bounded beside a cone, have no equal there.
"""

import importlib.util
import math
from collections.abc import Iterator, Sequence

import numpy as np

from omi_joints_addon.core.model.joint import DriveMode, DriveType, JointDrive, JointLimit
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.io.formats.mjcf import MJCF
from tests.core.probe import ABOUT_JOINT, MOMENT, Probe
from tests.core.solver_scenes import turn
from tests.oracles.files import Column, Job, Poses, write_as

STEP = 0.0005
STIFF = 'solreflimit="0.002 1" solimplimit="0.999 0.9999 0.0001"'


def measure(probe: Probe) -> float | None:
    """Return what is measured in the end [m or rad]; None where MuJoCo cannot say the joint."""
    import mujoco

    text = _model(probe)
    if text is None:
        return None
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    _start(probe, model, data)
    while data.time < probe.seconds - 1e-9:
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    site = model.site("frame").id
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, data.site_xmat[site])
    return probe.measured(Pose(data.site_xpos[site], np.roll(quaternion, -1)))


def is_here() -> bool:
    """Return whether MuJoCo can be asked."""
    return importlib.util.find_spec("mujoco") is not None


def run(jobs: Sequence[Job]) -> list[list[Poses]]:
    """Return the poses at each stop of each MJCF file, at its own step."""
    return [[*_run(job)] for job in jobs]


def _run(job: Job) -> Iterator[Poses]:
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(job.path))
    data = mujoco.MjData(model)
    if model.nkey:
        # Initial velocities and the targets of drives are in the file's keyframe.
        mujoco.mj_resetDataKeyframe(model, data, 0)
    for stop in job.stops:
        while data.time < stop - 0.5 * model.opt.timestep:
            mujoco.mj_step(model, data)
        mujoco.mj_kinematics(model, data)
        bodies = [model.body(number) for number in range(1, model.nbody)]
        yield {
            body.name: Pose(data.xpos[body.id].copy(), np.roll(data.xquat[body.id], -1))
            for body in bodies
        }


COLUMN = Column(
    name="MJCF in MuJoCo",
    suffix=".xml",
    is_here=is_here,
    write=lambda probe, path: write_as(MJCF, probe.scene(), path),
    run=run,
)


def _start(probe: Probe, model, data) -> None:
    """Put the joints where the probe starts."""
    axis, angle = probe.turned
    for number in range(model.njnt):
        name, at = model.joint(number).name, model.jnt_qposadr[number]
        if name == "ball":
            data.qpos[at : at + 4] = np.roll(turn(axis, angle), 1)
        elif name[0] == "s":
            data.qpos[at] = probe.shift[int(name[1])]
        else:
            data.qpos[at] = angle * axis[int(name[1])]


def _model(probe: Probe) -> str | None:
    is_ball = len(_left(probe, is_angular=True)) == 3
    for limit in probe.limits:
        is_soft_cone = not limit.is_rigid and len(limit.angular_axes) > 1
        if is_soft_cone or (is_ball and len(limit.angular_axes) == 1):
            return None
    joints, tendons = "".join(_joints(probe)), "".join(_tendons(probe))
    actuators = "".join(_actuator(probe, drive) for drive in probe.drives)
    moment = MOMENT * probe.mass
    return (
        f'<mujoco><compiler angle="radian"/><option timestep="{STEP}" integrator="implicitfast" '
        f'gravity="{_text(probe.gravity)}"><flag contact="disable"/></option><worldbody>'
        f'<site name="world"/>{_sites("a")}<body>{joints}'
        f'<site name="frame"/>{_sites("b")}<inertial pos="{_text(probe.arm)}" mass="{probe.mass}" '
        f'diaginertia="{moment} {moment} {moment}"/></body></worldbody>'
        f"<tendon>{tendons}</tendon><actuator>{actuators}</actuator></mujoco>"
    )


def _sites(name: str) -> str:
    return "".join(f'<site name="{name}{n}" pos="{_text(np.eye(3)[n])}"/>' for n in range(3))


def _joints(probe: Probe) -> Iterator[str]:
    linear, angular = _left(probe, is_angular=False), _left(probe, is_angular=True)
    for axis in linear:
        yield _joint(f"s{axis}", "slide", axis, _range(probe, axis, is_angular=False))
    if len(angular) == 3:
        turns = [limit.max for limit in probe.limits if len(limit.angular_axes) == 3]
        most = f'limited="true" range="0 {turns[0]}" {STIFF}' if turns else ""
        yield f'<joint name="ball" type="ball" {most}/>'
    else:
        for axis in angular:
            yield _joint(f"h{axis}", "hinge", axis, _range(probe, axis, is_angular=True))


def _joint(name: str, kind: str, axis: int, bounds: tuple[float, float]) -> str:
    lower, upper = (max(min(bound, 1e3), -1e3) for bound in bounds)
    limited = str(bounds != (-math.inf, math.inf)).lower()
    upper = max(upper, lower + 1e-6)
    return (
        f'<joint name="{name}" type="{kind}" axis="{_text(np.eye(3)[axis])}" '
        f'limited="{limited}" range="{lower} {upper}" {STIFF}/>'
    )


def _axes(limit: JointLimit, *, is_angular: bool) -> tuple[int, ...]:
    return limit.angular_axes if is_angular else limit.linear_axes


def _left(probe: Probe, *, is_angular: bool) -> list[int]:
    """Return the axes that are not rigidly locked at zero."""
    locks = [limit for limit in probe.limits if limit.is_rigid and limit.min == limit.max == 0.0]
    locked = {axis for limit in locks for axis in _axes(limit, is_angular=is_angular)}
    return [axis for axis in range(3) if axis not in locked]


def _range(probe: Probe, axis: int, *, is_angular: bool) -> tuple[float, float]:
    """Return what rigid limits of one axis leave."""
    own = [
        limit
        for limit in probe.limits
        if limit.is_rigid and _axes(limit, is_angular=is_angular) == (axis,)
    ]
    return max((one.min for one in own), default=-math.inf), min(
        (one.max for one in own), default=math.inf
    )


def _tendons(probe: Probe) -> Iterator[str]:
    for limit in probe.limits:
        several = max(len(limit.linear_axes), len(limit.angular_axes)) > 1
        if not limit.is_rigid:
            name = f"s{limit.linear_axes[0]}" if limit.linear_axes else f"h{limit.angular_axes[0]}"
            yield (
                f'<fixed springlength="{limit.min} {limit.max}" stiffness="{limit.stiffness}" '
                f'damping="{limit.damping}"><joint joint="{name}" coef="1"/></fixed>'
            )
        elif several and limit.max > 0.0 and len(limit.angular_axes) == 2:
            lower, upper = (
                2.0 * math.sin(max(bound, 0.0) / 2.0) for bound in (limit.min, limit.max)
            )
            main = 3 - sum(limit.angular_axes)
            yield _spatial(f"a{main}", f"b{main}", lower, upper)
        elif several and limit.max > 0.0 and limit.linear_axes:
            yield _spatial("world", "frame", max(limit.min, 0.0), limit.max)


def _spatial(one: str, other: str, lower: float, upper: float) -> str:
    return (
        f'<spatial limited="true" range="{lower} {upper}" {STIFF}>'
        f'<site site="{one}"/><site site="{other}"/></spatial>'
    )


def _actuator(probe: Probe, drive: JointDrive) -> str:
    is_angular = drive.type == DriveType.ANGULAR
    name = f"{'h' if is_angular else 's'}{drive.axis}"
    scale = 1.0
    if drive.mode == DriveMode.ACCELERATION:
        scale = ABOUT_JOINT * probe.mass if is_angular else probe.mass
    gain, bias = drive.stiffness * scale, drive.damping * scale
    goal = gain * (drive.position_target or 0.0) + bias * (drive.velocity_target or 0.0)
    most = min(drive.max_force, 1e9)
    return (
        f'<general joint="{name}" gainprm="0" biastype="affine" biasprm="{goal} {-gain} {-bias}" '
        f'forcelimited="true" forcerange="{-most} {most}"/>'
    )


def _text(values) -> str:
    return " ".join(map(str, np.asarray(values, float).tolist()))
