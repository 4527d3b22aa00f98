"""Position drives that are aimed at poses given from outside, all rows at once."""

from dataclasses import replace

import numpy as np

from ..meaning.metric import twist_angle
from ..model.pose import Array, Pose
from .elimination import Indices
from .rows import Form
from .table import RowTable

_AIMED = ("center", "stiffness", "damping")


def aimed_table(table: RowTable, joints: Indices, poses: Pose, strengths: Array) -> RowTable:
    """Return a table whose position drives of some joints pull toward poses.

    `joints` (k,) are columns of the table, `poses` (k, 3) and (k, 4) those of the connected frames
    in the joints' frames, `strengths` (k,) factors of stiffness and damping.
    """
    is_spring = table.is_drive[:, joints] & (table.stiffness[:, joints] > 0.0)
    row, number = np.nonzero(is_spring)
    column, axis = joints[number], table.axis[row, joints[number]]
    rotation = poses.rotation[number]
    angles = twist_angle(np.take_along_axis(rotation, axis[:, None], 1)[:, 0], rotation[:, 3])
    lengths = np.take_along_axis(poses.position[number], axis[:, None], 1)[:, 0]
    is_angle = table.form[row, column] == Form.TWIST
    center, stiffness, damping = (getattr(table, name).copy() for name in _AIMED)
    center[row, column] = np.where(is_angle, angles, lengths)
    stiffness[row, column] *= strengths[number]
    damping[row, column] *= strengths[number]
    return replace(table, center=center, stiffness=stiffness, damping=damping)
