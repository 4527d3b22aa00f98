"""Run scripts on Blender: on_blender.py newest|each SCRIPT [SCRIPT ...] [-- ARGUMENT ...]."""

import subprocess
import sys

from environments import ROOT, prepare_blenders, prepare_newest


def main() -> None:
    """Run each script in turn, on the newest release or on each; stop at the first that fails."""
    which, *rest = sys.argv[1:]
    cut = rest.index("--") if "--" in rest else len(rest)
    scripts, arguments = rest[:cut], rest[cut + 1 :]
    for environment in prepare_blenders() if which == "each" else [prepare_newest()]:
        for script in scripts:
            print(f"\n{script} on Blender {environment.name}", flush=True)
            command = [str(environment.python), script, *arguments]
            code = subprocess.run(command, check=False, cwd=ROOT).returncode
            if code:
                sys.exit(code)


if __name__ == "__main__":
    main()
