"""`python -m omi_joints_addon`: the command line without Blender's window."""

import sys

from .cli import main, silence_output

if __name__ == "__main__":
    code = main(sys.argv[1:])
    silence_output()
    sys.exit(code)
