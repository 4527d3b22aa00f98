"""`python -m omi_joints`: the command line, which names itself so."""

import sys

from omi_joints_addon.__main__ import main

if __name__ == "__main__":
    sys.exit(main("python -m omi_joints"))
