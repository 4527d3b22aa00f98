"""The shared libraries that Blender as a Python module loads, and the Debian packages of each.

    libraries.py            print all the packages
    libraries.py missing    name those that cannot be loaded, and the cure; exit 1 for any
    libraries.py install    install what is missing, as root where apt is; elsewhere do nothing

Standard library only, and no syntax newer than Python 3.9: any Python may start it.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys

LIBRARIES = {
    "libX11.so.6": "libx11-6",
    "libXrender.so.1": "libxrender1",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
}
"""Names by which Blender asks for them, each with the package that holds it."""

DRIVERS = ("libegl-mesa0", "libgl1-mesa-dri")
"""Software OpenGL, for pictures without a screen."""

WITNESSES = ("strace",)
"""Programs by which tests see what a command does."""


def missing() -> list[str]:
    """Return the libraries that cannot be loaded; none where libraries have other names."""
    if not sys.platform.startswith("linux"):
        return []
    return [name for name in LIBRARIES if not _is_loadable(name)]


def cure(names: list[str]) -> str:
    """Return one line that says what is missing and how to get it."""
    packages = " ".join(LIBRARIES[name] for name in names)
    return f"Blender needs {', '.join(names)}; on Debian and Ubuntu: sudo apt install {packages}"


def _is_loadable(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _install() -> int:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return 0
    packages = [*LIBRARIES.values(), *DRIVERS, *WITNESSES]
    known = subprocess.run(["dpkg-query", "--show", *packages], check=False, capture_output=True)
    if known.returncode == 0:
        return 0
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        code = subprocess.run(["apt-get", "-q", *command], check=False, env=quiet).returncode
        if code:
            return code
    return 0


def main() -> int:
    """Do what the argument says and return the exit code."""
    wanted = sys.argv[1:]
    if wanted == ["install"]:
        return _install()
    if wanted == ["missing"]:
        names = missing()
        if names:
            print(cure(names))
        return bool(names)
    if wanted:
        print(__doc__)
        return 2
    print(*LIBRARIES.values(), *DRIVERS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
