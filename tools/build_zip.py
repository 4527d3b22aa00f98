"""Build the extension with Blender's own tool and validate it.

    build_zip.py [FOLDER [PLATFORM ...]]

Without a platform it is the zip for all of them, without MuJoCo; else one with it for each that is
named, of contact_wheels.PLATFORMS.
"""

import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Optional

import tomllib
from contact_wheels import add_wheels

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "omi_joints_addon"
DATE = (2020, 2, 2, 0, 0, 0)
"""Of all files in a zip, so that the same files give the same bytes."""


def main() -> None:
    """Write the zips into the folder that the first argument names and print their paths."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()
    platforms: list[Optional[str]] = [*sys.argv[2:]]
    for platform in platforms or [None]:
        print(build(folder, platform=platform))


def build(folder: Path, manual: Optional[Path] = None, platform: Optional[str] = None) -> Path:
    """Write the zip into a folder and return its path; a built site becomes the manual inside it.

    That for a platform has the wheels that contacts need. Exits where Blender does not accept it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest = tomllib.loads((PACKAGE / "blender_manifest.toml").read_text("utf-8"))
    suffix = "" if platform is None else "-" + platform.replace("-", "_")
    archive = folder / f"{manifest['id']}-{manifest['version']}{suffix}.zip"
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["BLENDER_USER_RESOURCES"] = temporary
        import bpy  # noqa: F401 - makes bl_pkg importable
        from bl_pkg.bl_extension_cli import cli_extension_handler as extension

        source = Path(temporary) / PACKAGE.name
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
        if manual is not None:
            shutil.copytree(manual, source / "manual")
        if platform is not None:
            add_wheels(source, platform)
        code = extension(["build", "--source-dir", str(source), "--output-filepath", str(archive)])
        if not code:
            make_reproducible(archive)
            code = extension(["validate", str(archive)])
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
