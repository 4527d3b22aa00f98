"""Files that commands write."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..io.contents import Content, blocks_of, write_files
from ..io.staging import OutputError, require_free, staged
from .errors import CommandError
from .sources import STANDARD


def add_force_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option `--force`."""
    parser.add_argument(
        "-f", "--force", action="store_true", help="overwrite files that already exist"
    )


class Output:
    """One file to write, false where none is wanted.

    Raises `CommandError` at once where it may not be written. `suffixes` are the allowed ones, none
    is any.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        inputs: Sequence[Path],
        force: bool,
        suffixes: Sequence[str] = (),
    ) -> None:
        self.path = path
        self.inputs = inputs
        self.force = force
        if path is None or path == STANDARD:
            return
        if suffixes and path.suffix.lower() not in suffixes:
            raise CommandError(f"{path} does not end in {' or '.join(suffixes)}")
        with _refusals():
            require_free(path, inputs, force=force)

    def __bool__(self) -> bool:
        return self.path is not None

    def write_all(self, files: Mapping[str, Content], main: str) -> None:
        """Write a file and others beside it; `main` is its own name. Raises `CommandError`."""
        if self.path == STANDARD:
            if len(files) > 1:
                raise CommandError(f"{main} needs other files next to it; name OUT")
            sys.stdout.flush()
            for block in blocks_of(files[main]):
                sys.stdout.buffer.write(block)
            sys.stdout.buffer.flush()
            return
        with self.folder() as folder:
            write_files(folder, files)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Yield a folder whose files are moved to the output's; raises `CommandError`."""
        assert self.path is not None
        with _refusals(), staged(self.path, inputs=self.inputs, force=self.force) as folder:
            yield folder


def write_together(outputs: Mapping[Output, bytes]) -> None:
    """Write files that may be in several folders, none where one fails; raises `CommandError`."""
    with ExitStack() as stack:
        for output, data in outputs.items():
            if output.path is not None and output.path != STANDARD:
                (stack.enter_context(output.folder()) / output.path.name).write_bytes(data)
    for output, data in outputs.items():
        if output.path == STANDARD:
            output.write_all({STANDARD.name: data}, STANDARD.name)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except OutputError as error:
        raise CommandError(str(error)) from error
