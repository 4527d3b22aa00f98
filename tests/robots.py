"""Where public robots are that are not ours to copy."""

import os
from pathlib import Path


def robots_folder() -> Path:
    """Return the folder of public robots: OMI_ROBOTS, else one beside the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "robots"
    return Path(os.environ.get("OMI_ROBOTS", beside))
