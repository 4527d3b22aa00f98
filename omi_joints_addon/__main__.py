"""`python -m omi_joints_addon`: the command line without Blender's window."""

import sys


def main() -> int:
    """Run the command that the arguments of the process name and return the exit code."""
    try:
        from .cli.main import main as run
        from .cli.main import silence_output
    except KeyboardInterrupt:
        # What is imported takes a tenth of a second.
        sys.stderr.write("interrupted\n")
        return 130
    code = run(sys.argv[1:])
    silence_output()
    return code


if __name__ == "__main__":
    sys.exit(main())
