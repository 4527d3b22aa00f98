"""Public robots against yourdfpy and MuJoCo.

They are not ours to copy: example-robot-data of Gepetto and newton-assets, as they are fetched, in
the folder OMI_ROBOTS.
"""

import logging
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.checks.differences import differences
from omi_joints_addon.core.checks.matching import matched_by_name
from omi_joints_addon.core.findings.loss import How, Noun
from omi_joints_addon.io.formats.format import Source, UnreadableError
from omi_joints_addon.io.formats.urdf import URDF
from tests.core.urdf_robots import scene_kinematics, text_kinematics, write
from tests.elsewhere import robots_folder

pytestmark = pytest.mark.needs("public robots")
FILES = sorted(robots_folder().rglob("*.urdf"))
MIMICS_OF_NOTHING = ("alex_psyonic_hands.urdf", "g1_29dof_rev_1_0_with_inspire_hand_FTP.urdf")
"""The first mimics joints that are not there, the second those that mimic others in turn."""


def loaded(path: Path):
    """Return what yourdfpy makes of a file, None where it raises."""
    yourdfpy = pytest.importorskip("yourdfpy")
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return yourdfpy.URDF.load(str(path), load_meshes=False, load_collision_meshes=False)
        except (ValueError, AttributeError, TypeError, IndexError):
            return None
        finally:
            logging.disable(logging.NOTSET)


def test_links_are_where_yourdfpy_has_them_at_random_angles():
    chance, compared = np.random.default_rng(5), 0
    for path in FILES:
        try:
            (found,) = URDF.read(Source(path=path))
        except UnreadableError:
            continue
        other = loaded(path)
        if other is None or other.base_link is None or path.name in MIMICS_OF_NOTHING:
            continue
        values = _random_values(other, chance)
        if values is None:
            continue
        poses = scene_kinematics(found.scene, values)
        root = np.linalg.inv(poses[other.base_link])
        for name in _linked(other):
            expected = other.get_transform(name, other.base_link)
            if np.isnan(expected).any():
                break  # a zero axis
            assert root @ poses[name] == pytest.approx(expected, abs=1e-9), (path, name)
        compared += 1
    assert compared > len(FILES) * 0.8


def _random_values(other, chance) -> dict[str, float] | None:
    """Turn the joints of a robot by random angles; return those, None where yourdfpy fails."""
    moving = [name for name in other.actuated_joint_names if _has_axis(other, name)]
    values = {name: float(chance.uniform(-1.5, 1.5)) for name in moving}
    try:
        other.update_cfg({**dict.fromkeys(other.actuated_joint_names, 0.0), **values})
    except IndexError:
        return None
    for name, element in other.joint_map.items():
        mimic = element.mimic
        if mimic is not None and mimic.joint in values and _has_axis(other, name):
            factor = 1.0 if mimic.multiplier is None else mimic.multiplier
            values[name] = values[mimic.joint] * factor + (mimic.offset or 0.0)
    return values


def _linked(other) -> list[str]:
    """Return the links that joints tie to the root, which is not all in some files."""
    parents = {element.child: element.parent for element in other.joint_map.values()}

    def top(name: str) -> str:
        while name in parents:
            name = parents[name]
        return name

    return [name for name in other.link_map if top(name) == other.base_link]


def _has_axis(other, name: str) -> bool:
    """Return whether a joint moves; limits from 0 to 0 lock it."""
    found = other.joint_map[name]
    is_locked = found.limit is not None and not found.limit.lower and not found.limit.upper
    is_turning = found.type in ("revolute", "prismatic") and not is_locked
    return is_turning or found.type == "continuous"


def test_written_robots_are_the_same_and_move_the_same(tmp_path):
    chance = np.random.default_rng(6)
    for path in FILES:
        try:
            (found,) = URDF.read(Source(path=path))
        except UnreadableError:
            continue
        scene = found.scene
        written = write(scene, tmp_path, meshes="none")
        lost = [loss for loss in written.losses if loss.how == How.LOST]
        assert lost == [], path
        if any(loss.noun == Noun.NAME for loss in written.losses):
            continue
        (again,) = URDF.read(Source(path=tmp_path / "out.urdf"))
        match = matched_by_name(scene, again.scene)
        nouns = {difference.noun for difference in differences(scene, again.scene, match)}
        assert nouns <= {Noun.NODE, Noun.COLLIDER, Noun.VISUAL, Noun.JOINT}, path
        values = {joint.place: float(chance.uniform(-1.5, 1.5)) for joint in scene.joints}
        before = scene_kinematics(scene, values)
        after = text_kinematics(written.files["out.urdf"], values)
        for name in scene.motions:
            link = scene.names[name]
            root = np.linalg.inv(before[scene.names[0]]) @ before[link]
            assert np.linalg.inv(after[scene.names[0]]) @ after[link] == pytest.approx(
                root, abs=1e-8
            ), (path, link)


def test_written_robots_load_in_mujoco(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    refused = []
    for path in FILES:
        try:
            (found,) = URDF.read(Source(path=path))
        except UnreadableError:
            continue
        bare = _without_shapes(found.scene)
        write(bare, tmp_path)
        try:
            model = mujoco.MjModel.from_xml_path(str(tmp_path / "out.urdf"))
        except ValueError as error:
            refused.append((path.name, str(error)))
            continue
        assert math.isfinite(float(np.sum(model.body_mass)))
    reasons = ("inertia", "mass", "moments", "eigenvalues")
    strange = [(n, e) for n, e in refused if not any(word in e.lower() for word in reasons)]
    assert strange == []


def _without_shapes(scene):
    from dataclasses import replace

    return replace(scene, colliders={}, visuals={}, meshes=())
