"""What an export says of its joints equals the errors that the checks find in the same scene."""

import random

import bpy
import pytest

from omi_joints_addon.core.findings.finding import Severity
from tests.roundtrip.documents import add, add_body, export, popups
from tests.whole_check import scene_findings

_REPORTED_BY_EXPORT = {f"OMI-J00{number}" for number in range(1, 7)}


def author(source: random.Random) -> None:
    """Add bodies and joints at random, among them what cannot work."""
    bodies = [
        add_body(f"Body {number}", source.choice(("NONE", "STATIC", "KINEMATIC", "DYNAMIC")))
        for number in range(source.randrange(1, 5))
    ]
    frames = [
        add(
            f"Frame {number}",
            parent=source.choice([*bodies, None]),
            location=(source.choice((0.0, 1.0, 1e12)), 0.0, 0.0),
            scale=source.choice(((1, 1, 1), (0, 1, 1), (2, 1, 1))),
        )
        for number in range(source.randrange(2, 8))
    ]
    joints = source.sample(frames, source.randrange(1, len(frames)))
    for joint in joints:
        data = joint.omi_joint
        data.enabled = True
        data.connected_object = source.choice([*frames, *bodies, None])
        data.settings_source = source.choice([None, None, *joints])
        for _ in range(source.randrange(4)):
            limit = data.limits.add()
            limit.linear_axes = [source.random() < 0.3 for _ in range(3)]
            limit.angular_axes = [source.random() < 0.3 for _ in range(3)]
            limit.min, limit.max = source.uniform(-2, 1), source.uniform(-1, 2)
    bpy.context.view_layer.update()


@pytest.mark.parametrize("seed", range(25))
def test_an_export_tells_the_errors_of_the_checks(tmp_path, capsys, seed):
    author(random.Random(seed))
    found = scene_findings(bpy.context.scene)
    errors = {
        str(item)
        for item in found
        if item.severity == Severity.ERROR and item.code not in _REPORTED_BY_EXPORT
    }
    capsys.readouterr()
    export(tmp_path)
    reported = [line for line in popups(capsys) if line.startswith("error OMI-")]
    assert {line for line in reported if line.split()[1] not in _REPORTED_BY_EXPORT} == errors
    assert len(reported) == len(set(reported))
