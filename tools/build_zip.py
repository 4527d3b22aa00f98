"""Build the extension with Blender's own tool and validate it: build_zip.py [FOLDER], else dist."""

import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "omi_joints_addon"
DATE = (2020, 2, 2, 0, 0, 0)
"""Of all files in a zip, so that the same files give the same bytes."""


def main() -> None:
    """Write the zip into the folder that the first argument names and print its path."""
    print(build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()))


def build(folder: Path, manual: Optional[Path] = None) -> Path:
    """Write the zip into a folder and return its path; a built site becomes the manual inside it.

    Exits where Blender does not accept it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["BLENDER_USER_RESOURCES"] = temporary
        import bpy  # noqa: F401 - makes bl_pkg importable
        from bl_pkg.bl_extension_cli import cli_extension_handler as extension

        source = PACKAGE
        if manual is not None:
            source = Path(temporary) / PACKAGE.name
            shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copytree(manual, source / "manual")
        code = extension(["build", "--source-dir", str(source), "--output-dir", str(folder)])
        archive = max(folder.glob("*.zip"), key=lambda path: path.stat().st_mtime_ns)
        make_reproducible(archive)
        code = code or extension(["validate", str(archive)])
    if code:
        sys.exit("The extension is not valid")
    return archive


def make_reproducible(archive: Path) -> None:
    """Sort the files of a zip and give them all one date and mode."""
    with zipfile.ZipFile(archive) as old:
        files = [(each.filename, each.compress_type, old.read(each)) for each in old.infolist()]
    with zipfile.ZipFile(archive, "w") as new:
        for name, compression, data in sorted(files):
            info = zipfile.ZipInfo(name, DATE)
            info.external_attr = 0o644 << 16
            new.writestr(info, data, compression, compresslevel=9)


if __name__ == "__main__":
    main()
