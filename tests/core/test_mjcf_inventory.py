"""Every noun of MJCF is a value of the scene or named in the report: no attribute is silent."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.model.mesh import MeshData
from omi_joints_addon.io.formats.format import Document
from omi_joints_addon.io.formats.meshes.stl import stl_from_mesh
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.mjcf.schema import ACTUATORS, HELD, WORDS

from .mjcf_models import read

BASE = """<mujoco model='m'><compiler/><option/><default><default class='c'><joint damping='9'/>
<geom density='9'/><site pos='9 9 9'/><mesh scale='2 2 2'/><position kp='9'/><velocity kv='9'/>
<general gear='9'/><equality solref='.09 1'/><material rgba='.9 .9 .9 1'/></default></default>
<asset><material name='r'/><material name='b' rgba='0 0 1 1'/>
<mesh name='t' vertex='0 0 0 .2 0 0 0 .3 0 0 0 .4 .1 .1 .1'/><mesh name='q' file='q.stl'/>
<mesh name='u' vertex='0 0 0 .4 0 0 0 .3 0 0 0 .4'/></asset>
<worldbody><frame><body name='a' pos='0 0 1'><joint name='j' axis='0 1 0' range='-20 30'
stiffness='1'/><geom name='g' size='.1 .2 .3'/>
<geom name='h' type='mesh' mesh='t' material='r'/><geom type='mesh' mesh='q'/><site name='s'/>
<body name='w' pos='.3 0 0'><joint name='k' axis='0 1 0'/><geom name='i' size='.1'/><site name='v'/>
<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .3'/></body></body></frame>
<body name='f' pos='1 0 1'><freejoint/><geom size='.1'/></body>
<body name='e' pos='2 0 1' euler='10 20 30'><freejoint/><geom type='box' mesh='t'/></body>
</worldbody>
<contact><exclude body1='a' body2='f'/></contact>
<equality><connect body1='a' body2='f' anchor='0 0 0'/><weld body1='a' body2='e'/>
<joint joint1='j' joint2='k'/></equality>
<actuator><position joint='j'/><velocity joint='j'/><general joint='j'/><motor joint='j'/>
</actuator></mujoco>"""
"""A model with each element that is read."""

TEXTS: dict[str, dict[str, str]] = {
    "*": {
        **{"name": "other", "class": "c", "pos": ".1 .2 .3", "quat": "1 1 0 0", "euler": "10 0 0"},
        **{"axisangle": "1 0 0 20", "xyaxes": "0 1 0 -1 0 0", "zaxis": "1 0 0", "childclass": "c"},
        **{"body1": "w", "body2": "w", "joint1": "k", "joint2": "j", "active": "false"},
        **{"solref": ".03 1", "solimp": ".8 .9 .01 .5 2", "margin": ".01", "gear": "3"},
        **{
            "forcerange": "-3 3",
            "forcelimited": "false",
            "ctrllimited": "false",
            "joint": "k",
            "kp": "3",
            "kv": "3",
        },
        **{"dampratio": ".5", "gainprm": "3", "gaintype": "muscle", "biastype": "affine"},
        **{"biasprm": "1 0 0", "group": "3", "rgba": "0 1 0 1", "user": "1"},
    },
    "compiler": {
        **{"angle": "radian", "autolimits": "false", "balanceinertia": "true", "boundmass": "3"},
        **{"boundinertia": "3", "eulerseq": "zyx", "inertiafromgeom": "true", "settotalmass": "9"},
        **{"inertiagrouprange": "1 2", "meshdir": "x", "assetdir": "x", "fitaabb": "true"},
    },
    "option": {"gravity": "0 0 -1"},
    "body": {"mocap": "true", "gravcomp": ".5"},
    "joint": {
        **{"type": "slide", "axis": "1 0 0", "ref": "5", "springref": "5", "stiffness": "3"},
        **{"damping": "3", "armature": "3", "frictionloss": "3", "range": "-3 5"},
        **{"limited": "false", "actuatorfrcrange": "-3 3", "actuatorfrclimited": "false"},
        **{"solreflimit": ".03 1", "solimplimit": ".8 .9 .01", "solreffriction": ".03 1"},
        **{"solimpfriction": ".8 .9 .01", "springdamper": ".1 1", "actuatorgravcomp": "true"},
    },
    "equality joint": {"polycoef": "0 2 0 0 0"},
    "geom": {
        **{"type": "box", "size": ".3", "fromto": "0 0 0 1 0 0", "mesh": "u", "density": "9"},
        **{"mass": "9", "material": "b", "contype": "4", "conaffinity": "4", "condim": "6"},
        **{"friction": ".2", "priority": "2", "solmix": "2", "gap": ".01"},
        **{"shellinertia": "true", "fitscale": "2"},
    },
    "site": {"fromto": "0 0 0 1 0 0", "type": "box", "size": ".3"},
    "mesh": {
        **{"file": "x.stl", "scale": "3 3 3", "vertex": "0 0 0 .3 0 0 0 .3 0 0 0 .3 .1 .1 .1"},
        **{"face": "0 2 1 0 1 3 0 3 2 1 2 3", "refpos": ".1 0 0", "refquat": "1 1 0 0"},
        **{"inertia": "shell"},
    },
    "connect": {"anchor": ".1 0 0", "site1": "s", "site2": "v"},
    "weld": {
        **{"anchor": ".1 0 0", "relpose": "1 0 0 1 0 0 0", "torquescale": ".3"},
        **{"site1": "s", "site2": "v"},
    },
    "inertial": {"mass": "3", "diaginertia": ".2 .2 .2", "fullinertia": ".2 .2 .2 .01 0 0"},
}
"""Another text for each attribute that is a value, by tag."""
BESIDE = {
    ("geom", "fromto"): {"type": "capsule", "size": ".1"},
    ("geom", "fitscale"): {"type": "box", "mesh": "t"},
    ("joint", "actuatorfrclimited"): {"actuatorfrcrange": "-3 3"},
    **{
        (kind, f"{name}limited"): {f"{name}range": "-3 3"}
        for kind in ("general", "position", "velocity", "motor")
        for name in ("force", "ctrl")
    },
    ("general", "biasprm"): {"biastype": "affine"},
    ("general", "biastype"): {"biasprm": "0 -3 0"},
    ("connect", "site1"): {"site2": "v"},
    ("connect", "site2"): {"site1": "s"},
    ("weld", "site1"): {"site2": "v"},
    ("weld", "site2"): {"site1": "s"},
    ("site", "fromto"): {"type": "capsule"},
}
"""Attributes that another one needs to count."""
VALUES = [
    (tag, name)
    for tag in sorted(WORDS)
    if tag.split()[-1] in HELD
    for name in sorted(WORDS[tag] & HELD[tag.split()[-1]])
]


def _first(root: ET.Element, tag: str) -> ET.Element:
    if tag == "equality joint":
        return root.find("equality/joint")
    if tag in ACTUATORS:
        return root.find(f"actuator/{tag}")
    return next(root.iter(tag))


def _model(tag: str, attributes: dict[str, str]) -> str:
    root = ET.fromstring(BASE)
    # Defaults have the same tags, and count only where a class is named.
    defaults = root.find("default")
    root.remove(defaults)
    _first(root, tag).attrib.update(attributes)
    root.insert(2, defaults)
    return ET.tostring(root, encoding="unicode")


def _scene(text: str, folder: Path) -> str:
    (folder / "x").mkdir(exist_ok=True)
    triangle = MeshData(np.eye(3), np.array([[0, 1, 2]]))
    (folder / "x" / "q.stl").write_bytes(stl_from_mesh(triangle))
    found = read(text, folder)
    scene = found.scene
    meshes = [mesh.name for mesh in scene.meshes]
    return repr((scene, scene.matrices.tolist(), meshes, [each.message for each in found.findings]))


@pytest.mark.slow
@pytest.mark.parametrize(("tag", "name"), VALUES)
def test_what_the_table_calls_a_value_changes_the_scene(tag, name, tmp_path):
    text = TEXTS.get(tag, {}).get(name) or TEXTS["*"].get(name)
    assert text is not None, "another text is missing"
    beside = BESIDE.get((tag, name), {})
    one = _scene(_model(tag, beside), tmp_path)
    assert _scene(_model(tag, beside | {name: text}), tmp_path) != one


def test_every_other_attribute_is_named(tmp_path):
    document = Document(format="mjcf", path=tmp_path / "m.xml", files={})
    for tag, names in WORDS.items():
        own = tag.split()[-1]
        for name in names - HELD.get(own, frozenset()):
            element = ET.Element(own, {name: "1"})
            root = ET.Element("mujoco")
            root.append(element)
            files = {"m.xml": ET.tostring(root)}
            losses = MJCF.unheld(Document(format="mjcf", path=document.path, files=files))
            assert [str(loss.noun) for loss in losses] in ([f"{name} of {own}"], [own]), (tag, name)
