"""An inertia that nobody gave is one number in every format, and is said to be made up."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.solver.bodies import bodies_of
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.sdf import SDF
from omi_joints_addon.io.formats.shift import SHIFT
from omi_joints_addon.io.formats.urdf import URDF
from tests.core.solver_scenes import SceneBuilder

MOMENT = 0.4 * 3.7 * (0.31**2 + 0.12**2)
"""An even ball of 3.7 kg that reaches its joint."""


def scene() -> PhysicsScene:
    build = SceneBuilder()
    post = build.body((0, 0, 0), type="static")
    arm = build.body((0.31, 0.12, 0), inertia=0.0, mass=3.7)
    build.joint(hinge(), arm, post, (0, 0, 0))
    return build.scene()


def of_urdf(text: str) -> list[float]:
    inertia = ET.fromstring(text).findall("link/inertial/inertia")[-1]
    return [float(inertia.get(name)) for name in ("ixx", "iyy", "izz")]


def of_mjcf(text: str) -> list[float]:
    return [
        float(each) for each in ET.fromstring(text).find(".//inertial").get("diaginertia").split()
    ]


def of_shift(text: str) -> list[float]:
    (found,) = re.findall(r'"moment_of_inertia": (\{[^}]*\})', text)
    moments = json.loads(found)
    return [value for value in moments.values() if value]


def of_sdf(text: str) -> list[float]:
    inertia = ET.fromstring(text).findall(".//link/inertial/inertia")[-1]
    return [float(inertia.findtext(name)) for name in ("ixx", "iyy", "izz")]


@pytest.mark.parametrize(
    ("row", "name", "read"),
    [
        *((URDF, "a.urdf", of_urdf), (MJCF, "a.xml", of_mjcf)),
        *((SHIFT, "a.json", of_shift), (SDF, "a.sdf", of_sdf)),
    ],
)
def test_it_is_the_same_everywhere_and_said(row, name: str, read) -> None:
    written = row.write(scene(), Target(path=Path(name)))
    assert read(bytes(written.files[name]).decode()) == pytest.approx([MOMENT] * 3)
    lines = [loss for loss in written.losses if loss.noun == "inertia"]
    assert [str(loss.text) for loss in lines] == [
        "it has none and no shape: that of a ball of 0.332 m is made up"
    ]


def test_the_preview_has_the_same() -> None:
    bodies, findings = bodies_of(scene())
    assert np.diag(bodies.inertia[:, :, -1]) == pytest.approx([MOMENT] * 3)
    assert [each.code for each in findings] == ["OMI-P002"]
