"""The models of an SDF document, with those that it includes, as scopes and elements.

An included file has a version of its own; what is merged joins the outer model.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.pose import Array
from ...documents.splices import UneditableError
from ...documents.xml_source import SourceElement, XmlSource
from ...files import opened
from ..beside import Folders
from ..format import Source, UnreadableError
from .frames import OWN, SEPARATOR, FrameError, Scope, pose_of
from .rules import BAD_FRAME, NOT_INCLUDED, REPEATED_NAME
from .schema import Version

_DEEPEST = 20
"""Files that include each other in a row."""
_NESTED = 100
"""Models in each other."""
_MOST = 10_000
"""Models that are included: a few files that include each other twice make any number."""
_MERGED = "_merged__{}__model__"
_CONFIGURATIONS = ("model.config", "manifest.xml")
_NEWEST: Version = (1, 12)
_UNIQUE: Version = (1, 7)


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A link, joint or frame of a model."""

    element: SourceElement
    version: Version
    key: str
    """Name in its scope."""
    folders: Folders
    """Where files are that the element refers to."""


@dataclass(slots=True, eq=False)
class Model:
    """A model or a world."""

    name: str
    scope: Scope
    element: SourceElement
    holder: SourceElement | None = None
    """Element with the pose of a nested model: itself, or what includes it."""
    placement: str = ""
    """Frame that the pose places instead of the model's own."""
    is_static: bool = False
    links: list[Item] = field(default_factory=list)
    joints: list[Item] = field(default_factory=list)
    frames: list[Item] = field(default_factory=list)
    inner: "list[Model]" = field(default_factory=list)

    def take(self, model: "Model", matrix: Array, relative_to: str) -> None:
        """Put another model into this one, at a place in one of its frames."""
        model.name = self.scope.add(model.name, matrix, relative_to, "model")
        self.scope.inner[model.name] = model.scope
        self.inner.append(model)

    def all(self, prefix: str = "", outer: "Placed | None" = None) -> "Iterator[Placed]":
        """Yield the model and those in it that have a place."""
        here = Placed(self, prefix, outer)
        yield here
        for model in self.inner:
            try:
                self.scope.at(model.name)
            except FrameError:
                continue
            yield from model.all(f"{prefix}{model.name}{SEPARATOR}", here)


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A model in others."""

    model: Model
    prefix: str
    """Path of what is in it."""
    outer: "Placed | None"

    @property
    def matrix(self) -> Array:
        """Where it is in the world; raises `FrameError`."""
        if self.outer is None:
            return np.eye(4)
        return np.asarray(self.outer.matrix @ self.outer.model.scope.at(self.model.name))


class Loader:
    """Reads the models of a document."""

    def __init__(self, source: Source) -> None:
        self.findings: list[Finding] = []
        self.files: list[Path] = []
        """Files that were included."""
        self.texts: dict[str, bytes] = {}
        self._source = source
        self._named = source.named_folders
        self._folders = Folders(source.path, self._named, {})
        self._depth = 0
        # A file that is included many times is looked for and opened once.
        self._file_of = cache(self._found_file)
        self._content_of = cache(self._opened)

    def top(self, element: SourceElement, version: Version) -> Model:
        """Return a world, or a model that stands in one."""
        if element.tag == "world":
            return self._model(element, version, self._folders, element.get("name"))
        world = Model("", Scope(""), element)
        self._nest(world, element, version, self._folders)
        return world

    def _model(
        self, element: SourceElement, version: Version, folders: Folders, name: str
    ) -> Model:
        model = Model(name, Scope(name), element)
        model.is_static = _is_true(element.find("static"))
        for child in element.children:
            if child.tag in ("link", "joint", "frame"):
                self._add(model, child, version, folders)
            elif child.tag in ("model", "include"):
                self._nest(model, child, version, folders)
        return model

    def _add(
        self, model: Model, element: SourceElement, version: Version, folders: Folders
    ) -> None:
        """Add a link, joint or frame to a model."""
        kind, name = element.tag, element.get("name")
        if kind == "frame" and version < _UNIQUE:
            return
        try:
            matrix, relative_to = pose_of(element, version)
        except FrameError as error:
            self.findings.append(BAD_FRAME(name, problem=str(error), what="its pose"))
            matrix, relative_to = np.eye(4), ""
        attached = element.get("attached_to") or "__model__"
        child = element.find("child")
        default = {
            "link": "__model__",
            "frame": attached,
            "joint": "" if child is None else child.content.strip(),
        }[kind]
        key = model.scope.add(name, matrix, relative_to or default, kind)
        if key != name and version >= _UNIQUE:
            self.findings.append(REPEATED_NAME(name))
        if kind == "joint":
            model.scope.attached[key] = default
        if kind == "frame":
            model.scope.attached[key] = attached
        items = {"link": model.links, "joint": model.joints, "frame": model.frames}[kind]
        items.append(Item(element, version, key, folders))

    def _nest(
        self, outer: Model, element: SourceElement, version: Version, folders: Folders
    ) -> None:
        """Add a nested model, or one that is included, to a model."""
        inner = self._included(element, folders) if element.tag == "include" else None
        if element.tag == "include" and inner is None:
            return
        body, own_version, own_folders = inner or (element, version, folders)
        name = _text(element, "name") if inner else ""
        name = name or body.get("name") or "model"
        if self._depth >= _NESTED:
            raise UnreadableError(f"has models nested more than {_NESTED} deep")
        self._depth += 1
        model = self._model(body, own_version, own_folders, name)
        self._depth -= 1
        model.is_static |= bool(inner) and _is_true(element.find("static"))
        placement = _text(element, "placement_frame") or body.get("placement_frame")
        model.holder, model.placement = element, placement
        holder = element if element.find("pose") is not None or not inner else body
        try:
            matrix, relative_to = pose_of(holder, version if holder is element else own_version)
            if placement:
                matrix = matrix @ np.linalg.inv(model.scope.at(placement))
        except FrameError as error:
            self.findings.append(BAD_FRAME(name, problem=str(error), what="its pose"))
            matrix, relative_to = np.eye(4), ""
        relative_to = relative_to or "__model__"
        if inner and element.get("merge").lower() in ("1", "true"):
            self._merge(outer, model, matrix, relative_to)
            return
        outer.take(model, matrix, relative_to)

    def _merge(self, outer: Model, model: Model, matrix: Array, relative_to: str) -> None:
        """Have everything of a model in the outer one."""
        own = _MERGED.format(model.name)
        outer.scope.frames[own] = (matrix, relative_to)
        for name, (place, base) in model.scope.frames.items():
            outer.scope.frames[name] = (place, own if base in OWN else base)
        for name, base in model.scope.attached.items():
            outer.scope.attached[name] = own if base in OWN else base
        outer.scope.attached[own] = model.links[0].key if model.links else ""
        outer.scope.inner |= model.scope.inner
        for item in model.joints:
            for axis in item.element.findall("axis", "axis2"):
                for xyz in axis.findall("xyz"):
                    if xyz.get("expressed_in") == "__model__":
                        xyz.attrib["expressed_in"] = own
        outer.links += model.links
        outer.joints += model.joints
        outer.frames += model.frames
        outer.inner += model.inner

    def _included(
        self, element: SourceElement, folders: Folders
    ) -> tuple[SourceElement, Version, Folders] | None:
        """Return the model of another file, its version and where its files are."""
        uri = _text(element, "uri")
        try:
            if self._depth >= _DEEPEST:
                raise ValueError("models include each other")
            path = self._file_of(uri, folders)
            text, inner = self._content_of(path)
            root = XmlSource(text).root
        except (OSError, ValueError, UneditableError) as error:
            self.findings.append(NOT_INCLUDED(_text(element, "name"), uri=uri, problem=str(error)))
            return None
        self.files.append(path)
        if len(self.files) > _MOST:
            raise UnreadableError(f"includes more than {_MOST} models")
        body = root.find("model")
        if root.tag != "sdf" or body is None:
            self.findings.append(NOT_INCLUDED("", uri=uri, problem="it contains no model"))
            return None
        return body, version_of(root), inner

    def _opened(self, path: Path) -> tuple[bytes, Folders]:
        """Return the text of an included file, and where its own files are."""
        with opened(path) as file:
            text = file.read(self._source.largest)
        return text, Folders(path, (*self._named, self._source.path.parent), {})

    def _found_file(self, uri: str, folders: Folders) -> Path:
        """Return the file of a model: itself, or what the model.config of a folder names."""
        # A name alone may be a folder beside the file or one among those that are named.
        uris = (uri,) if "://" in uri else (uri, f"model://{uri}")
        for name in (f"{each}/{last}" for each in uris for last in _CONFIGURATIONS):
            try:
                path = folders.file_of(name)
            except ValueError:
                continue
            with opened(path) as file:
                root = XmlSource(file.read(self._source.largest)).root
            files = [(version_of(each), each.content.strip()) for each in root.findall("sdf")]
            usable = [each for each in files if each[0] <= _NEWEST]
            if usable:
                found: Path = path.parent / max(usable, key=lambda each: each[0])[1]
                if not folders.hold(found):
                    raise ValueError("its model.config names a file elsewhere")
                return found
        return folders.file_of(uri)


def version_of(root: SourceElement) -> Version:
    """Return the version that an element declares, the newest where it declares none."""
    major, _, minor = root.get("version").partition(".")
    if not (major.isdigit() and minor.isdigit()):
        return _NEWEST
    return int(major), int(minor)


def welded_links(model: Model) -> frozenset[str]:
    """Return the links of a model that a fixed joint holds in the world: they stand still."""
    return frozenset(_text(each.element, "child") for each in model.joints if is_weld(model, each))


def is_weld(model: Model, item: Item) -> bool:
    """Return whether a joint holds a link of its model in the world."""
    is_fixed = item.element.get("type") == "fixed" and _text(item.element, "parent") == "world"
    child = _text(item.element, "child") if is_fixed else ""
    return is_fixed and any(child == each.key for each in model.links)


def _text(element: SourceElement, tag: str) -> str:
    child = element.find(tag)
    return "" if child is None else child.content.strip()


def _is_true(element: SourceElement | None) -> bool:
    return element is not None and element.content.strip().lower() in ("1", "true")
