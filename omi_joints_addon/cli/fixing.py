"""Safe fixes of glTF files in place, which `check --fix` applies."""

from collections.abc import Sequence
from pathlib import Path

from ..core.findings.finding import Finding
from ..io.contents import write_files
from ..io.documents.splices import UneditableError
from ..io.files import real
from ..io.formats.format import UnreadableError
from ..io.formats.gltf.container import read_gltf
from ..io.formats.gltf.fixes import fixed_file
from ..io.staging import OutputError, staged


def fix(path: Path, findings: Sequence[Finding]) -> int:
    """Rewrite a file without what the findings report; return how many of them that ends.

    Raises `UnreadableError` where the file cannot be written; it is then as it was.
    """
    target = real(path)
    try:
        content, count = fixed_file(read_gltf(target), findings)
    except UneditableError:
        return 0
    if count:
        try:
            with staged(target, force=True) as folder:
                write_files(folder, {target.name: content})
        except OutputError as error:
            raise UnreadableError(f"cannot be fixed: {error}") from error
    return count
