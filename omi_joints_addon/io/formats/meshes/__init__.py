"""Files of meshes as points and triangles, in their own axes: STL, OBJ and Collada."""

from pathlib import Path

from ....core.model.mesh import MeshData

SUFFIXES = (".stl", ".obj", ".dae")
_LARGEST = 512 * 2**20
"""Bytes that are read at most."""


def read_mesh(path: Path) -> MeshData:
    """Return points and triangles of a file; raises `ValueError` saying why in one line."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path.name}: meshes of type {suffix or 'unknown'} are not read")
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError(f"{path.name} is larger than {_LARGEST // 2**20} MiB")
        return mesh_from_bytes(path.read_bytes(), suffix)
    except OSError as error:
        raise ValueError(f"{path.name}: {error.strerror or error}") from error
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


def mesh_from_bytes(data: bytes, suffix: str) -> MeshData:
    """Return points and triangles; raises `ValueError`."""
    if suffix == ".stl":
        from .stl import mesh_from_stl

        return mesh_from_stl(data)
    if suffix == ".obj":
        from .obj import mesh_from_obj

        return mesh_from_obj(data)
    from .collada import mesh_from_collada

    return mesh_from_collada(data)
