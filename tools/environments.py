"""Find Pythons and keep a virtual environment for each Blender release and each set of tools.

    environments.py             prepare one for each release of Blender that a Python here can run
    environments.py NAME        prepare the one for lint, site or release
    environments.py complete    exit 0 where there is a Python for each release of Blender

Standard library only, and no syntax newer than Python 3.9: any Python may start it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import libraries

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
STRICT = os.environ.get("OMI_TESTS_STRICT") == "1"
_WAITS = ("Downloading ", "Installing collected packages")
"""Beginnings of pip's lines before what takes long."""
PROBE = "import ensurepip, sys, venv; print(sys.implementation.cache_tag + sys.abiflags)"


NO_BLENDER = (
    "No release of Blender can be used here (reasons above); it takes Python 3.11 or 3.13 with venv"
)


class NotAvailable(Exception):  # noqa: N818 - an answer, not a fault
    """An environment cannot be had; the text says why."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment of the checkout and what it holds."""

    name: str
    """Folder below `.venv`; for Blender environments the release, such as 4.5."""
    pythons: tuple[str, ...]
    """Python versions that serve, best first."""
    packages: tuple[str, ...]
    """Requirements beside those of the file."""
    requirements: str
    """File below `requirements`, without suffix."""

    @property
    def folder(self) -> Path:
        """Where the environment is."""
        return ROOT / ".venv" / self.name

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def packages_folder(self) -> Path:
        """Where the environment's packages are."""
        library = self.folder / "Lib" if os.name == "nt" else next(self.folder.glob("lib/python*"))
        return library / "site-packages"

    @property
    def stamp(self) -> Path:
        """File that holds the digest of what was installed last."""
        return self.folder / "installed.sha256"

    def digest(self) -> str:
        """Return a digest that changes with the requirements."""
        wanted = "\n".join((*self.packages, self._file().read_text(encoding="utf-8")))
        return hashlib.sha256(wanted.encode()).hexdigest()

    def is_ready(self) -> bool:
        """Return whether the environment holds what it should."""
        return (
            self.python.exists()
            and self.stamp.exists()
            and self.stamp.read_text(encoding="utf-8") == self.digest()
        )

    def pip_arguments(self) -> list[str]:
        """Return what pip is asked to install."""
        return [*self.packages, "--requirement", str(self._file())]

    def _file(self) -> Path:
        return ROOT / "requirements" / (self.requirements + ".txt")


BLENDERS = (
    Environment("4.5", ("3.11",), ("bpy==4.5.*",), "test"),
    Environment("5.2", ("3.13",), ("bpy==5.2.*",), "test"),
)
"""The supported long-term releases, oldest first, with the Python that each bpy is built for."""

TOOLS = {
    name: Environment(name, ("3.11", "3.13"), (), name) for name in ("lint", "site", "release")
}
"""Tools that need no Blender; lint has the types of the oldest release."""

UNREACHABLE = (
    "NewConnectionError",
    "Name or service not known",
    "ConnectTimeout",
    "(from versions: none)",
)
"""What pip says where it reaches no package index."""


def prepare(environment: Environment) -> Environment:
    """Make the environment hold what it should and return it; a ready one is left as it is.

    Raises NotAvailable.
    """
    if environment.is_ready():
        return environment
    try:
        environment.folder.parent.mkdir(exist_ok=True)
        with _alone(environment.folder.parent / (environment.name + ".lock")):
            if not environment.is_ready():
                _install(environment)
    except OSError as error:
        reason = f"{error.filename or environment.folder} cannot be written ({error.strerror}): "
        raise NotAvailable(reason + "use a checkout of your own on a disk with space") from error
    return environment


def prepare_newest() -> Environment:
    """Prepare the newest release that a Python here can run, say which, and return it.

    Exits where there is none.
    """
    for environment in reversed(BLENDERS):
        result = _attempt(environment)
        _report(environment, result)
        if isinstance(result, Environment):
            return result
    sys.exit(NO_BLENDER)


def prepare_blenders() -> list[Environment]:
    """Prepare an environment for each release, say which are used and which are not, return those.

    Exits where there is none, and in a strict run also where a fitting Python was found in vain.
    """
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(_attempt, BLENDERS))
    for environment, result in zip(BLENDERS, results):
        _report(environment, result)
    ready = [result for result in results if isinstance(result, Environment)]
    if not ready:
        sys.exit(NO_BLENDER)
    if STRICT and any(find_python(e.pythons) for e in BLENDERS if e not in ready):
        sys.exit("A Python for this release is here, so a strict run may not leave it out")
    return ready


def prepare_tools(name: str) -> Environment:
    """Prepare the environment of a set of tools and return it; exits where it cannot be had."""
    try:
        return prepare(TOOLS[name])
    except NotAvailable as reason:
        sys.exit(f"{name}: {reason}")


def find_python(versions: tuple[str, ...]) -> Path | None:
    """Return an interpreter of one of the versions, looked for in this order, None for none.

    Searches PATH, then pyenv's versions, then those that uv keeps. Each candidate is asked for its
    version, since a pyenv shim has the right name whether or not it leads anywhere.
    """
    for version in versions:
        tag = "cpython-" + version.replace(".", "")
        for candidate in _candidates(version):
            if _probe(candidate) == tag:
                return candidate
    return None


def _candidates(version: str) -> Iterator[Path]:
    home = Path.home()
    for name in ("python" + version, "python3", "python"):
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            found = shutil.which(name, path=folder)
            if found:
                yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT") or home / ".pyenv") / "versions"
    yield from _newest_first(pyenv, f"{version}.*/bin/python{version}")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or home / ".local/share/uv/python")
    yield from _newest_first(uv, f"cpython-{version}.*/bin/python{version}")


def _newest_first(folder: Path, pattern: str) -> list[Path]:
    """Return the files below a folder, none where it is somebody else's and cannot be listed."""
    try:
        return sorted(folder.glob(pattern), reverse=True)
    except OSError:
        return []


def _probe(candidate: Path) -> str | None:
    """Return the interpreter's build tag, None where it cannot run or make environments."""
    try:
        run = subprocess.run(
            [str(candidate), "-c", PROBE], check=False, capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return run.stdout.strip() if run.returncode == 0 else None


def _attempt(environment: Environment) -> Environment | NotAvailable:
    lacking = libraries.missing()
    if lacking:
        return NotAvailable(libraries.cure(lacking))
    try:
        return prepare(environment)
    except NotAvailable as reason:
        return reason


def _report(environment: Environment, result: Environment | NotAvailable) -> None:
    state = _described(result) if isinstance(result, Environment) else f"left out: {result}"
    print(f"Blender {environment.name} LTS: {state}", flush=True)


def _install(environment: Environment) -> None:
    """Create the folder's environment where it has none, and install into it."""
    if not _probe(environment.python):
        python = find_python(environment.pythons)
        if python is None:
            wanted = " or ".join(environment.pythons)
            raise NotAvailable(f"no Python {wanted} with a venv module on PATH, in pyenv or in uv")
        _run("venv", [str(python), "-m", "venv", str(environment.folder)])
    what = " and ".join((*environment.packages, f"requirements/{environment.requirements}.txt"))
    print(f"Installing {what} into .venv/{environment.name} (once, a few minutes)", flush=True)
    pip = [str(environment.python), "-m", "pip", "install", "--disable-pip-version-check"]
    _run("pip", [*pip, "--progress-bar", "off", *environment.pip_arguments()])
    environment.stamp.write_text(environment.digest(), encoding="utf-8")


def _run(what: str, command: list[str]) -> None:
    """Run a command of the set-up, showing what it waits for; raise its last line if it fails."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        lines = []
        for line in map(str.strip, process.stdout):
            lines.append(line)
            if line.startswith(_WAITS):
                print(f"  {line}", flush=True)
    if process.returncode == 0:
        return
    message = "\n".join(filter(None, lines)) or "no message"
    if any(sign in message for sign in UNREACHABLE):
        cure = "connect to the network, or name a folder of wheels in PIP_FIND_LINKS"
        raise NotAvailable(f"{what} reaches no package index: {cure}")
    raise NotAvailable(f"{what} failed: {message.splitlines()[-1]}")


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other process installs there."""
    with lock.open("w") as file:
        _wait_for(file)
        yield


def _wait_for(file: IO[str]) -> None:
    """Lock a file until it is closed."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def _described(environment: Environment) -> str:
    """Return the versions of bpy and Python in a ready environment."""
    found = next(environment.packages_folder.glob("bpy-*.dist-info")).name
    bpy, python = found[len("bpy-") : -len(".dist-info")], environment.pythons[0]
    return f"bpy {bpy} on Python {python}, .venv/{environment.name}"


def main() -> None:
    """Prepare what the argument names."""
    wanted = sys.argv[1:]
    if wanted == ["complete"]:
        sys.exit(not all(find_python(environment.pythons) for environment in BLENDERS))
    if not wanted:
        prepare_blenders()
    for name in wanted:
        if name not in TOOLS:
            sys.exit(__doc__)
        prepare_tools(name)


if __name__ == "__main__":
    main()
