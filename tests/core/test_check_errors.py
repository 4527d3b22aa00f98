"""The quick verdict of an export equals the errors of the full checks, on random scenes."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from omi_joints_addon.core.checks.scene import check_errors, check_scene
from omi_joints_addon.core.findings.finding import Severity
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from tests.core.physics_scenes import HINGE, moved
from tests.core.strategies import joint_settings

_MATRICES = (
    np.eye(4),
    moved(1.0),
    np.diag((2.0, 2.0, 2.0, 1.0)),
    np.diag((1.0, -1.0, 1.0, 1.0)),
    np.diag((0.0, 1.0, 1.0, 1.0)),
    moved(1e12),
    np.full((4, 4), np.nan),
)


@st.composite
def scenes(draw: st.DrawFn) -> PhysicsScene:
    """Return a scene of a few nodes; everything that a joint refers to may be wrong."""
    count = draw(st.integers(1, 8))
    nodes = st.integers(0, count - 1)
    kinds = st.sampled_from(("static", "kinematic", "dynamic"))
    values = draw(st.lists(joint_settings | st.just(HINGE), min_size=1, max_size=3))
    joints = [
        Joint(
            node=draw(nodes),
            connected=draw(st.none() | nodes),
            settings=draw(st.sampled_from(values)),
            place=f"Joint {number}",
            settings_place=draw(st.sampled_from(("", "Joint 0"))),
        )
        for number in range(draw(st.integers(0, 5)))
    ]
    return PhysicsScene(
        names=tuple(f"Node {number}" for number in range(count)),
        parents=np.array([draw(st.integers(-1, node - 1)) for node in range(count)], dtype=np.intp),
        matrices=np.array([draw(st.sampled_from(_MATRICES)) for _ in range(count)]),
        motions={n: Motion(type=k) for n, k in draw(st.dictionaries(nodes, kinds)).items()},
        joints=tuple(joints),
    )


@given(scenes())
def test_errors_are_those_of_the_full_checks(scene: PhysicsScene):
    errors = [item for item in check_scene(scene) if item.severity == Severity.ERROR]
    assert Counter(map(str, check_errors(scene))) == Counter(map(str, errors))


def test_every_rule_of_an_error_is_raised_by_some_of_the_scenes():
    found: set[str] = set()

    @settings(max_examples=60, database=None, derandomize=True)
    @given(scenes())
    def collect(scene: PhysicsScene) -> None:
        found.update(item.code for item in check_errors(scene))

    collect()
    assert found >= {"OMI-J001", "OMI-J007", "OMI-J009", "OMI-J107", "OMI-J304"}
