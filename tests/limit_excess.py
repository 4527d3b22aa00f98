"""How far poses are outside of limits, by the metrics of the specification."""

import numpy as np

from omi_joints_addon.core.meaning.metric import limit_metrics


def limit_excess(limit, pose):
    """Return how far the pose is outside the limit [m or rad], shape (...); 0 inside."""
    metrics = [
        np.maximum(limit.min - each, each - limit.max) for each in limit_metrics(limit, pose)
    ]
    return np.max([np.zeros(pose.position.shape[:-1]), *metrics], axis=0)


def is_within(limit, pose, *, tolerance=0.0):
    """Return whether every metric of the limit is within its bounds, shape (...)."""
    return limit_excess(limit, pose) <= tolerance
