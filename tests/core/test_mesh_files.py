"""Meshes of files, made here by hand and compared with what trimesh reads."""

import contextlib
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.mesh import MeshData
from omi_joints_addon.io.formats.meshes import mesh_from_bytes, read_mesh
from omi_joints_addon.io.formats.meshes.obj import mesh_from_obj, obj_from_mesh
from omi_joints_addon.io.formats.meshes.stl import mesh_from_stl, stl_from_mesh

TETRAHEDRON = MeshData(
    points=np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.5)]),
    triangles=np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]),
)
COLLADA = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array></source>
<source id="n"><float_array id="b" count="3">0 0 1</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{faces}
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>0 0 4</translate>
<node><rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""
INPUTS = (
    '<input semantic="VERTEX" source="#v" offset="0"/>'
    '<input semantic="NORMAL" source="#n" offset="1"/>'
)
FACES = {
    "triangles": f'<triangles count="2">{INPUTS}<p>0 0 1 0 2 0 0 0 2 0 3 0</p></triangles>',
    "polylist": f'<polylist count="1">{INPUTS}<vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist>',
    "polygons": f'<polygons count="1">{INPUTS}<p>0 0 1 0 2 0 3 0</p></polygons>',
}


def corners(mesh: MeshData) -> list:
    return sorted(mesh.points[mesh.triangles].reshape(-1, 9).round(6).tolist())


def test_stl_and_obj_come_back():
    assert corners(mesh_from_stl(stl_from_mesh(TETRAHEDRON))) == corners(TETRAHEDRON)
    again = mesh_from_obj(obj_from_mesh(TETRAHEDRON))
    assert np.array_equal(again.points, TETRAHEDRON.points)
    assert np.array_equal(again.triangles, TETRAHEDRON.triangles)


@pytest.mark.parametrize("kind", ["stl", "obj"])
def test_written_files_are_what_trimesh_reads(kind):
    trimesh = pytest.importorskip("trimesh")
    data = {"stl": stl_from_mesh, "obj": obj_from_mesh}[kind](TETRAHEDRON)
    loaded = trimesh.load_mesh(io.BytesIO(data), file_type=kind)
    assert corners(MeshData(np.array(loaded.vertices), np.array(loaded.faces))) == corners(
        TETRAHEDRON
    )


def test_text_stl():
    facet = b"facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1e0 0 0\nvertex 0 1 0\nendloop"
    mesh = mesh_from_stl(b"solid thing\n" + facet + b"\nendfacet\nendsolid")
    assert corners(mesh) == [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]]


def test_obj_with_quads_normals_and_negative_indices():
    mesh = mesh_from_obj(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf -4//1 2/1/1 3 4\n")
    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize("kind", FACES)
def test_collada_in_metres_with_its_transforms(kind):
    mesh = mesh_from_bytes(COLLADA.format(faces=FACES[kind]).encode(), ".dae")
    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    expected = [(0.0, 0.0, 2.0), (0.0, 0.5, 2.0), (-0.5, 0.5, 2.0), (-0.5, 0.0, 2.0)]
    assert mesh.points == pytest.approx(np.array(expected))


@pytest.mark.parametrize(
    ("suffix", "data"),
    [
        (".stl", b""),
        (".stl", b"solid\nvertex 0 0 0"),
        (".stl", b"\0" * 80 + b"\xff\xff\xff\xff"),
        (".obj", b"v 0 0\nf 1 1 1"),
        (".obj", b"v 0 0 0\nf 1 2 3"),
        (".obj", b"v a b c"),
        (".dae", b"<COLLADA/>"),
        (".dae", b"<!DOCTYPE a [<!ENTITY b 'c'>]><COLLADA>&b;</COLLADA>"),
        (".dae", b"<"),
    ],
)
def test_bad_files_are_refused_in_one_line(suffix, data):
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        mesh_from_bytes(data, suffix)


@given(st.binary(max_size=200), st.sampled_from([".stl", ".obj", ".dae"]))
def test_any_bytes_are_a_mesh_or_refused(data, suffix):
    try:
        mesh = mesh_from_bytes(data, suffix)
    except ValueError:
        return
    assert np.isfinite(mesh.points).all()


@given(st.randoms(use_true_random=False))
def test_mutated_collada_is_a_mesh_or_refused(random):
    text = list(COLLADA.format(faces=FACES["polylist"]))
    for _ in range(random.randint(1, 4)):
        text[random.randrange(len(text))] = random.choice("0123456789<>/ -e.")
    with contextlib.suppress(ValueError):
        mesh_from_bytes("".join(text).encode(), ".dae")


def test_files_that_are_none(tmp_path):
    with pytest.raises(ValueError, match="No such file"):
        read_mesh(tmp_path / "none.stl")
    with pytest.raises(ValueError, match=r"type \.abc"):
        read_mesh(tmp_path / "some.abc")
