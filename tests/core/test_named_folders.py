"""Meshes and included files above a model's folder are read from folders that are named, alone."""

from pathlib import Path

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.meshes.stl import stl_from_mesh
from tests.core.test_mesh_files import TETRAHEDRON

# The layout of gymnasium-robotics: models, meshes and textures in folders side by side.
REACH = """<mujoco><compiler meshdir="../stls/hand" texturedir="../textures"/>
<include file="shared_asset.xml"/><worldbody><include file="../hand/palm.xml"/></worldbody>
</mujoco>"""
SHARED = """<mujoco><asset><mesh name="palm" file="palm.stl"/>
<texture name="t" type="2d" file="t.png"/></asset></mujoco>"""
PALM = """<mujoco><body name="palm" pos=".1 .2 .3"><freejoint/>
<geom type="mesh" mesh="palm" density="731"/></body></mujoco>"""
URDF = """<robot name="r"><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry>
<mesh filename="../stls/hand/palm.stl"/></geometry></collision></link></robot>"""


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    """Return the folder of a model whose meshes are above it."""
    for name in ("assets/hand", "assets/stls/hand", "assets/textures"):
        (tmp_path / name).mkdir(parents=True)
    folder = tmp_path / "assets" / "hand"
    for name, text in (("reach", REACH), ("shared_asset", SHARED), ("palm", PALM)):
        (folder / f"{name}.xml").write_text(text)
    (folder / "palm.urdf").write_text(URDF)
    (tmp_path / "assets/stls/hand/palm.stl").write_bytes(stl_from_mesh(TETRAHEDRON))
    return folder


def test_one_command_line_reads_meshes_that_are_above_a_model(hand, tmp_path, capsys):
    pytest.importorskip("mujoco")
    import mujoco

    target = tmp_path / "out" / "reach.xml"
    target.parent.mkdir()
    line = ["convert", str(hand / "reach.xml"), str(target), "-o", "source=new"]
    assert main([*line, "-o", f"folder={hand.parent}"]) == 0
    assert "OMI-M007" not in capsys.readouterr().err
    scene = omi_joints.read(hand / "reach.xml", folder=str(hand.parent))
    (mesh,) = scene.meshes
    assert len(mesh.read().triangles) == 4
    (hand.parent / "textures" / "t.png").write_bytes(b"")
    model = mujoco.MjModel.from_xml_path(str(target))
    sides = TETRAHEDRON.points[1:] - TETRAHEDRON.points[0]
    volume = abs(float(np.linalg.det(sides))) / 6.0
    assert model.body("palm").mass[0] == pytest.approx(731.0 * volume, rel=1e-6)


@pytest.mark.parametrize("name", ["reach.xml", "palm.urdf"])
def test_what_is_above_is_not_read_unasked_and_the_message_names_the_folder(hand, name, capsys):
    target = hand.parent / f"out.{'glb' if name == 'reach.xml' else 'xml'}"
    assert main(["convert", str(hand / name), str(target)]) in (0, 1)
    shown = capsys.readouterr().err
    assert "outside the folders that may be read; name its folder, such as -o " in shown
    assert "folder=" in shown
    assert str(hand.parent / "stls" / "hand") in shown


def test_a_named_folder_opens_no_other_one(hand, tmp_path, capsys):
    secret = tmp_path / "secret.stl"
    secret.write_bytes(stl_from_mesh(TETRAHEDRON))
    shared = hand / "shared_asset.xml"
    for file in ("../../../secret.stl", "../textures/../../../secret.stl", str(secret)):
        shared.write_text(SHARED.replace("palm.stl", file))
        line = ["convert", str(hand / "reach.xml"), str(tmp_path / "out.glb"), "--force"]
        main([*line, "-o", f"folder={hand.parent}"])
        assert "OMI-M007" in capsys.readouterr().err, file
