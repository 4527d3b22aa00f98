"""URDF files as Pinocchio loads them; shapes as their elements say."""

import os
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ...core.model.pose import Array
from .model import EngineBody, EngineCollider, EngineJoint, EngineModel, LoadError, Positions

_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def loaded(path: Path, _folders: tuple[Path, ...] = ()) -> EngineModel:
    """Return the model of a file, without its meshes.

    Raises `LoadError`, and `ImportError` without Pinocchio.
    """
    import pinocchio  # type: ignore[import-not-found]

    with _quiet() as printed:
        try:
            model = pinocchio.buildModelFromUrdf(str(path))
            root = ET.fromstring(path.read_bytes().lstrip())
            for element in root.iter():
                element.tag = element.tag.rpartition("}")[2]
        except (ValueError, RuntimeError, OSError, ET.ParseError) as error:
            raise LoadError(_reason(printed(), str(error))) from error
    return _Loaded(pinocchio, model, root).model()


@contextmanager
def _quiet() -> "Iterator[Any]":
    """Keep what a library in C++ prints to standard error; give a function that returns it."""
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:

        def printed() -> str:
            file.seek(0)
            return file.read().decode("utf-8", "replace")

        os.dup2(file.fileno(), 2)
        try:
            yield printed
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _reason(printed: str, error: str) -> str:
    """Return the first line of what urdfdom printed, else of the error."""
    lines = [line for text in (printed, error) for line in text.splitlines() if line.strip()]
    first = lines[0] if lines else "no reason given"
    return first.removeprefix("Error:").strip().partition("\n")[0]


class _Loaded:
    def __init__(self, pinocchio: Any, model: Any, root: ET.Element) -> None:
        self._pinocchio, self._model, self._root = pinocchio, model, root
        self._data = model.createData()
        self._links: dict[int, list[str]] = {}
        self._frames: dict[str, int] = {}
        for number, frame in enumerate(model.frames):
            if frame.type == pinocchio.FrameType.BODY:
                self._links.setdefault(int(frame.parentJoint), []).append(frame.name)
                self._frames[frame.name] = number

    def model(self) -> EngineModel:
        names = list(self._model.names)
        free = self._free()
        self._place({})
        neutral = self._pinocchio.neutral(self._model)
        motions = self._pinocchio.computeJointJacobians(self._model, self._data, neutral)
        self._motions = np.array(motions).reshape(6, -1, order="F")
        return EngineModel(
            engine=f"Pinocchio {self._pinocchio.__version__}",
            joints={names[n]: self._joint(n) for n in range(1, len(names)) if n not in free},
            bodies=self._bodies,
            commanded=frozenset(_commanded(self._root)),
            poses=self._poses,
            fixes_root=True,
        )

    def _bodies(self, positions: Positions) -> tuple[EngineBody, ...]:
        self._place(positions)
        return tuple(self._body(number) for number in range(1, self._model.njoints))

    def _free(self) -> set[int]:
        return {n for n in range(1, self._model.njoints) if self._model.joints[n].nv == 6}

    def _place(self, positions: Positions) -> None:
        model = self._model
        values = self._pinocchio.neutral(model)
        for number in range(1, model.njoints):
            joint, value = model.joints[number], positions.get(model.names[number], 0.0)
            if joint.nq == joint.nv == 1:
                values[joint.idx_q] = value
            elif (joint.nq, joint.nv) == (2, 1):
                values[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
        self._pinocchio.forwardKinematics(model, self._data, values)
        self._pinocchio.updateFramePlacements(model, self._data)

    def _poses(self, positions: Positions) -> Mapping[str, Array]:
        self._place(positions)
        frames = self._data.oMf
        return {name: np.array(frames[at].homogeneous) for name, at in self._frames.items()}

    def _joint(self, number: int) -> EngineJoint:
        model = self._model
        joint = model.joints[number]
        at = joint.idx_v
        # Pinocchio has the linear velocity first.
        screws = np.roll(self._motions[:, at : at + joint.nv].T, 3, axis=1)
        if joint.nv != 1:
            return EngineJoint(kind="free", screws=screws)
        is_bounded = joint.nq == 1
        kind = "slide" if joint.shortname().startswith("JointModelP") else "hinge"
        effort, velocity = float(model.effortLimit[at]), float(model.velocityLimit[at])
        return EngineJoint(
            kind=kind,
            lower=float(model.lowerPositionLimit[joint.idx_q]) if is_bounded else -np.inf,
            upper=float(model.upperPositionLimit[joint.idx_q]) if is_bounded else np.inf,
            effort=effort,
            velocity=velocity,
            stiffness=0.0,
            damping=float(model.damping[at]),
            screws=screws,
        )

    def _path(self, number: int) -> tuple[str, ...]:
        """Return the joints from the root to one."""
        free = self._free()
        chain = [int(each) for each in self._model.supports[number]]
        return tuple(str(self._model.names[n]) for n in chain if n and n not in free)

    def _body(self, number: int) -> EngineBody:
        inertia = self._model.inertias[number]
        place = self._data.oMi[number]
        turn = np.array(place.rotation)
        links = self._links.get(number, [])
        return EngineBody(
            names=frozenset(links),
            path=self._path(number),
            mass=float(inertia.mass),
            center=np.array(place.act(inertia.lever)),
            tensor=turn @ np.array(inertia.inertia) @ turn.T,
            colliders=self._colliders(links),
        )

    def _colliders(self, links: list[str]) -> tuple[EngineCollider, ...] | None:
        """Return the shapes of links, None where one is a mesh."""
        found: list[EngineCollider] = []
        for link in self._root.iterfind("link"):
            name = link.get("name", "")
            for collision in link.iterfind("collision") if name in links else ():
                matrix = np.array(self._data.oMf[self._frames[name]].homogeneous)
                shape = _shape(collision, matrix @ _origin(collision))
                if shape is None:
                    return None
                found.append(shape)
        return tuple(found)


def _origin(element: ET.Element) -> Array:
    """Return the pose of an element (4, 4)."""
    origin = element.find("origin")
    values = {} if origin is None else origin.attrib
    x, y, z = (float(part) for part in values.get("rpy", "0 0 0").split())
    (cx, cy, cz), (sx, sy, sz) = np.cos((x, y, z)), np.sin((x, y, z))
    matrix = np.eye(4)
    matrix[:3, :3] = (
        (cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx),
        (sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx),
        (-sy, cy * sx, cy * cx),
    )
    matrix[:3, 3] = [float(part) for part in values.get("xyz", "0 0 0").split()]
    return matrix


def _shape(collision: ET.Element, matrix: Array) -> EngineCollider | None:
    turn, place = matrix[:3, :3], matrix[:3, 3]
    for shape in collision.iterfind("geometry/*"):
        if shape.tag == "box":
            half = 0.5 * np.array([float(part) for part in shape.get("size", "").split()])
            return EngineCollider(points=_CORNERS * half @ turn.T + place)
        radius = float(shape.get("radius", "0"))
        half_length = 0.5 * float(shape.get("length", "0"))
        ends = np.array((turn[:, 2], -turn[:, 2])) * half_length + place
        if shape.tag in ("sphere", "capsule"):
            return EngineCollider(points=ends, radius=radius)
        if shape.tag == "cylinder":
            return EngineCollider(points=ends, disc=(turn[:, 2], radius))
    return None


def _commanded(root: ET.Element) -> set[str]:
    """Return the joints of a URDF file that transmissions or ros2_control command."""
    found = {each.get("name", "") for each in root.iterfind("transmission/joint")}
    controlled = root.iterfind("ros2_control/joint")
    return found | {
        each.get("name", "") for each in controlled if each.find("command_interface") is not None
    }
