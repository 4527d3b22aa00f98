"""A recorded motion with fewer frames, and one that ends where it begins."""

import numpy as np

from ..model.pose import Array, Pose, matrix_from_pose, pose_from_matrix


def kept_frames(record: Array, reaches: Array, tolerance: float) -> list[int]:
    """Return the frames between which all others are nearly on straight ways.

    `record` are world matrices (f, b, 4, 4) of bodies that reach so far (b,) [m]; no point of them
    is off by more than about `tolerance` [m]. Source: Douglas, Peucker, "Algorithms for the
    reduction of the number of points", 1973.
    """
    axes = record[..., :3, :3].swapaxes(-1, -2) * reaches[:, None, None]
    points = np.concatenate((record[..., None, :3, 3], axes), axis=-2)
    last = len(record) - 1
    kept, spans = {0, last}, [(0, last)]
    while spans:
        first, end = spans.pop()
        if end - first < 2:
            continue
        part = np.arange(1, end - first)[:, None, None, None] / (end - first)
        straight = (1.0 - part) * points[first] + part * points[end]
        off = np.linalg.norm(points[first + 1 : end] - straight, axis=-1).max(axis=(1, 2))
        if off.max() > tolerance:
            worst = first + 1 + int(off.argmax())
            kept.add(worst)
            spans += [(first, worst), (worst, end)]
    return sorted(kept)


def looped(record: Array, blended: int) -> Array:
    """Return a motion (f, b, 4, 4) whose last frames go over into its first pose."""
    result = record.copy()
    count = min(blended, len(record) - 1)
    ends = pose_from_matrix(record[len(record) - count :])
    part = np.arange(1, count + 1) / count
    smooth = (part**2 * (3.0 - 2.0 * part))[:, None, None]
    start = pose_from_matrix(record[:1])
    near = np.where((ends.rotation * start.rotation).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    turned = (1.0 - smooth) * ends.rotation + smooth * near * start.rotation
    turned /= np.linalg.norm(turned, axis=-1, keepdims=True)
    moved = (1.0 - smooth) * ends.position + smooth * start.position
    scale = np.linalg.norm(record[0, :, :3, :3], axis=-2)
    result[len(record) - count :] = matrix_from_pose(Pose(moved, turned))
    result[len(record) - count :, :, :3, :3] *= scale[:, None, :]
    return np.asarray(result)
