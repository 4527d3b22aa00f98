"""Shift's own public models.

They have no licence, so nothing of them is here: OMI_SHIFT_MODELS names a folder that has them
(shift-dynamics/shift-models). Counts are those of the
files, numbers those of other solvers.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.rewrite.loops import close_loops
from omi_joints_addon.core.solver import Simulation
from omi_joints_addon.io.formats.format import Read, Source, Target, UnreadableError
from omi_joints_addon.io.formats.shift import SHIFT
from tests.elsewhere import shift_models_folder

pytestmark = pytest.mark.needs("Shift models")
FOLDER = shift_models_folder()
FILES = sorted(FOLDER.rglob("*.json"))
COUNTS = {
    "abiflexx_d4_1300/abiflexx_d4_1300.json": (11, 16, 5),
    "brake/brake.json": (8, 11, 3),
    "bricard/bricard.json": (6, 6, 1),
    "excavator/excavator.json": (15, 20, 5),
    "klann_linkage/klann_linkage.json": (5, 7, 2),
    "kuka_lbr_iiwa_14_r820/kuka_iiwa.json": (8, 8, 0),
    "pendulum/double_pendulum.json": (2, 2, 0),
    "sarrus/sarrus.json": (8, 10, 2),
    "slider_crank/slider_crank.json": (3, 4, 1),
    "slider_crank/slider_crank_2substructures.json": (6, 8, 2),
    "vehicle/vehicle_control.json": (45, 51, 6),
}
"""Moving bodies, joints that are no floats, and loops."""


def read(name: str) -> Read:
    (found,) = SHIFT.read(Source(path=FOLDER / name))
    return found


@pytest.mark.parametrize("name", COUNTS)
def test_bodies_joints_and_loops_are_those_of_the_file(name: str) -> None:
    scene = read(name).scene
    bodies = sum(scene.is_dynamic(node) for node in scene.motions)
    loops = sum(not joint.attributes.in_articulation for joint in scene.joints)
    assert (bodies, len(scene.joints), loops) == COUNTS[name]


@pytest.mark.parametrize("name", ["klann_linkage/klann_linkage.json", "sarrus/sarrus.json"])
def test_loops_that_are_closed_stay_closed(name: str) -> None:
    found = read(name)
    assert "OMI-H006" not in [item.code for item in found.findings]
    assert close_loops(found.scene).before < 1e-4


def test_slider_crank_that_was_saved_open_closes() -> None:
    found = read("slider_crank/slider_crank_2substructures.json")
    (gap,) = (item for item in found.findings if item.code == "OMI-H006")
    assert "open by 2.5 m" in str(gap)
    closed = close_loops(found.scene)
    assert closed.after < 1e-4


def test_double_pendulum_from_rest_is_where_other_solvers_have_it() -> None:
    scene = read("pendulum/double_pendulum.json").scene
    still = (0.0, 0.0, 0.0)
    motions = {
        node: replace(motion, linear_velocity=still, angular_velocity=still)
        for node, motion in scene.motions.items()
    }
    simulation = Simulation(replace(scene, motions=motions))
    for _ in range(60):
        simulation.advance(1.0 / 60.0)
    place = simulation.matrices()[scene.names.index("link2")][:3, 3]
    assert np.allclose(place, (0.1, 0.5952, 2.1964), atol=1e-3)


@pytest.mark.parametrize("version", ["0.2", "2.0.0"])
@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_each_file_comes_back(path: Path, version: str, tmp_path: Path) -> None:
    try:
        (found,) = SHIFT.read(Source(path=path))
    except UnreadableError:
        assert not path.read_bytes().strip()
        return
    scene = found.scene
    out = tmp_path / "out.json"
    written = SHIFT.write(scene, Target(path=out, options={"version": version}))
    out.write_bytes(written.files[out.name])
    (other,) = SHIFT.read(Source(path=out))
    again = {name: node for node, name in enumerate(other.scene.names)}
    for node in filter(scene.is_dynamic, scene.motions):
        twin = again[scene.names[node]]
        # Some files give rotations with six digits.
        assert np.abs(scene.matrices[node] - other.scene.matrices[twin]).max() < 1e-6
    settings = {other.scene.names[j.node]: j.settings for j in other.scene.joints}
    for joint in scene.joints:
        assert settings[scene.names[joint.node]] == joint.settings
    assert len(other.scene.lights) == len(scene.lights)
