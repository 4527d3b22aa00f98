"""Room for triangles in MuJoCo's model: prisms that are written anew as other ones come near.

A model with a mesh for each of 50,000 triangles takes more than a minute to compile. So there are
as many prisms as are near what moves, each in an explicit pair with one shape.
"""

import mujoco
import numpy as np

from ...model.pose import Array
from ..elimination import Indices

NAME, FAR = "prism", "far"
MOST = 2**13
"""Triangles near what moves, counted for each shape that they are near, that there is room for."""
_NOWHERE = 1e9
"""Where prisms of no meaning are [m]."""
_TEMPLATE = np.array(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, -1), (1, 0, -1), (0, 1, -1)), float)
_CORNERS = len(_TEMPLATE)


def add_prisms(spec: "mujoco.MjSpec", count: int) -> None:
    """Add prisms to the world, each in a pair with a shape of no meaning."""
    if not count:
        return
    kind = mujoco.mjtGeom.mjGEOM_MESH
    handle = spec.worldbody.add_body(name=FAR, mocap=True)
    handle.add_geom(
        name=FAR, type=mujoco.mjtGeom.mjGEOM_SPHERE, size=(1e-3,) * 3, contype=0, conaffinity=0
    )
    for number in range(count):
        name = f"{NAME} {number}"
        mesh = spec.add_mesh(name=name, uservert=_TEMPLATE.astype(np.float32).ravel())
        mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
        geom = spec.worldbody.add_geom(name=name, type=kind, contype=0, conaffinity=0)
        geom.meshname = name
        pair = spec.add_pair()
        pair.geomname1, pair.geomname2, pair.condim = FAR, name, 3


class Prisms:
    """The prisms of a model and the shapes that they are asked about."""

    def __init__(self, model: "mujoco.MjModel", count: int) -> None:
        """Take a model that `add_prisms` has added to."""
        self._model, self.count, self._used = model, count, 0
        self.geoms = np.array(
            [model.geom(f"{NAME} {number}").id for number in range(count)], np.intp
        )
        self._far = model.geom(FAR).id if count else -1
        meshes = model.geom_dataid[self.geoms]
        self._vertices = model.mesh_vertadr[meshes][:, None] + np.arange(_CORNERS)
        # All are one mesh, so their sides are alike.
        sides = model.mesh_polynum[meshes[0]] if count else 0
        self._sides = model.mesh_polyadr[meshes][:, None] + np.arange(sides)
        starts = model.mesh_polyvertadr[self._sides[:1]]
        self._corners = model.mesh_polyvert[starts[..., None] + np.arange(3)].reshape(-1, 3)
        if count:
            model.geom_sameframe[self.geoms] = mujoco.mjtSameFrame.mjSAMEFRAME_NONE
            model.geom_quat[self.geoms] = (1.0, 0.0, 0.0, 0.0)
            model.geom_pos[self.geoms] = _NOWHERE
            # The compiler sorts both of a pair.
            model.pair_geom1[:], model.pair_geom2[:] = self._far, self.geoms

    def write(self, prisms: Array, geoms: Indices) -> None:
        """Write prisms (k, 6, 3) in world axes [m], and which shape each may touch (k,)."""
        model, used = self._model, len(prisms)
        middle = prisms.mean(axis=1)
        local = (prisms - middle[:, None]).astype(np.float32)
        model.mesh_vert[self._vertices[:used]] = local
        a, b, c = (local[:, self._corners[:, n]].astype(float) for n in range(3))
        normal = np.cross(b - a, c - a)
        normal /= np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), 1e-300)
        model.mesh_polynormal[self._sides[:used]] = normal
        low, high = local.min(axis=1), local.max(axis=1)
        at, idle = self.geoms[:used], self.geoms[used : self._used]
        model.geom_size[at] = 0.5 * (high - low)
        model.geom_aabb[at] = np.concatenate((0.5 * (low + high), 0.5 * (high - low)), axis=1)
        model.geom_rbound[at] = np.linalg.norm(local, axis=2).max(axis=1) * (1.0 + 1e-6)
        model.geom_pos[at], model.geom_pos[idle] = middle, _NOWHERE
        model.pair_geom1[:used], model.pair_geom1[used : self._used] = geoms, self._far
        model.pair_margin[used : self._used] = 0.0
        self._used = used

    def look_ahead(self, margin: Array) -> None:
        """Write how far around each prism in use is looked (k,) [m]."""
        self._model.pair_margin[: self._used] = margin

    def place(self, data: "mujoco.MjData") -> None:
        """Put the prisms where they are, after those of other shapes have been placed."""
        data.geom_xpos[self.geoms] = self._model.geom_pos[self.geoms]
        data.geom_xmat[self.geoms] = np.eye(3).ravel()
