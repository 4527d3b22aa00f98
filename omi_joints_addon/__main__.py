"""`python -m omi_joints_addon`: the command line without Blender's window."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
