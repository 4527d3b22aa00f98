"""Where files of others are that are not ours to copy: by a setting, or beside the checkout."""

import os
from pathlib import Path


def corpus_folder() -> Path:
    """Return the folder of official example files: OMI_CORPUS, else one beside the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "corpus"
    return Path(os.environ.get("OMI_CORPUS", beside))


def robots_folder() -> Path:
    """Return the folder of public robots: OMI_ROBOTS, else one beside the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "robots"
    return Path(os.environ.get("OMI_ROBOTS", beside))


def shift_models_folder() -> Path:
    """Return the folder of Shift's own models: OMI_SHIFT_MODELS, else one beside the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "shift-models"
    return Path(os.environ.get("OMI_SHIFT_MODELS", beside))
