"""Build the documentation as a site, checking every link and license: site.py [FOLDER]."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "site"
THEME = "mkdocs-material"
SCRIPTS = Path("assets", "javascripts")
NOTICE = re.compile(r"/\*[!*].*?\*/", re.DOTALL)
"""A comment that minifiers keep since it holds a license."""


def build(folder: Path) -> int:
    """Build the site into a folder with the mkdocs of this Python; return an exit code."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    run = subprocess.run([*command, "--site-dir", folder], check=False, cwd=ROOT, env=quiet)
    if run.returncode:
        return run.returncode
    leave_out(folder)
    (folder / "LICENSES.txt").write_text(licenses(folder), "utf-8")
    foreign = {
        f"{page.relative_to(folder)}: loads {address}"
        for page in folder.rglob("*.html")
        for address in loaded_from_elsewhere(page.read_text("utf-8"))
    }
    print(*sorted(foreign), sep="\n", end="")
    return bool(foreign)


def leave_out(folder: Path) -> None:
    """Remove what no page needs: maps of sources, search in other languages.

    The page for missing pages goes, too: its links hold at the top of a host only.
    """
    for file in [*folder.rglob("*.map"), folder / "404.html"]:
        file.unlink()
    shutil.rmtree(folder / SCRIPTS / "lunr")


def licenses(folder: Path) -> str:
    """Return the license of the theme and the notices of the scripts that it bundles."""
    theme = distribution(THEME)
    own = next(file for file in theme.files or () if file.name == "LICENSE")
    parts = [f"{THEME} {theme.version}\n\n{own.read_text('utf-8')}"]
    parts.append("The scripts that it bundles, under the same terms unless they say otherwise:\n")
    for script in sorted((folder / SCRIPTS).rglob("*.js")):
        notices = dict.fromkeys(NOTICE.findall(script.read_text("utf-8")))
        parts += [f"{script.relative_to(folder).as_posix()}\n", *notices] if notices else []
    return "\n".join(parts) + "\n"


def loaded_from_elsewhere(html: str) -> list[str]:
    """Return the addresses on other hosts that a page loads; links to follow do not count."""
    reader = _Addresses()
    reader.feed(html)
    return reader.found


class _Addresses(HTMLParser):
    """Collects addresses with a host in attributes other than those of links."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "a":
            addresses = [value for name, value in attrs if value and name != "xmlns"]
            self.found += filter(_HOST.match, addresses)


_HOST = re.compile(r"(?i)\s*(?:https?:)?//")

if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else FOLDER))
