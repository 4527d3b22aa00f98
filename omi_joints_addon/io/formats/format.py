"""What every format of physics scenes is: a name, suffixes, a reader and a writer.

A room of `io.formats` has one `Format` in its `__init__`, which imports what it needs only when it
reads or writes. `io.registry` lists them.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ...core.findings.sentence import Sentence
from ..files import opened

if TYPE_CHECKING:
    # A format is looked up before anything heavy is imported.
    from ...core.findings.finding import Finding
    from ...core.findings.loss import Loss
    from ...core.model.scene import PhysicsScene
    from ..contents import Content

_NO_NODES: frozenset[int] = frozenset()
LARGEST = 256 * 2**20
"""Bytes of text that are read unless asked for more; parsed they take about ten times as much."""


class UnreadableError(ValueError):
    """A file that is not a document of the format; the text is the reason, in one line."""


class UnwritableError(ValueError):
    """A scene that cannot become the wanted document; the text is the reason, in one line."""


Options = Mapping[str, Any]
"""Options of a format by name, as a command or a dialog gives them; each format checks its own."""


class Source(NamedTuple):
    """A file to read, and what is wanted of it."""

    path: Path
    options: Options = {}
    """Options of the format by name, such as `base` of URDF; a format passes over others."""
    folders: tuple[Path, ...] = ()
    """Folders beside that of the file that it may refer to."""
    largest: int = LARGEST
    """Bytes of text that are read at most."""
    texts: Mapping[str, bytes] = {}
    """Texts that are read instead of files, by path relative to the file's folder."""

    @property
    def named_folders(self) -> tuple[Path, ...]:
        """The folders that it may refer to, also those of the option `folder`, one or several."""
        named = self.options.get("folder", ())
        names = (named,) if isinstance(named, str | Path) else tuple(named)
        return (*self.folders, *(Path(name) for name in names if str(name)))

    def text(self) -> bytes:
        """Return what the file holds; raises `UnreadableError`, also where that is too much."""
        if self.path.name in self.texts:
            return self.texts[self.path.name]
        try:
            with opened(self.path) as file:
                # As many bytes are set aside as are asked for.
                found = file.read(min(self.largest, os.fstat(file.fileno()).st_size) + 1)
        except OSError as error:
            raise UnreadableError(error.strerror or type(error).__name__) from error
        if len(found) > self.largest:
            raise UnreadableError(
                Sentence(
                    "has more than the {largest:.0f} MiB allowed", largest=self.largest / 2**20
                )
            )
        return found

    def document(self, format_name: str, files: Mapping[str, bytes]) -> "Document":
        """Return the file as it was read; `files` are its texts by path."""
        return Document(format_name, self.path, files, self.options, self.folders)


class Document(NamedTuple):
    """A file with those that it includes, as they were read."""

    format: str
    """Name of the format."""
    path: Path
    """Where the file was; meshes are found from there."""
    files: Mapping[str, bytes]
    """Texts by path relative to the folder of the file, its own first."""
    options: Options = {}
    """Options of reading."""
    folders: tuple[Path, ...] = ()
    """Folders beside that of the file that it may refer to."""

    def source(self, files: Mapping[str, bytes] | None = None) -> Source:
        """Return what reads the kept texts again, or others in their place."""
        return Source(
            path=self.path,
            options=self.options,
            folders=self.folders,
            texts=self.files if files is None else files,
        )


class Read(NamedTuple):
    """One scene of a file."""

    scene: "PhysicsScene"
    findings: "tuple[Finding, ...]" = ()
    """What is wrong with the document; `core.checks` judges the scene."""
    name: str = ""
    """Name of the scene where a file holds several."""
    exempt: frozenset[str] = frozenset()
    """Codes of rules about scenes that do not hold in this document."""
    engine_findings: "Mapping[str, tuple[Finding, ...]]" = {}
    """What engines, by name, make of the document itself, such as one they do not read."""
    judged: frozenset[str] = frozenset()
    """Engines, by name, that the document is written for: `engine_findings` has all of theirs."""
    files: tuple[Path, ...] = ()
    """Other files that the scene is read from, now or when a mesh is asked for."""
    locate: Callable[[str], str] = str
    """Return where in the file the place of a finding is, at least what it is in."""
    document: Document | None = None
    """The text, where the format writes into it."""
    dialects: tuple[str, ...] = ()
    """Dialects of the format that the file contains, the one that is used first."""
    unread: "tuple[Loss, ...]" = ()
    """What the document says that the scene does not, where reading it finds that out."""


class Kept(NamedTuple):
    """A document and how a scene belongs to it."""

    document: Document
    read: Read | None = None
    """What the document says, where that is known."""
    origins: Mapping[int, str] | None = None
    """Origin of each node of the scene that has one (`core.model.origins`).

    None is that nodes are those of the document by number.
    """
    copies: Mapping[int, str] = {}
    """Origin of what nodes are copies of that are not in the document."""
    remeshed: frozenset[int] = _NO_NODES
    """Nodes that show or collide with another mesh than that of the document."""
    unheld: "tuple[Loss, ...]" = ()
    """What the document says that no scene holds, a line for each kind of it."""
    is_single: bool = False
    """Whether the scene was held in single precision, and without what Blender has no place for."""


class Target(NamedTuple):
    """A file to write, and how."""

    path: Path
    """Where it will be; `Format.write` writes nothing there."""
    options: Options = {}
    """Options of the format by name, such as `dialect` of glTF."""
    kept: Kept | None = None
    """What the scene was read from: a document of the same format is changed, not replaced."""


class Written(NamedTuple):
    """A document that is ready to be written to disk."""

    files: "Mapping[str, Content]"
    """Contents by path relative to the target's folder; the target's own name is among them."""
    findings: "tuple[Finding, ...]" = ()
    losses: "tuple[Loss, ...]" = ()
    names_all: bool = False
    """Whether the losses are all that there are; else `keeping.written_scene` looks for more."""
    holds: frozenset[str] = frozenset()
    """Nouns of what no scene holds of the source that are in the document nevertheless."""
    holds_animation: bool = False
    """Whether what changes over time is there, too."""


class Format(Protocol):
    """A format that physics scenes are read from and written in."""

    @property
    def name(self) -> str:
        """Word of the command line and of `PhysicsScene.carried`, such as "gltf"."""

    @property
    def label(self) -> str:
        """Name to show."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Suffixes of its files in lower case with the dot, the usual one first."""

    @property
    def reading_options(self) -> tuple[str, ...]:
        """Names of the options that `read` knows (`Source.options`)."""

    @property
    def writing_options(self) -> tuple[str, ...]:
        """Names of the options that `write` knows (`Target.options`)."""

    def recognizes(self, head: bytes) -> bool:
        """Return whether a file that starts with `head` is certainly of this format."""

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the scenes of a file, at least one; raises `UnreadableError` and nothing else."""

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return the document of a scene; the losses list what it does not contain.

        Callers go through `keeping.written_scene`, which names what a writer does not. Raises
        `UnwritableError` where there can be no document, and nothing else.
        """
