"""What other engines find in a file: joints, degrees of freedom, controls, bodies and mass.

MuJoCo counts MJCF, Pinocchio URDF and OpenUSD its stages, where they can be imported. SI units.
"""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..core.findings.finding import ERROR, Finding, rule
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What an engine finds; None is what it does not count."""

    engine: str
    joints: int | None = None
    """Joints that move, without those of free bodies."""
    dofs: int | None = None
    """Degrees of freedom of these joints."""
    controls: int | None = None
    """Actuators, transmissions or drives."""
    bodies: int | None = None
    """Bodies with mass."""
    mass: float | None = None
    """Total mass [kg]."""


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
        return count(path)
    except ImportError:
        return None


def compared(source: Counts, written: Counts) -> Iterator[Finding]:
    """Yield what two files have different numbers of, where both are counted."""
    for field in fields(Counts):
        one, other = getattr(source, field.name), getattr(written, field.name)
        if field.name == "engine" or one is None or other is None:
            continue
        if abs(one - other) > (_CLOSE * max(abs(one), abs(other)) if field.name == "mass" else 0):
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


def _text(value: float) -> str:
    return f"{value:.6g}"


def _mujoco(path: Path) -> Counts:
    import mujoco  # type: ignore[import-not-found]

    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, RuntimeError, OSError) as error:
        raise LoadError(str(error).splitlines()[0] if str(error) else "no reason given") from error
    free = int((model.jnt_type == mujoco.mjtJoint.mjJNT_FREE).sum())
    return Counts(
        engine=f"MuJoCo {mujoco.__version__}",
        joints=model.njnt - free,
        dofs=model.nv - 6 * free,
        controls=model.nu,
        bodies=int((model.body_mass > 0.0).sum()),
        mass=float(model.body_mass.sum()),
    )


def _pinocchio(path: Path) -> Counts:
    import pinocchio  # type: ignore[import-not-found]

    try:
        model = pinocchio.buildModelFromUrdf(str(path))
        root = ET.parse(path).getroot()
    except (ValueError, RuntimeError, OSError, ET.ParseError) as error:
        raise LoadError(str(error).splitlines()[0] if str(error) else "no reason given") from error
    # A fixed base is part of the universe, whose mass counts no longer.
    masses = [float(each.get("value", "0")) for each in root.iterfind("link/inertial/mass")]
    return Counts(
        engine=f"Pinocchio {pinocchio.__version__}",
        joints=model.njoints - 1,
        dofs=model.nv,
        controls=len(_commanded(root)),
        bodies=sum(mass > 0.0 for mass in masses),
        mass=sum(masses),
    )


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
    drives = ("angular", "linear", "rotX", "rotY", "rotZ", "transX", "transY", "transZ")
    kilograms = UsdPhysics.GetStageKilogramsPerUnit(stage)
    masses = [
        kilograms * float(UsdPhysics.MassAPI(prim).GetMassAttr().Get() or 0.0)
        for prim in prims
        if prim.HasAPI(UsdPhysics.MassAPI)
    ]
    return Counts(
        engine=f"OpenUSD {'.'.join(map(str, Usd.GetVersion()))}",
        joints=len(moving),
        controls=sum(prim.HasAPI(UsdPhysics.DriveAPI, d) for prim in joints for d in drives),
        mass=sum(masses) if masses else None,
    )


_ENGINES: Mapping[str, Callable[[Path], Counts]] = {
    "mjcf": _mujoco,
    "urdf": _pinocchio,
    "usd": _openusd,
}
