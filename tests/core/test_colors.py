"""Three colors in, three colors out: between URDF, MJCF, glTF and USD, by other readers.

A color is given for screens in URDF and MJCF, in linear light in glTF and USD (IEC 61966-2-1).
"""

import json
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import omi_joints

COLORS = {"blue paint": (0.1, 0.25, 0.7, 1.0), "dark": (0.2, 0.2, 0.2, 1.0)}
CLEAR = (0.9, 0.05, 0.3, 0.4)
ROBOT = "".join(
    (
        '<robot name="r">',
        *(
            f'<link name="l{n}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" '
            f'ixy="0" ixz="0" iyz="0"/></inertial><visual name="v{n}"><geometry><box size=".1 .2 '
            f'.3"/></geometry>{material}</visual></link>'
            for n, material in enumerate(
                (
                    '<material name="blue paint"/>',
                    '<material name="dark"/>',
                    '<material name=""><color rgba="0.9 0.05 0.3 0.4"/></material>',
                    '<material name="dark"/>',
                )
            )
        ),
        *(
            f'<joint name="j{n}" type="continuous"><parent link="l{n}"/><child link="l{n + 1}"/>'
            '<axis xyz="0 0 1"/></joint>'
            for n in range(3)
        ),
        *(
            f'<material name="{name}"><color rgba="{" ".join(map(str, rgba))}"/></material>'
            for name, rgba in COLORS.items()
        ),
        "</robot>",
    )
)
EXPECTED = [COLORS["blue paint"], COLORS["dark"], CLEAR, COLORS["dark"]]
NAMES = ["blue paint", "dark", "", "dark"]


def screen(linear: float) -> float:
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1.0 / 2.4) - 0.055


def in_mjcf(path: Path) -> tuple[list[tuple[float, ...]], list[str]]:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(str(path))
    colors, names = [], []
    for number in range(4):
        geom = model.geom(f"v{number}")
        material = int(geom.matid[0])
        named = model.mat(material) if material >= 0 else None
        colors.append(tuple((geom.rgba if named is None else named.rgba).tolist()))
        names.append("" if named is None else named.name)
    return colors, names


def in_urdf(path: Path) -> tuple[list[tuple[float, ...]], list[str]]:
    root = ET.parse(path).getroot()
    shared = {each.get("name"): each.find("color") for each in root.findall("material")}
    colors, names = [], []
    for number in range(4):
        material = root.find(f"link[@name='l{number}']/visual/material")
        name, own = material.get("name"), material.find("color")
        color = own if own is not None else shared[name]
        colors.append(tuple(map(float, color.get("rgba").split())))
        names.append("" if name.endswith("_material") else name)
    return colors, names


def in_gltf(path: Path) -> tuple[list[tuple[float, ...]], list[str]]:
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    document = json.loads(data[20 : 20 + length])
    places = {node.get("name"): node for node in document["nodes"]}
    colors, names = [], []
    for number in range(4):
        mesh = document["meshes"][places[f"v{number}"]["mesh"]]
        material = document["materials"][mesh["primitives"][0]["material"]]
        *light, alpha = material["pbrMetallicRoughness"]["baseColorFactor"]
        colors.append((*map(screen, light), alpha))
        names.append(material.get("name", ""))
    return colors, names


def in_usd(path: Path) -> tuple[list[tuple[float, ...]], list[str]]:
    pxr = pytest.importorskip("pxr.UsdGeom")
    from pxr import Usd

    stage = Usd.Stage.Open(str(path))
    colors = []
    for number in range(4):
        prims = [
            prim
            for prim in stage.Traverse()
            if f"/v{number}" in str(prim.GetPath()) and prim.IsA(pxr.Gprim)
        ]
        gprim = pxr.Gprim(prims[0])
        opacity = gprim.GetDisplayOpacityAttr().Get()
        light = gprim.GetDisplayColorAttr().Get()[0]
        colors.append((*map(screen, light), opacity[0] if opacity else 1.0))
    return colors, NAMES


READERS = {"xml": in_mjcf, "urdf": in_urdf, "glb": in_gltf, "usda": in_usd}


@pytest.mark.parametrize("between", READERS)
@pytest.mark.parametrize("target", READERS)
def test_three_colors_in_are_three_colors_out(tmp_path: Path, between: str, target: str) -> None:
    if "usda" in (between, target):
        pytest.importorskip("pxr")
    source, one, two = (tmp_path / name for name in ("a.urdf", f"b.{between}", f"c.{target}"))
    source.write_text(ROBOT)
    losses = [*omi_joints.convert(source, one).losses, *omi_joints.convert(one, two).losses]
    colors, names = READERS[target](two)
    assert colors == [pytest.approx(color, abs=1e-5) for color in EXPECTED]
    assert names == NAMES
    assert not [str(loss) for loss in losses if loss.noun in ("color", "material", "visual")]


def test_a_texture_is_named_where_it_is_lost(tmp_path: Path) -> None:
    source = tmp_path / "a.urdf"
    texture = '<material name="wood"><texture filename="oak.png"/></material>'
    source.write_text(ROBOT.replace('<material name="dark"/>', texture, 1))
    losses = omi_joints.convert(source, tmp_path / "b.xml").losses
    (line,) = [str(loss) for loss in losses if loss.noun == "texture"]
    assert line.startswith("looks only: texture (v1): 'oak.png'")


def test_a_stage_has_the_colors_of_its_materials(tmp_path: Path) -> None:
    pytest.importorskip("pxr")
    stage = tmp_path / "a.usda"
    stage.write_text("""#usda 1.0
(
  defaultPrim = "W"
  metersPerUnit = 1
  upAxis = "Z"
)
def Xform "W" {
  def Material "Rust" {
    token outputs:surface.connect = </W/Rust/S.outputs:surface>
    def Shader "S" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor = (0.3, 0.1, 0.05)
      float inputs:opacity = 0.7
      token outputs:surface
    }
  }
  def Cube "box" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI",
      "MaterialBindingAPI"]
  ) {
    double size = 0.5
    float physics:mass = 2
    rel material:binding = </W/Rust>
  }
}
""")
    scene = omi_joints.read(stage)
    (visual,) = scene.visuals.values()
    assert visual.color == pytest.approx((0.3, 0.1, 0.05, 0.7), abs=1e-6)
    assert visual.material == "Rust"
