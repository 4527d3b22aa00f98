"""Hypothesis strategies of the core layer: poses, limits, drives, settings and JSON values."""

import json
import math

import numpy as np
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.numbers import LARGEST
from omi_joints_addon.core.model.pose import Pose

# A machine under load must not fail a test of values.
hypothesis_settings.register_profile("core", deadline=None)
hypothesis_settings.load_profile("core")

doubles = st.floats(-LARGEST, LARGEST, allow_subnormal=False)
lengths = st.floats(-10.0, 10.0, allow_subnormal=False)
not_negative = st.floats(0.0, 1e9, allow_subnormal=False)
axes = st.sets(st.integers(0, 2)).map(lambda found: tuple(sorted(found)))
some_axes = axes.filter(bool)


def _unit(values: tuple[float, ...]) -> np.ndarray:
    quaternion = np.array(values)
    return quaternion / np.linalg.norm(quaternion)


_component = st.integers(-8, 8).map(float) | st.floats(-1.0, 1.0, allow_subnormal=False)
quaternions = (
    st.tuples(_component, _component, _component, _component)
    .filter(lambda values: np.linalg.norm(values) > 1e-3)
    .map(_unit)
)
"""Unit quaternions x, y, z, w: about the frame's axes, half turns and any others."""

positions = st.tuples(lengths, lengths, lengths).map(np.array)
poses = st.builds(Pose, positions, quaternions)

_any_text = st.text(st.characters(exclude_categories=()), max_size=6)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**400), 10**400)
    | st.integers(-4, 4)
    | st.floats()
    | _any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_any_text, inner, max_size=3),
    max_leaves=8,
)
"""Anything that a JSON parser returns, NaN, infinities and lone surrogates included."""

plain_json = st.recursive(
    st.none() | st.booleans() | st.integers() | doubles | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
"""JSON values that may be written."""


def _object_text(members: dict[str, object]) -> str:
    return json.dumps(members) if members else ""


carried = st.fixed_dictionaries(
    {}, optional={"extras": plain_json, "extensions": plain_json, "VENDOR_key": plain_json}
).map(_object_text)
"""Members that the extension does not define, as JSON text."""


def limits(*, bounds: st.SearchStrategy[float] = doubles) -> st.SearchStrategy[JointLimit]:
    """Return limits that name at least one axis."""
    return st.builds(
        JointLimit,
        linear_axes=axes,
        angular_axes=axes,
        min=bounds | st.just(-math.inf),
        max=bounds | st.just(math.inf),
        stiffness=not_negative | st.just(math.inf),
        damping=not_negative,
        carried=carried,
    ).filter(lambda limit: limit.linear_axes or limit.angular_axes)


drives = st.builds(
    JointDrive,
    type=st.sampled_from(["linear", "angular"]) | st.text(max_size=6),
    mode=st.sampled_from(["force", "acceleration"]) | st.text(max_size=6),
    axis=st.integers(0, 2),
    max_force=not_negative | st.just(math.inf),
    position_target=doubles | st.none(),
    velocity_target=doubles | st.none(),
    stiffness=not_negative,
    damping=not_negative,
    carried=carried,
)

joint_settings = st.builds(
    JointSettings,
    name=st.text(max_size=8),
    limits=st.lists(limits(), max_size=4).map(tuple),
    drives=st.lists(drives, max_size=3).map(tuple),
    carried=carried,
)
