"""Build the extension with Blender's own tool and validate it: build_zip.py [FOLDER], else dist."""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Write the zip into the folder and print its path."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    source = str(ROOT / "omi_joints_addon")
    with tempfile.TemporaryDirectory() as user:
        os.environ["BLENDER_USER_RESOURCES"] = user
        import bpy  # noqa: F401 - makes bl_pkg importable
        from bl_pkg.bl_extension_cli import cli_extension_handler as extension

        code = extension(["build", "--source-dir", source, "--output-dir", str(folder)])
        archive = max(folder.glob("*.zip"), key=lambda path: path.stat().st_mtime_ns)
        code = code or extension(["validate", str(archive)])
    if code:
        sys.exit("The extension is not valid")
    print(archive)


if __name__ == "__main__":
    main()
