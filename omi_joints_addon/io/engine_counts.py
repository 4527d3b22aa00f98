"""What other engines find in a file: joints, degrees of freedom, controls, bodies and mass.

MuJoCo counts MJCF, Pinocchio URDF and OpenUSD its stages, where they can be imported. SI units.
"""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..core.findings.finding import ERROR, Finding, rule
from ..isolation import isolated
from .formats.format import Format

_CLOSE = 1e-6
"""Relative difference of masses that count as equal: engines hold them in single precision, too."""
DIFFERS = rule(
    "OMI-J495",
    ERROR,
    "the source has {source} {what}, the file has {found} ({engine})",
    reason="Counted by the engines that the two files are for.",
)
REFUSED = rule(
    "OMI-J496",
    ERROR,
    "{engine} does not load the file: {error}",
    reason="The engine that the format belongs to has read the file.",
)


Span = tuple[float, float]
"""Least and most where a format leaves open which of its words count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What an engine finds; None is what it does not count."""

    engine: str
    joints: float | None = None
    """Joints that move, without those of free bodies."""
    dofs: float | None = None
    """Degrees of freedom of these joints."""
    controls: float | Span | None = None
    """Actuators, transmissions or drives; a drive of UsdPhysics may be a spring of the joint."""
    bodies: float | Span | None = None
    """Bodies with mass that can move; the root of a URDF file may be fixed."""
    mass: float | Span | None = None
    """Total mass of these bodies [kg]."""


class LoadError(ValueError):
    """A file that an engine refuses; the text is the engine's reason."""


def counts_of(name: str, path: Path) -> Counts | None:
    """Return what the engine of a format, by its name, finds in a file; None without the engine.

    Raises `LoadError`.
    """
    count = _ENGINES.get(name)
    if count is None:
        return None
    try:
        with isolated():
            return count(path)
    except ImportError:
        return None


def compared(source: Counts, written: Counts) -> Iterator[Finding]:
    """Yield what two files have different numbers of, where both are counted."""
    for field in fields(Counts):
        one, other = getattr(source, field.name), getattr(written, field.name)
        if field.name == "engine" or one is None or other is None:
            continue
        if not _overlap(_span(one), _span(other), _CLOSE if field.name == "mass" else 0.0):
            words = {"dofs": "degrees of freedom", "mass": "kg"}
            yield DIFFERS(
                "",
                source=_text(one),
                found=_text(other),
                what=words.get(field.name, field.name),
                engine=written.engine,
            )


def verified(
    source: tuple[Format, Path], written: tuple[Format, Path]
) -> tuple[list[Finding], list[str]]:
    """Return how a written file differs from its source, and the formats that nothing counts."""
    try:
        now = counts_of(written[0].name, written[1])
    except LoadError as error:
        return [REFUSED("", engine=written[0].label, error=str(error))], []
    try:
        before = counts_of(source[0].name, source[1])
    except LoadError:
        before = None
    counts = ((source[0], before), (written[0], now))
    missing = [row.label for row, found in counts if found is None]
    if before is None or now is None:
        return [], list(dict.fromkeys(missing))
    return list(compared(before, now)), []


def _span(value: float | Span) -> Span:
    return value if isinstance(value, tuple) else (value, value)


def _overlap(one: Span, other: Span, tolerance: float) -> bool:
    slack = tolerance * max(one[1], other[1])
    return one[0] <= other[1] + slack and other[0] <= one[1] + slack


def _text(value: float | Span) -> str:
    least, most = _span(value)
    return f"{least:.6g}" if least == most else f"{least:.6g} to {most:.6g}"


def _mujoco(path: Path) -> Counts:
    import mujoco

    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, RuntimeError, OSError) as error:
        raise LoadError(str(error).splitlines()[0] if str(error) else "no reason given") from error
    free = int((model.jnt_type == mujoco.mjtJoint.mjJNT_FREE).sum())
    masses = _moving_masses(model)
    return Counts(
        engine=f"MuJoCo {mujoco.__version__}",
        joints=model.njnt - free,
        dofs=model.nv - 6 * free,
        controls=model.nu,
        bodies=len(masses),
        mass=sum(masses),
    )


def _moving_masses(model: Any) -> list[float]:
    """Return the masses of bodies that can move: MuJoCo weighs the geoms of the world, too."""
    moves = [False] * model.nbody
    for body in range(1, model.nbody):
        moves[body] = model.body_dofnum[body] > 0 or moves[model.body_parentid[body]]
    return [float(mass) for mass, can in zip(model.body_mass, moves, strict=True) if can and mass]


def _pinocchio(path: Path) -> Counts:
    import pinocchio  # type: ignore[import-not-found]

    try:
        model = pinocchio.buildModelFromUrdf(str(path))
        root = ET.parse(path).getroot()
    except (ValueError, RuntimeError, OSError, ET.ParseError) as error:
        raise LoadError(str(error).splitlines()[0] if str(error) else "no reason given") from error
    masses, base = _link_masses(root)
    return Counts(
        engine=f"Pinocchio {pinocchio.__version__}",
        joints=model.njoints - 1,
        dofs=model.nv,
        controls=len(_commanded(root)),
        bodies=(len(masses), len(masses) + (base > 0.0)),
        mass=(sum(masses), sum(masses) + base),
    )


def _link_masses(root: ET.Element) -> tuple[list[float], float]:
    """Return the masses of the links of a URDF file, and that of the root, which may be fixed."""
    found = {
        link.get("name"): float(mass.get("value", "0"))
        for link in root.iterfind("link")
        if (mass := link.find("inertial/mass")) is not None
    }
    children = {each.get("link") for each in root.iterfind("joint/child")}
    masses = [mass for name, mass in found.items() if name in children and mass > 0.0]
    return masses, sum(mass for name, mass in found.items() if name not in children)


def _commanded(root: ET.Element) -> set[str]:
    """Return the joints of a URDF file that transmissions or ros2_control command."""
    found = {each.get("name", "") for each in root.iterfind("transmission/joint")}
    controlled = root.iterfind("ros2_control/joint")
    return found | {
        each.get("name", "") for each in controlled if each.find("command_interface") is not None
    }


def _openusd(path: Path) -> Counts:
    from pxr import Usd, UsdPhysics  # type: ignore[import-not-found]

    stage: Any = Usd.Stage.Open(str(path))
    if stage is None:
        raise LoadError("the stage does not open")
    prims = [prim for prim in stage.Traverse() if prim.IsActive()]
    joints = [prim for prim in prims if prim.IsA(UsdPhysics.Joint)]
    moving = [prim for prim in joints if not prim.IsA(UsdPhysics.FixedJoint)]
    names = ("angular", "linear", "rotX", "rotY", "rotZ", "transX", "transY", "transZ")
    drives = sum(prim.HasAPI(UsdPhysics.DriveAPI, name) for prim in joints for name in names)
    actuators = sum(str(prim.GetTypeName()) in _ACTUATORS for prim in prims)
    kilograms = UsdPhysics.GetStageKilogramsPerUnit(stage)
    masses = [
        kilograms * float(UsdPhysics.MassAPI(prim).GetMassAttr().Get() or 0.0)
        for prim in prims
        if _moves(UsdPhysics.RigidBodyAPI(prim))
    ]
    return Counts(
        engine=f"OpenUSD {'.'.join(map(str, Usd.GetVersion()))}",
        joints=len(moving),
        controls=(actuators, actuators + drives),
        # Without a mass, a body has that of its colliders, which nothing here weighs.
        mass=sum(masses) if all(masses) else None,
    )


def _moves(body: Any) -> bool:
    """Return whether a prim is a dynamic body."""
    if not body.GetPrim().HasAPI(type(body)):
        return False
    return bool(body.GetRigidBodyEnabledAttr().Get()) and not body.GetKinematicEnabledAttr().Get()


_ACTUATORS = frozenset({"MjcActuator", "NewtonActuator"})
"""Types of prims that are controls."""
_ENGINES: Mapping[str, Callable[[Path], Counts]] = {
    "mjcf": _mujoco,
    "urdf": _pinocchio,
    "usd": _openusd,
}
