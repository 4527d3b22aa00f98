"""Where the files are that a document refers to; none outside of named folders is ever read."""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath, PurePosixPath
from urllib.parse import unquote, urlsplit

from ..files import real
from .format import Source

_SCHEMES = ("package", "model")
_MARKS = ("package.xml", "model.config")
"""Files that say that a folder is a package."""

OUTSIDE = "it is outside the folders that may be read; name its folder"


class Folders:
    """Folders that a document may refer to: its own, its package's and those that are named."""

    def __init__(
        self, document: Path, named: tuple[Path, ...], packages: Mapping[str, Path]
    ) -> None:
        own = real(document).parent
        self._own = own
        self._above = (own, *own.parents)
        package = next((folder for folder in self._above if _is_package(folder)), own)
        self._named = tuple(real(folder) for folder in named)
        self._packages = {name: real(folder) for name, folder in packages.items()}
        self._open = (own, package, *self._named, *self._packages.values())

    def hold(self, path: Path) -> bool:
        """Return whether a file is in one of the folders, links followed."""
        return _is_inside(real(path), self._open)

    def file_of(self, uri: str) -> Path:
        """Return the file that a document calls `uri`; raises `ValueError` saying why not."""
        try:
            return self._file_of(uri)
        except OSError as error:
            raise ValueError(error.strerror or str(error)) from error

    def _file_of(self, uri: str) -> Path:
        parts = urlsplit(uri)
        if parts.scheme in _SCHEMES:
            return self._in_package(parts.netloc, unquote(parts.path).lstrip("/"))
        if parts.scheme == "file":
            return _existing([Path(unquote(parts.path))], self._open)
        if len(parts.scheme) > 1:
            raise ValueError(f"{parts.scheme}: web addresses are not followed")
        if not uri:
            raise ValueError("no file is given")
        return _existing([self._own / PurePosixPath(uri.replace("\\", "/"))], self._open)

    def _in_package(self, name: str, path: str) -> Path:
        folders = tuple(self._folders_of(name))
        if not folders:
            raise ValueError(f"no folder is known for the package {name!r}; add it as NAME=FOLDER")
        return _existing([folder / path for folder in folders], folders)

    def _folders_of(self, name: str) -> Iterator[Path]:
        if name in ("", ".", "..") or PurePath(name).name != name:
            return  # the root folder has an empty name, too, and package://../x leads out
        if name in self._packages:
            yield self._packages[name]
        for folder in self._above:
            if folder.name == name and (folder in self._open or _is_package(folder)):
                yield folder
        for folder in self._named:
            if folder.name == name:
                yield folder
            elif (folder / name).is_dir():
                yield folder / name


def path_beside(source: Source, name: str) -> Path | None:
    """Return the file that a document calls `name`, None where it is not to be had."""
    try:
        return Folders(source.path, source.named_folders, {}).file_of(name)
    except ValueError:
        return None


def problem_beside(source: Source, name: str) -> str:
    """Return why a file that a document calls `name` is not to be had, and what to do about it."""
    try:
        Folders(source.path, source.named_folders, {}).file_of(name)
    except ValueError as error:
        return str(error)
    return ""


def _existing(candidates: list[Path], folders: tuple[Path, ...]) -> Path:
    outside: list[Path] = []
    for candidate in candidates:
        path = real(candidate)
        if not _is_inside(path, folders):
            outside.append(path)
        elif path.is_file():
            return path
    if outside:
        raise ValueError(f"{OUTSIDE}, such as -o folder={outside[0].parent}")
    raise ValueError("the file does not exist")


def _is_package(folder: Path) -> bool:
    return any((folder / mark).is_file() for mark in _MARKS)


def _is_inside(path: Path, folders: tuple[Path, ...]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
