"""MJCF as MuJoCo compiles it."""

from pathlib import Path

import mujoco
import numpy as np

from tests.facts.facts import WORLD, File, Moving, Weight, extent, key, on_screen, pose

_SHAPES = {2: "sphere", 3: "capsule", 5: "cylinder", 6: "box"}
_KINDS = {1: "ball", 2: "slide", 3: "hinge"}


def facts(path: Path) -> File:
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    found = File(whole={"gravity": tuple(model.opt.gravity.tolist())})
    for body in range(1, model.nbody):
        _add_body(found, model, data, body)
    for joint in range(model.njnt):
        if model.jnt_type[joint]:
            _add_joint(found, model, data, joint)
    for geom in range(model.ngeom):
        _add_geom(found, model, data, geom)
    _add_pairs(found, model)
    return found


def _add_body(found: File, model, data, body: int) -> None:
    name, above = key(model.body(body).name), int(model.body_parentid[body])
    found.links[name] = pose(data.xmat[body].reshape(3, 3), data.xpos[body])
    if model.body_weldid[body] == 0:
        found.held.add(name)
        return
    turn = data.ximat[body].reshape(3, 3)
    tensor = turn @ np.diag(model.body_inertia[body]) @ turn.T
    found.weights[name] = Weight(float(model.body_mass[body]), data.xipos[body].copy(), tensor)
    if not model.body_jntnum[body]:
        found.joints[f"weld of {name}"] = Moving("fixed", key(model.body(above).name), name)


def _add_joint(found: File, model, data, joint: int) -> None:
    body = int(model.jnt_bodyid[joint])
    above = int(model.body_parentid[body])
    parent = WORLD if model.body_weldid[above] == 0 else key(model.body(above).name)
    child, kind = key(model.body(body).name), _KINDS[int(model.jnt_type[joint])]
    name = key(model.joint(joint).name)
    if kind == "ball":
        found.joints[name] = Moving(kind, parent, child)
        return
    dof = int(model.jnt_dofadr[joint])
    low, high = model.jnt_range[joint].tolist()
    is_limited = bool(model.jnt_limited[joint])
    effort = float(model.jnt_actfrcrange[joint][1]) if model.jnt_actfrclimited[joint] else np.inf
    values = {
        "drive": _gains(model, joint),
        "friction": float(model.dof_frictionloss[dof]),
        "armature": float(model.dof_armature[dof]),
        "effort": effort,
    }
    found.joints[name] = Moving(
        kind,
        parent,
        child,
        anchor=data.xanchor[joint].copy(),
        axis=data.xaxis[joint].copy(),
        rest=float(model.qpos0[model.jnt_qposadr[joint]]),
        range=(low, high) if is_limited else (-np.inf, np.inf),
        values=values,
    )


def _gains(model, joint: int) -> tuple[float, float, float]:
    """Return stiffness, damping and force at zero of springs, dampers and servos together."""
    dof = int(model.jnt_dofadr[joint])
    stiffness, damping = (
        float(np.ravel(part)[0]) for part in (model.jnt_stiffness[joint], model.dof_damping[dof])
    )
    pull = stiffness * float(model.qpos_spring[model.jnt_qposadr[joint]])
    for actuator in range(model.nu):
        is_affine = int(model.actuator_biastype[actuator]) == 1
        if is_affine and int(model.actuator_trnid[actuator][0]) == joint:
            gear = float(model.actuator_gear[actuator][0]) ** 2
            stiffness -= gear * float(model.actuator_biasprm[actuator][1])
            damping -= gear * float(model.actuator_biasprm[actuator][2])
    return stiffness, damping, pull


def _add_geom(found: File, model, data, geom: int) -> None:
    found.colors |= {on_screen(model.geom_rgba[geom])} - {(0.5, 0.5, 0.5)}
    kind = _SHAPES.get(int(model.geom_type[geom]))
    if kind is None or not (model.geom_contype[geom] or model.geom_conaffinity[geom]):
        return
    name = key(model.body(int(model.geom_bodyid[geom])).name)
    matrix = pose(data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom])
    found.surfaces.setdefault(name, set()).add(round(float(model.geom_friction[geom][0]), 6))
    found.extents.setdefault(name, []).append(extent(kind, model.geom_size[geom], matrix))


def _add_pairs(found: File, model) -> None:
    for equality in range(model.neq):
        if int(model.eq_type[equality]) == 2:
            one, two = (key(model.joint(int(each[equality])).name) for each in _ends(model))
            offset, factor = model.eq_data[equality][:2].tolist()
            found.joints[one].values["coupling"] = (two, offset, factor)

    for body in range(1, model.nbody):
        above = int(model.body_weldid[model.body_parentid[int(model.body_weldid[body])]])
        if model.body_weldid[body] and above:
            together = [n for n in range(1, model.nbody) if model.body_weldid[n] == above]
            found.apart |= {_pair(model, body, other) for other in together}
        found.apart |= {
            _pair(model, body, other)
            for other in range(1, model.nbody)
            if other != body and model.body_weldid[other] == model.body_weldid[body]
        }
    for signature in model.exclude_signature.tolist():
        found.apart.add(_pair(model, signature >> 16, signature & 0xFFFF))


def _pair(model, one: int, two: int) -> frozenset[str]:
    return frozenset(key(model.body(body).name) for body in (one, two))


def _ends(model):
    return model.eq_obj1id, model.eq_obj2id
