"""Files, written so that nothing of the user's is lost.

What is written goes into a new folder beside its target and is renamed into place when all of it is
there. A glTF document is readable at each moment of that: while files that it refers to are
replaced, it has them inside.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .files import is_same_file, real, scratch
from .stopping import unstopped


class OutputError(ValueError):
    """A file that is not written; the text says why in one line."""


class OccupiedError(OutputError):
    """A file of that name already exists."""


@contextmanager
def staged(target: Path, *, inputs: Sequence[Path] = (), force: bool = False) -> Iterator[Path]:
    """Yield a new folder; what is in it afterwards replaces what `target`'s folder has.

    Nothing changes unless all has gone well. Raises `OutputError` where a file is there without
    `force`, or is one of the `inputs`, and where the disk refuses.
    """
    require_free(target, inputs, force=force)
    try:
        with scratch(target.parent) as folder:
            yield folder
            _move(folder, target, inputs, force=force)
    except OSError as error:
        raise OutputError(f"{target}: {error.strerror or error}") from error


def _move(folder: Path, target: Path, inputs: Sequence[Path], *, force: bool) -> None:
    """Move the files of a folder beside the target, the target itself last."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    places = {path: target.parent / path.relative_to(folder) for path in found}
    if target not in places.values():
        raise OutputError(f"{target} was not written")
    for path, place in places.items():
        if not real(place.parent).is_relative_to(real(target.parent)):
            raise OutputError(f"{place.parent} is a link to another folder; write to another place")
        place.parent.mkdir(parents=True, exist_ok=True)
        require_free(place, inputs, force=force)
        _settle(path, place)
    moves = sorted(places.items(), key=lambda move: move[1] == target)
    if target.exists() and any(_differs(path, place) for path, place in moves[:-1]):
        moves[:0] = [(whole, target) for whole in _embedded(folder / target.name)]
    with unstopped():
        _replace(moves)


def _differs(path: Path, place: Path) -> bool:
    """Return whether a file is about to replace another one that has other contents."""
    from filecmp import cmp

    return place.exists() and not cmp(path, place, shallow=False)


def _embedded(path: Path) -> Iterator[Path]:
    """Yield a glTF document with the files beside it inside, written next to it."""
    if path.suffix.lower() == ".gltf":
        from .formats.gltf.embedding import embedded  # has numpy

        whole = path.with_name(f"{path.name}+")
        with whole.open("wb") as file:
            file.writelines(embedded(path).blocks())
        _settle(whole, path)
        yield whole


def _replace(moves: Sequence[tuple[Path, Path]]) -> None:
    """Move files to their places, all or none: what is there comes back where one fails."""
    from shutil import copy2

    kept = {place: path.with_name(f"{path.name}~") for path, place in moves[:-1]}
    for place in filter(os.path.lexists, kept):
        copy2(place, kept[place], follow_symlinks=False)
    moved: list[Path] = []
    try:
        for path, place in moves:
            path.replace(place)
            moved.append(place)
    except OSError:
        for place in dict.fromkeys(reversed(moved)):
            if os.path.lexists(kept[place]):
                kept[place].replace(place)
            else:
                place.unlink()
        raise


def _settle(path: Path, place: Path) -> None:
    """Give a file the rights of the one it replaces, and have it on the disk."""
    from shutil import copymode

    if place.exists():
        copymode(place, path)
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def require_free(place: Path, inputs: Sequence[Path], *, force: bool) -> None:
    """Raise `OutputError` where a file may not be written."""
    if not place.parent.is_dir():
        raise OutputError(f"{place.parent} is not a folder")
    if any(is_same_file(place, other) for other in inputs):
        raise OutputError(f"{place} is an input; write to another file")
    if place.is_dir():
        raise OutputError(f"{place} is a folder")
    if place.exists() and not place.is_file():
        raise OutputError(f"{place} is not a regular file")
    if os.path.lexists(place) and not force:
        raise OccupiedError(f"{place} already exists; use --force to overwrite it")
