"""One policy for the numbers of every reader: finite and at most 1e15, or a finding."""

import json
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.model.numbers import LARGEST, all_usable, double, is_usable
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.checking import check
from omi_joints_addon.io.formats.format import Source
from tests.core.shift_models import model

HUGE = ("1e16", "1e308", "-1e308")


def _mjcf(number: str) -> str:
    geom = f'<geom size="0.1" pos="{number} 0 0"/><geom size="0.1" pos="0 {number} 0"/>'
    return f'<mujoco><worldbody><body name="b"><freejoint/>{geom}</body></worldbody></mujoco>'


def _urdf(number: str) -> str:
    color = f'<material name="m"><color rgba="{number} 0 0 1"/></material>'
    shape = "<geometry><sphere radius='1'/></geometry>"
    return f'<robot name="r"><link name="a"><visual>{shape}{color}</visual></link></robot>'


def _gltf(number: str) -> str:
    motion = {"type": "dynamic", "mass": "NUMBER", "angularVelocity": [0, "NUMBER", 0]}
    document = {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["OMI_physics_body"],
        "nodes": [{"extensions": {"OMI_physics_body": {"motion": motion}}}],
    }
    return json.dumps(document).replace('"NUMBER"', number)


def _shift(number: str) -> str:
    document = model([], [], gravity="NUMBER")
    document["model_parameters"]["gravity"] = [0.0, 0.0, "NUMBER"]
    return json.dumps(document).replace('"NUMBER"', number)


TEXTS = {"xml": _mjcf, "urdf": _urdf, "gltf": _gltf, "json": _shift}


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize("suffix", TEXTS)
def test_numbers_beyond_the_bound_are_findings(suffix: str, number: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_text(TEXTS[suffix](number))
    (read,) = registry.format_of(path).read(Source(path=path))
    assert check(read), "nothing was reported"
    assert all_usable(read.scene.matrices)
    for suffix_of_target in ("glb", "urdf", "mjcf", "json"):
        target = tmp_path / f"out.{suffix_of_target}"
        assert main(["convert", str(path), str(target)]) in (0, 1)
    assert main(["simulate", str(path), "--seconds", "0.01"]) in (0, 2)


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "cylinder", "cylinder": {"radius": 1e-110, "height": 1e-110}},
        {"type": "sphere", "sphere": {"radius": 1e-320}},
        {"type": "box", "box": {"size": [1e200, 1e200, 1e200]}},
    ],
)
def test_shapes_without_a_volume_that_is_a_number(shape: object, tmp_path: Path) -> None:
    body = {"motion": {"type": "dynamic", "mass": 1}, "collider": {"shape": 0}}
    document = {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
        "extensions": {"OMI_physics_shape": {"shapes": [shape]}},
        "nodes": [{"name": "A", "extensions": {"OMI_physics_body": body}}],
    }
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps(document))
    assert main(["check", str(path)]) == 1
    assert main(["convert", str(path), str(tmp_path / "a.urdf")]) in (0, 1)
    assert main(["simulate", str(path), "--seconds", "0.01"]) in (0, 2)


def test_what_is_usable() -> None:
    assert is_usable(LARGEST)
    assert is_usable(-LARGEST)
    assert not any(map(is_usable, (np.nextafter(LARGEST, np.inf), np.inf, -np.inf, np.nan)))
    assert double(10**400) is double(True) is double("1") is double(None) is None
    assert double(2) == 2.0
