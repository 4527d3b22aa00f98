"""What is wrong with a document beside its values: head, lists, members that nobody knows."""

from collections.abc import Collection, Iterator

from ....core.findings.finding import Finding
from ....core.model.joint import JointSettings
from ....core.model.plain import JsonObject, kept_object
from .container import leads_out
from .dialect import Dialect
from .dialect_physics import Physics
from .document_nodes import objects_of, wrong_type
from .members import encodable
from .omi.joint import EXTENSION
from .rules import (
    EXTENSION_NOT_LISTED,
    LEADS_OUT,
    NEEDLESSLY_REQUIRED,
    NO_JOINT_SETTINGS,
    NOT_GLTF_2,
    OLD_MEMBERS,
    REPEATED,
    UNKNOWN_MEMBERS,
    UNUSED_SETTINGS,
)

_OLD_NAMES = {"constraints", "nodeA", "nodeB"}
_KEPT_NAMES = {"extensions", "extras", "name"}


def check_head(document: JsonObject, findings: list[Finding]) -> None:
    """Add what is wrong with the version and with references to files."""
    asset = document.get("asset")
    version = asset.get("version") if isinstance(asset, dict) else None
    if not (isinstance(version, str) and version.startswith("2.")):
        problem = "asset.version is missing" if version is None else f"version {version!r:.20}"
        findings.append(NOT_GLTF_2("/asset", problem=problem))
    for name in ("buffers", "images"):
        for index, element in enumerate(objects_of(document, name, findings)):
            uri = element.get("uri")
            if isinstance(uri, str) and leads_out(uri):
                shown = repr(uri if len(uri) < 60 else uri[:57] + "…")
                findings.append(LEADS_OUT(f"/{name}/{index}/uri", uri=shown))


def check_listed(document: JsonObject, used: Collection[str], findings: list[Finding]) -> None:
    """Add what is wrong with the lists of extensions."""
    listed = _listed(document, "extensionsUsed", findings)
    for extension in sorted(set(used) - listed):
        findings.append(EXTENSION_NOT_LISTED("/extensionsUsed", extension=extension))
    if EXTENSION in _listed(document, "extensionsRequired", findings):
        findings.append(NEEDLESSLY_REQUIRED("/extensionsRequired", extension=EXTENSION))


def _listed(document: JsonObject, name: str, findings: list[Finding]) -> set[str]:
    value = document.get(name, [])
    if not isinstance(value, list):
        findings.append(wrong_type(f"/{name}", name, "an array", value))
        return set()
    names: set[str] = set()
    for index, element in enumerate(value):
        if isinstance(element, str):
            if element in names:
                shown = encodable(element)
                findings.append(REPEATED(f"/{name}/{index}", name=name, value=shown))
            names.add(element)
    return names


def check_joints(physics: Physics, findings: list[Finding]) -> None:
    """Add what is wrong with the joints of a dialect: settings unused, members unknown."""
    settings, place = physics.joints.settings, physics.joints_place
    joints = {
        node: declared.joint
        for node, declared in physics.nodes.items()
        if declared.joint is not None
    }
    if not settings and joints and not _old_names(physics.joints.carried):
        findings.append(NO_JOINT_SETTINGS(place))
    for node, joint in joints.items():
        _check_names(physics.joint_place(node), joint.carried, findings)
    used = {joint.joint for joint in joints.values()}
    for index, element in enumerate(settings):
        if element is not None:
            at = f"{place}/physicsJoints/{index}"
            if index not in used:
                findings.append(UNUSED_SETTINGS(at))
            for part, carried in _carried_parts(element):
                _check_names(at + part, carried, findings)
    if physics.dialect == Dialect.OMI:
        _check_names(place, physics.joints.carried, findings)


def _check_names(place: str, carried: str, findings: list[Finding]) -> None:
    """Add a finding where members are unknown or of the old form of the extension."""
    if not carried:
        return
    names = sorted(kept_object(carried).keys() - _KEPT_NAMES)
    old = _old_names(carried)
    if names:
        shown = ", ".join(old or names)[:80]
        findings.append((OLD_MEMBERS if old else UNKNOWN_MEMBERS)(place, names=shown))


def _old_names(carried: str) -> list[str]:
    """Return the members of the old form of the extension among carried ones."""
    return sorted(_OLD_NAMES & kept_object(carried).keys()) if carried else []


def _carried_parts(settings: JointSettings) -> Iterator[tuple[str, str]]:
    if settings.carried:
        yield "", settings.carried
    for index, limit in enumerate(settings.limits):
        if limit.carried:
            yield f"/limits/{index}", limit.carried
    for index, drive in enumerate(settings.drives):
        if drive.carried:
            yield f"/drives/{index}", drive.carried
