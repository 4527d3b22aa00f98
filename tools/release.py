"""Build what a release consists of into dist/release: `make release`.

The extension with its manual, once for all platforms and once for each with what contacts need,
wheel and source archive, the site, the entry of the changelog, the texts and pictures of the
listing on extensions.blender.org, the texts of the interface for translators, and the checksums of
them all.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import tomllib
from build_zip import PACKAGE, ROOT, build
from contact_wheels import PLATFORMS
from environments import TOOLS

FOLDER = ROOT / "dist" / "release"
ARM = PACKAGE / "examples" / "arm.urdf"
PICTURE_SIZE = ("1920", "1080")
ICON_SIZE = ("256", "256")
ICON = {
    "asset": {"version": "2.0"},
    "extensionsUsed": ["OMI_physics_joint", "OMI_physics_body"],
    "extensions": {
        "OMI_physics_joint": {
            "physicsJoints": [
                {
                    "limits": [
                        {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
                        {"angularAxes": [0, 1], "min": 0.3, "max": 0.9},
                    ]
                }
            ]
        }
    },
    "scene": 0,
    "scenes": [{"nodes": [0, 1]}],
    "nodes": [
        {
            "name": "Post",
            "rotation": [-0.7071067811865476, 0, 0, 0.7071067811865476],
            "extensions": {
                "OMI_physics_body": {"motion": {"type": "static"}},
                "OMI_physics_joint": {"joint": 0, "connectedNode": 1},
            },
        },
        {
            "name": "Arm",
            "rotation": [-0.4226182617406994, 0.2, 0, 0.883917],
            "extensions": {"OMI_physics_body": {"motion": {"type": "dynamic"}}},
        },
    ],
}
"""A cone with a hole, the pose of its arm inside."""


def main() -> None:
    """Build it all; exits with one line where something is missing or not valid."""
    version = tomllib.loads((PACKAGE / "blender_manifest.toml").read_text("utf-8"))["version"]
    entry = changelog_entry((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    shutil.rmtree(FOLDER, ignore_errors=True)
    listing = FOLDER / "listing"
    listing.mkdir(parents=True)
    (listing / "changelog.md").write_text(entry, "utf-8")
    shutil.copy(ROOT / "docs" / "listing.md", listing / "description.md")
    _run(TOOLS["site"].python, ROOT / "tools" / "site.py", FOLDER / "site")
    _run(TOOLS["release"].python, "-m", "build", "--no-isolation", "--outdir", FOLDER, ROOT)
    _try_wheel(next(FOLDER.glob("*.whl")))
    _run(sys.executable, ROOT / "tools" / "messages.py", FOLDER / f"{PACKAGE.name}.pot")
    draw(listing)
    for platform in (None, *PLATFORMS):
        build(FOLDER, manual=FOLDER / "site", platform=platform)
    shutil.make_archive(str(FOLDER / f"omi_joints_site-{version}"), "zip", FOLDER / "site")
    shutil.rmtree(FOLDER / "site")
    sums = checksums(FOLDER)
    (FOLDER / "SHA256SUMS").write_text(sums, "utf-8")
    print(sums + sizes(FOLDER), end="")


def changelog_entry(text: str, version: str) -> str:
    """Return the text below a version's heading; exits where there is none with a date."""
    found = re.search(
        rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)\n+(.*?)(?=^## |\Z)", text, re.M | re.S
    )
    if found is None:
        sys.exit(f"CHANGELOG.md: give {version} its date: ## {version} (YYYY-MM-DD)")
    return found[2].strip() + "\n"


def draw(folder: Path) -> None:
    """Draw icon and previews by the command `picture`, and the first picture of the README."""
    scenes = ROOT / "build"
    scenes.mkdir(exist_ok=True)
    (scenes / "icon.gltf").write_text(json.dumps(ICON), "utf-8")
    for example in ("hand", "vehicle"):
        _run(sys.executable, ROOT / "examples" / f"{example}.py")
    for name, scene, size, angles in (
        ("icon", scenes / "icon.gltf", ICON_SIZE, ("55", "-35")),
        ("preview-hand", scenes / "hand.blend", PICTURE_SIZE, ("55", "-30")),
        ("preview-vehicle", scenes / "vehicle.blend", PICTURE_SIZE, ("62", "-35")),
        (
            "preview-robot",
            ARM,
            PICTURE_SIZE,
            ("68", "-40"),
        ),
    ):
        command = ["picture", scene, folder / f"{name}.png", "--size", *size, "--from", *angles]
        _run(sys.executable, "-m", PACKAGE.name, *command)
    drawing = ROOT / "docs" / "pictures" / "draw.py"
    _run(sys.executable, drawing, folder / "featured.png", *PICTURE_SIZE)


def checksums(folder: Path) -> str:
    """Return a line for each file, as `sha256sum --check` reads them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in files
    )


def sizes(folder: Path) -> str:
    """Return a line for each zip with its size."""
    zips = sorted(folder.glob("*.zip"))
    return "".join(f"{path.stat().st_size / 1e6:5.1f} MB  {path.name}\n" for path in zips)


def _try_wheel(wheel: Path) -> None:
    """Check a file with the wheel alone."""
    arguments = [
        sys.executable,
        "-P",
        "-m",
        PACKAGE.name,
        "check",
        ARM,
    ]
    _run(*arguments, PYTHONPATH=str(wheel), cwd=FOLDER)


def _run(*command: object, cwd: Path = ROOT, **variables: str) -> None:
    """Run a command; exits where it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, check=False, cwd=cwd, env={**os.environ, **variables})
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}")


if __name__ == "__main__":
    main()
