"""Documents in the histories of repositories, and what an independent reader counts in them.

Nothing here knows the package. Repositories are not part of the project: a folder that holds them
is named by whoever runs the sweep. Sizes are in meters, those of boxes in ascending order.
"""

import hashlib
import json
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]
_SUFFIXES = (".gltf", ".glb", ".vrm")
_PHYSICS = (
    "OMI_physics_body",
    "OMI_physics_shape",
    "OMI_physics_joint",
    "OMI_physics_gravity",
    "OMI_collider",
    "KHR_physics_rigid_bodies",
    "KHR_implicit_shapes",
    "KHR_collision_shapes",
    "KHR_rigid_bodies",
    "MSFT_rigid_bodies",
    "MSFT_collision_primitives",
    "MSFT_physics",
)
_KHR_FAMILY = ("KHR_physics_rigid_bodies", "KHR_rigid_bodies", "MSFT_rigid_bodies", "MSFT_physics")
_TYPES = {"rigid": "dynamic", "vehicle": "dynamic", "character": "kinematic"}


class Counts(NamedTuple):
    """What a document holds."""

    bodies: Counter[str]
    """Bodies by their type."""
    colliders: Counter[Any]
    """Colliders by their shape: its type and sizes, None where it has none."""
    triggers: Counter[Any]
    joints: int


class Version(NamedTuple):
    """A version of a file in a history."""

    name: str
    data: bytes
    document: Json


def versions(folder: Path) -> Iterator[Version]:
    """Yield each distinct document with physics in the git repositories below a folder."""
    seen: set[str] = set()
    for repository in sorted(
        {*folder.glob("*/.git"), *folder.glob("*/repo"), *folder.glob("*.git")}
    ):
        for blob, path in _blobs(repository):
            data = _git(repository, "cat-file", "blob", blob)
            digest = hashlib.sha256(data).hexdigest()
            document = parsed(data)
            if digest not in seen and document is not None and _has_physics(document):
                seen.add(digest)
                yield Version(f"{repository.parent.name}/{path}@{blob[:8]}", data, document)


def _git(repository: Path, *arguments: str) -> bytes:
    """Return what git answers, nothing where a copy of a repository lacks the file."""
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, check=False, capture_output=True).stdout


def _blobs(repository: Path) -> Iterator[tuple[str, str]]:
    """Yield every version of every glTF file in a history, and one of its paths."""
    log = _git(
        repository, "log", "--all", "--raw", "-m", "--no-abbrev", "--no-renames", "--format="
    )
    found: dict[str, str] = {}
    for line in log.decode("utf-8", "replace").splitlines():
        description, _, path = line.partition("\t")
        if path.endswith(_SUFFIXES):
            found.setdefault(description.split()[3], path)
    yield from ((blob, path) for blob, path in found.items() if set(blob) != {"0"})


def parsed(data: bytes) -> Json | None:
    """Return the document of a file, None where it is not one."""
    if data[:4] == b"glTF":
        (length,) = struct.unpack("<I", data[12:16])
        data = data[20 : 20 + length]
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _has_physics(document: Json) -> bool:
    owners = (document, *document.get("nodes", ()))
    return any(name in (owner.get("extensions") or {}) for owner in owners for name in _PHYSICS)


def counts(document: Json) -> Counts:
    """Return what a document holds, in whatever form."""
    return _Reader(document).counts()


class _Reader:
    def __init__(self, document: Json) -> None:
        self.nodes: list[Json] = document.get("nodes", [])
        self.root: Json = document.get("extensions") or {}
        self.parents = {
            child: index
            for index, node in enumerate(self.nodes)
            for child in node.get("children", ())
        }
        colliders = self.root.get("OMI_collider", {}).get("colliders", [])
        self.is_early = any("extents" in each or each["type"] == "mesh" for each in colliders)
        self.bodies: Counter[str] = Counter()
        self.volumes: dict[bool, Counter[Any]] = {False: Counter(), True: Counter()}
        self.joints = 0

    def counts(self) -> Counts:
        for index, node in enumerate(self.nodes):
            extensions = node.get("extensions") or {}
            self._omi(index, extensions)
            for name in _KHR_FAMILY:
                if name in extensions:
                    self._khr(extensions[name])
            if "OMI_physics_joint" in extensions:
                self.joints += 1
        return Counts(self.bodies, self.volumes[False], self.volumes[True], self.joints)

    def _omi(self, index: int, extensions: Json) -> None:
        body = extensions.get("OMI_physics_body", {})
        motion = body.get("motion", body if "type" in body else None)
        if motion is not None and motion.get("type") != "trigger":
            type_ = motion.get("type", "dynamic")
            self.bodies[_TYPES.get(type_, type_)] += 1
        shapes = self.root.get("OMI_physics_shape", {}).get("shapes", [])
        for is_trigger, name in ((False, "collider"), (True, "trigger")):
            if name in body:
                self._add(is_trigger, _element(shapes, body[name].get("shape", -1)))
        if "OMI_physics_shape" in extensions:
            shape = _element(shapes, extensions["OMI_physics_shape"]["shape"])
            self._add(self._body_type(index) == "trigger", shape)
        elif "OMI_collider" in extensions:
            value = extensions["OMI_collider"]
            colliders = self.root.get("OMI_collider", {}).get("colliders", [])
            shape = _element(colliders, value["collider"]) if "collider" in value else value
            is_trigger = shape.get("isTrigger", self._body_type(index) == "trigger")
            self._add(is_trigger, shape)
        if body.get("type") == "trigger" and self._has_trigger_below(index):
            self.volumes[True][None] += 1

    def _body_type(self, index: int) -> str | None:
        """Return the type of the body that a shape on a node is part of."""
        at: int | None = index
        while at is not None:
            body = (self.nodes[at].get("extensions") or {}).get("OMI_physics_body")
            if body is not None:
                return str(body.get("type", ""))
            at = self.parents.get(at)
        return None

    def _has_trigger_below(self, index: int) -> bool:
        shapes = self.root.get("OMI_collider", {}).get("colliders", [])
        for child in self.nodes[index].get("children", ()):
            extensions = self.nodes[child].get("extensions") or {}
            if "OMI_collider" in extensions:
                return bool(shapes[extensions["OMI_collider"]["collider"]].get("isTrigger", True))
            if "OMI_physics_shape" in extensions or self._has_trigger_below(child):
                return True
        return False

    def _add(self, is_trigger: bool, shape: Json | None) -> None:
        self.volumes[is_trigger][None if shape is None else self._shape(shape)] += 1

    def _shape(self, shape: Json) -> Any:
        type_ = {"hull": "convex", "mesh": "trimesh"}.get(shape["type"], shape["type"])
        sizes = shape.get(shape["type"], shape.get(type_, shape))
        sizes = sizes if isinstance(sizes, dict) else shape
        if type_ in ("convex", "trimesh"):
            return type_, sizes.get("mesh")
        if type_ == "box":
            size = sizes.get("size", [1.0, 1.0, 1.0])
            size = [2.0 * half for half in sizes["extents"]] if "extents" in sizes else size
            return type_, *_rounded(sorted(size))
        if type_ == "sphere":
            return type_, *_rounded([sizes.get("radius", 0.5)])
        return type_, *_rounded(_upright(type_, sizes, is_middle=self.is_early))

    def _khr(self, value: Json) -> None:
        motion = value.get("motion", value.get("rigidBody"))
        if motion is not None:
            is_fixed = motion.get("isKinematic") or motion.get("mass") == 0
            self.bodies["kinematic" if is_fixed else "dynamic"] += 1
        for is_trigger, name in ((False, "collider"), (True, "trigger")):
            if name in value:
                self.volumes[is_trigger][self._khr_shape(value[name])] += 1
        self.joints += "joint" in value

    def _khr_shape(self, part: Json) -> Any:
        for type_ in ("sphere", "box", "capsule", "cylinder", "convex", "trimesh"):
            if type_ in part:
                return _khr_sizes(type_, part[type_])
        geometry = (
            part["mesh"] if isinstance(part.get("mesh"), dict) else part.get("geometry", part)
        )
        index = geometry.get("shape", geometry.get("collider"))
        if index is not None:
            return self._shape_of_document(index)
        mesh = geometry.get("mesh")
        if mesh is None and "node" in geometry:
            mesh = self.nodes[geometry["node"]]["mesh"]
        return None if mesh is None else _khr_sizes("mesh", geometry | {"mesh": mesh})

    def _shape_of_document(self, index: int) -> Any:
        for extension, array in (
            ("KHR_implicit_shapes", "shapes"),
            ("KHR_collision_shapes", "shapes"),
            ("MSFT_collision_primitives", "colliders"),
        ):
            shape = _element(self.root.get(extension, {}).get(array, []), index)
            if shape is not None:
                beside = shape.get("extensions", {}).get("KHR_physics_rigid_bodies", {})
                return _khr_sizes(shape["type"], shape[shape["type"]] | beside)
        return None


def _element(array: list[Json], index: int) -> Json | None:
    return array[index] if 0 <= index < len(array) else None


def _khr_sizes(type_: str, sizes: Json) -> Any:
    if type_ in ("convex", "trimesh", "mesh"):
        is_hull = type_ == "convex" or sizes.get("convexHull", False)
        return "convex" if is_hull else "trimesh", sizes["mesh"]
    if type_ == "box":
        return type_, *_rounded(sorted(sizes.get("size", [1.0, 1.0, 1.0])))
    if type_ == "sphere":
        return type_, *_rounded([sizes.get("radius", 0.5)])
    bottom = sizes.get("radiusBottom", sizes.get("radius", 0.25))
    top = sizes.get("radiusTop", sizes.get("radius", 0.25))
    ends = bottom + top if type_ == "capsule" else 0.0
    return type_, *_rounded([sizes.get("height", 0.5) + ends, bottom, top])


def _upright(type_: str, sizes: Json, *, is_middle: bool) -> list[float]:
    """Return the whole height and both radii of a capsule or cylinder of OMI."""
    bottom, top = sizes.get("radiusBottom"), sizes.get("radiusTop")
    if bottom is None and top is None and not is_middle:
        radius = sizes.get("radius", 0.5)
        return [sizes.get("height", 2.0), radius, radius]
    radius = sizes.get("radius", 0.5)
    bottom, top = (radius if end is None else end for end in (bottom, top))
    height = sizes.get("height")
    middle = (1.0 if type_ == "capsule" else 2.0) if height is None else height
    return [middle + (bottom + top if type_ == "capsule" else 0.0), bottom, top]


def _rounded(numbers: list[float]) -> tuple[float, ...]:
    return tuple(round(float(number), 5) for number in numbers)
