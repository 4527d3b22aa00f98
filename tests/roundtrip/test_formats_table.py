"""Eight models in every format and back: the table of docs/exchange.md, by its own tool."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.io import registry
from tests.format_models import MODELS

TOOL = Path(__file__).resolve().parents[2] / "tools" / "formats_table.py"


def tool():
    spec = importlib.util.spec_from_file_location("formats_table", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("row", registry.FORMATS, ids=[row.name for row in registry.FORMATS])
@pytest.mark.parametrize("name", MODELS)
def test_poses_come_back_and_what_is_missing_is_named(tmp_path, name, row):
    if row.name == "usd":
        pytest.importorskip("pxr")
    scene = MODELS[name]()
    found = tool().round_trip(scene, row, tmp_path)
    reach = max(1.0, float(np.abs(scene.matrices[:, :3, 3]).max()))
    # Blender multiplies matrices of single precision.
    assert found.gap <= (3e-7 if row.name == "blend" else 1e-7) * reach
    named = {noun for nouns in found.losses.values() for noun in nouns}
    # A joint without freedom is no joint in MJCF, which moves alike; a rope is a tendon.
    assert not found.missing or named
