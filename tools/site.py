"""Build the documentation as a site, checking every link: site.py [FOLDER]."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "site"


def build(folder: Path) -> int:
    """Build the site into a folder with the mkdocs of this Python; return its exit code."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    run = subprocess.run([*command, "--site-dir", folder], check=False, cwd=ROOT, env=quiet)
    return run.returncode


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else FOLDER))
