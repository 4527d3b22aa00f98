"""`python -m omi_joints_addon`: the command line without Blender's window."""

import sys


def _run() -> int:
    try:
        from .cli import main, silence_output
    except KeyboardInterrupt:
        # What is imported takes a tenth of a second.
        sys.stderr.write("interrupted\n")
        return 130
    code = main(sys.argv[1:])
    silence_output()
    return code


if __name__ == "__main__":
    sys.exit(_run())
