"""MJCF files as MuJoCo compiles them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...core.model.pose import Array
from ..formats.beside import Folders
from ..formats.format import Source
from ..formats.mjcf.expanding import require_contained
from ..formats.mjcf.parsing import parsed
from .model import (
    EngineBody,
    EngineCollider,
    EngineJoint,
    EngineModel,
    LoadError,
    Positions,
    screw,
)

_KINDS = {0: "free", 1: "ball", 2: "slide", 3: "hinge"}
"""Names of the types of joints (mjtJoint)."""
_BOX, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _MESH = 6, 2, 3, 4, 5, 7
"""Types of geoms (mjtGeom)."""
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def loaded(path: Path, folders: tuple[Path, ...] = ()) -> EngineModel:
    """Return the model of a file, which may refer to its own folder and to these.

    Raises `LoadError`, and `ImportError` without MuJoCo.
    """
    import mujoco

    try:
        root = parsed(Source(path=path).text())
        require_contained(root, path.parent, Folders(path, folders, {}))
        model = mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, RuntimeError, OSError) as error:
        raise LoadError(str(error).splitlines()[0] if str(error) else "no reason given") from error
    return _Loaded(mujoco, model).model()


class _Loaded:
    def __init__(self, mujoco: Any, model: Any) -> None:
        self._mujoco, self._model = mujoco, model
        self._data = mujoco.MjData(model)
        self._joints = {
            model.joint(number).name or f"joint {number}": number for number in range(model.njnt)
        }
        self._names = {number: name for name, number in self._joints.items()}
        self._groups = self._grouped()

    def model(self) -> EngineModel:
        model = self._model
        actuators = dict(self._actuators())
        self._place({})
        return EngineModel(
            engine=f"MuJoCo {self._mujoco.__version__}",
            joints={
                name: self._joint(number)
                for name, number in self._joints.items()
                if model.jnt_type[number] != 0
            },
            bodies=self._bodies,
            unnamed=frozenset(self._names[n] for n in self._names if not model.joint(n).name),
            actuators={name: f"{kind} of {joint}" for name, (kind, joint) in actuators.items()},
            commanded=frozenset(joint for _, joint in actuators.values()),
            poses=self._poses,
        )

    def _grouped(self) -> dict[int, list[int]]:
        """Return the bodies that move as one, by the first of them, without those of the world."""
        groups: dict[int, list[int]] = {}
        for body in range(1, self._model.nbody):
            root = int(self._model.body_weldid[body])
            if root and self._model.body_mocapid[root] < 0:
                groups.setdefault(root, []).append(body)
        return groups

    def _place(self, positions: Positions) -> None:
        model, data = self._model, self._data
        data.qpos[:] = model.qpos0
        for name, number in self._joints.items():
            if model.jnt_type[number] >= 2:
                data.qpos[model.jnt_qposadr[number]] = positions.get(name, 0.0)
        self._mujoco.mj_kinematics(model, data)
        self._mujoco.mj_comPos(model, data)

    def _bodies(self, positions: Positions) -> tuple[EngineBody, ...]:
        self._place(positions)
        return tuple(self._body(bodies) for bodies in self._groups.values())

    def _poses(self, positions: Positions) -> Mapping[str, Array]:
        self._place(positions)
        found = {}
        for body in range(1, self._model.nbody):
            matrix = np.eye(4)
            matrix[:3, :3] = self._data.xmat[body].reshape(3, 3)
            matrix[:3, 3] = self._data.xpos[body]
            found[self._model.body(body).name] = matrix
        return found

    def _joint(self, number: int) -> EngineJoint:
        model = self._model
        is_limited = bool(model.jnt_limited[number])
        low, high = model.jnt_range[number].tolist() if is_limited else (-np.inf, np.inf)
        dof = int(model.jnt_dofadr[number])
        stiffness, damping = float(model.jnt_stiffness[number]), float(model.dof_damping[dof])
        for at in range(model.nu):
            if self._acts_on(at, number):
                gear = float(model.actuator_gear[at][0])
                stiffness -= gear * gear * float(model.actuator_biasprm[at][1])
                damping -= gear * gear * float(model.actuator_biasprm[at][2])
        has_effort = bool(model.jnt_actfrclimited[number])
        return EngineJoint(
            kind=_KINDS[int(model.jnt_type[number])],
            lower=low,
            upper=high,
            effort=float(model.jnt_actfrcrange[number][1]) if has_effort else None,
            stiffness=stiffness,
            damping=damping,
            screws=self._screws(number),
        )

    def _screws(self, number: int) -> Array:
        """Return the motions of a joint where the model is placed."""
        model, data = self._model, self._data
        kind, anchor = _KINDS[int(model.jnt_type[number])], data.xanchor[number]
        axes = np.eye(3) if kind == "ball" else data.xaxis[number][None]
        return np.array([screw(axis, anchor, turns=kind != "slide") for axis in axes])

    def _acts_on(self, actuator: int, joint: int) -> bool:
        model = self._model
        is_joint = int(model.actuator_trntype[actuator]) in (0, 1)
        is_affine = int(model.actuator_biastype[actuator]) == 1
        return is_joint and is_affine and int(model.actuator_trnid[actuator][0]) == joint

    def _actuators(self) -> Iterator[tuple[str, tuple[str, str]]]:
        model = self._model
        for at in range(model.nu):
            is_joint = int(model.actuator_trntype[at]) in (0, 1)
            joint = self._names[int(model.actuator_trnid[at][0])] if is_joint else ""
            _, stiffness, damping = model.actuator_biasprm[at][:3]
            is_affine = int(model.actuator_biastype[at]) == 1
            kind = "position" if is_affine and stiffness else "motor"
            kind = "velocity" if is_affine and damping and not stiffness else kind
            kind = kind if int(model.actuator_biastype[at]) < 2 else "muscle or other"
            yield model.actuator(at).name or f"actuator {at}", (kind, joint)

    def _path(self, body: int) -> tuple[str, ...]:
        """Return the joints from the root to a body."""
        model = self._model
        found: list[str] = []
        while body:
            start, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
            numbers = range(start, start + count)
            found[:0] = [self._names[n] for n in numbers if model.jnt_type[n] != 0]
            body = int(model.body_parentid[body])
        return tuple(found)

    def _body(self, bodies: list[int]) -> EngineBody:
        model, data = self._model, self._data
        first = bodies[0]
        masses = model.body_mass[bodies]
        mass = float(masses.sum())
        centers = data.xipos[bodies]
        center = (masses[:, None] * centers).sum(axis=0) / mass if mass else data.xpos[first]
        tensor = np.zeros((3, 3))
        for body, one, place in zip(bodies, masses, centers, strict=True):
            turn = data.ximat[body].reshape(3, 3)
            arm = place - center
            tensor += turn @ np.diag(model.body_inertia[body]) @ turn.T
            tensor += one * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        return EngineBody(
            names=frozenset(model.body(body).name for body in bodies),
            path=self._path(first),
            mass=mass,
            center=np.array(center),
            tensor=tensor,
            colliders=tuple(self._colliders(bodies)),
        )

    def _colliders(self, bodies: list[int]) -> Iterator[EngineCollider]:
        model, data = self._model, self._data
        for geom in range(model.ngeom):
            if int(model.geom_bodyid[geom]) not in bodies:
                continue
            if not (model.geom_contype[geom] or model.geom_conaffinity[geom]):
                continue
            turn, place = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
            found = self._shape(geom, turn, place)
            if found is not None:
                yield found

    def _shape(self, geom: int, turn: Array, place: Array) -> EngineCollider | None:
        model = self._model
        kind, size = int(model.geom_type[geom]), model.geom_size[geom]
        ends = np.array((turn[:, 2], -turn[:, 2])) * size[1] + place
        if kind == _SPHERE:
            return EngineCollider(points=place[None].copy(), radius=float(size[0]))
        if kind == _CAPSULE:
            return EngineCollider(points=ends, radius=float(size[0]))
        if kind == _CYLINDER:
            return EngineCollider(points=ends, disc=(turn[:, 2].copy(), float(size[0])))
        if kind == _BOX:
            return EngineCollider(points=_CORNERS * size @ turn.T + place)
        if kind == _MESH:
            mesh = int(model.geom_dataid[geom])
            start, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
            return EngineCollider(points=model.mesh_vert[start : start + count] @ turn.T + place)
        return None
