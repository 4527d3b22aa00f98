"""A ragdoll on bones, and one beside the skeleton, as files of MuJoCo and URDF."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from omi_joints_addon.scene.reading import scene_to_core
from tests.rigs import activate, add_human


@pytest.fixture(params=[False, True], ids=["on bones", "beside"])
def core(request: Any, repository: Path) -> Any:
    """Make a ragdoll whose thighs overlap; return the scene."""
    rig = add_human(location=(1, 2, 0), rotation_euler=(0, 0, 0.7))
    skin = bpy.data.objects["Skin"]
    for side in ("Left", "Right"):
        group = skin.vertex_groups[f"mixamorig:{side}UpLeg"]
        for vertex in skin.data.vertices:
            if any(each.group == group.index for each in vertex.groups):
                vertex.co.x *= 0.4
    activate(rig)
    bpy.ops.omi.ragdoll_add(use_beside=request.param)
    bpy.context.view_layer.update()
    return scene_to_core(bpy.context.scene)[0]


def export(path: Path) -> None:
    assert bpy.ops.omi.scene_export(filepath=str(path)) == {"FINISHED"}


def converted(path: Path) -> None:
    glb = path.with_suffix(".glb")
    bpy.ops.export_scene.gltf(filepath=str(glb))
    command = [sys.executable, "-m", "omi_joints_addon", "convert", str(glb), str(path)]
    subprocess.run(command, check=True, capture_output=True)


def body_in_file(core: Any, node: int, write: Any) -> Any:
    """Return the world matrix of a body (4, 4).

    A bone's node in a glTF file has the bone's axes under their names; what reads the file
    takes it for an object's, whose axes are renamed.
    """
    is_bone = not core.names[node].endswith(" Body")
    renamed = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
    return core.matrices[node] @ (renamed if is_bone and write is converted else np.eye(4))


WRITE = pytest.mark.parametrize("write", [export, converted])


def thighs(names: set[str]) -> set[str]:
    return {name.removesuffix(" Body") for name in names}


@WRITE
def test_mujoco_has_the_bodies_where_they_are(tmp_path, core, write):
    mujoco = pytest.importorskip("mujoco")
    write(tmp_path / "human.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "human.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert model.nbody == 1 + len(core.motions) == 17
    for node, motion in core.motions.items():
        body = model.body(core.names[node]).id
        assert data.xpos[body] == pytest.approx(core.matrices[node][:3, 3], abs=1e-6)
        turn = data.xmat[body].reshape(3, 3)
        assert turn == pytest.approx(body_in_file(core, node, write)[:3, :3], abs=2e-6)
        assert model.body_mass[body] == pytest.approx(motion.mass, rel=1e-5)
    axes = {}
    for number in range(model.njnt):
        name = model.body(model.jnt_bodyid[number]).name
        axes[name] = axes.get(name, 0) + 1
    assert sorted(axes.values()) == [1] * 5 + [3] * 11  # a free root, hinges, cones


@WRITE
def test_overlapping_bodies_are_excluded_in_mujoco(tmp_path, core, write):
    mujoco = pytest.importorskip("mujoco")
    write(tmp_path / "human.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "human.xml"))
    found = []
    for signature in model.exclude_signature:
        pair = (int(signature) >> 16, int(signature) & 0xFFFF)
        found.append(thighs({model.body(number).name for number in pair}))
    assert {"mixamorig:LeftUpLeg", "mixamorig:RightUpLeg"} in found


@WRITE
def test_hulls_are_meshes_of_the_same_mass_in_mujoco(tmp_path, core, write):
    """Without shares of a human each hull weighs by its volume, which MuJoCo computes itself."""
    mujoco = pytest.importorskip("mujoco")
    is_beside = any(name.endswith(" Body") for name in core.names)
    bpy.ops.omi.ragdoll_add(use_beside=is_beside, shape="HULL", use_shares=False)
    write(tmp_path / "human.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "human.xml"))
    is_hull = (model.geom_type == mujoco.mjtGeom.mjGEOM_MESH) & (model.geom_contype > 0)
    assert sorted(model.geom_bodyid[is_hull]) == list(range(1, 17))
    spec = mujoco.MjSpec.from_file(str(tmp_path / "human.xml"))
    spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    weighed = spec.compile().body_mass
    shares = weighed[1:] / weighed.sum()
    assert shares == pytest.approx(model.body_mass[1:] / model.body_mass.sum(), rel=1e-3)


def origin(joint: Any) -> Matrix:
    """Return where a joint is below its parent link."""
    found = joint.find("origin")
    xyz, rpy = (
        [float(each) for each in found.get(name, "0 0 0").split()] for name in ("xyz", "rpy")
    )
    return Matrix.LocRotScale(xyz, Euler(rpy, "XYZ"), None)


def link_poses(robot: Any) -> dict[str, Matrix]:
    """Return the poses of the links below the root link."""
    joints = {each.find("child").get("link"): each for each in robot.findall("joint")}

    def pose(link: str) -> Matrix:
        if (joint := joints.get(link)) is None:
            return Matrix()
        return pose(joint.find("parent").get("link")) @ origin(joint)

    return {link.get("name"): pose(link.get("name")) for link in robot.findall("link")}


@WRITE
def test_urdf_has_the_links_where_they_are(tmp_path, core, write):
    write(tmp_path / "human.urdf")
    robot = ET.parse(tmp_path / "human.urdf").getroot()
    poses = link_poses(robot)
    assert len(robot.findall("joint")) == len(poses) - 1
    names = {core.names[node]: node for node in core.motions}
    assert set(names) <= set(poses)
    hips = next(name for name in names if "Hips" in name)
    at = Matrix(body_in_file(core, names[hips], write).tolist())
    root, owner = at @ poses[hips].inverted(), core.bodies()
    for joint in core.joints:
        # The frame of a link is at its joint.
        name = core.names[owner[joint.node]]
        found = np.array(root @ poses[name])[:3, 3]
        assert found == pytest.approx(core.matrices[joint.node][:3, 3], abs=2e-6)
    for link in robot.findall("link"):
        if (node := names.get(link.get("name"))) is not None:
            mass = float(link.find("inertial").find("mass").get("value"))
            assert mass == pytest.approx(core.motions[node].mass, rel=1e-5)
