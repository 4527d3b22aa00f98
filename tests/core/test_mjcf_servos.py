"""Each actuator of MuJoCo with each of its attributes: what arrives elsewhere, beside MuJoCo.

Every actuator has a joint of its own in one model. MuJoCo says which of them it takes, and what
force law each compiles to; a file of another format has that law, or the report names it.
"""

import itertools
import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.findings.loss import Loss
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.keeping import kept_of, written_scene
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.urdf import URDF
from omi_joints_addon.io.formats.usd import USD

from .mjcf_models import mujoco

LAWS = {
    "motor": ("",),
    "position": (
        *("", "kp='31'", "kp='31' kv='2.3'", "kp='31' dampratio='.7'", "dampratio='1.1'"),
        *("kp='31' timeconst='.05'", "kp='31' inheritrange='.8'", "kv='.7'"),
        "kp='31' dampratio='.6' timeconst='.1' inheritrange='1'",
    ),
    "velocity": ("", "kv='4.1'"),
    "intvelocity": ("actrange='-1 1'", "kp='20' kv='1' actrange='-1 1'", "inheritrange='1'"),
    "damper": ("ctrlrange='0 1'", "kv='3' ctrlrange='0 1'"),
    "cylinder": ("", "timeconst='.2' area='.01' bias='1 2 3'", "diameter='.3'"),
    "muscle": ("", "timeconst='.02 .05' force='100'"),
    "general": (
        *("", "gainprm='5'", "gainprm='5' biastype='affine' biasprm='.7 -5 -.3'"),
        "gainprm='5' biastype='affine' biasprm='0 -5 .8'",
        "gainprm='5' biastype='affine' biasprm='0 3 -.3'",
        "gainprm='5' biastype='affine' biasprm='0 -4 .3'",
        *("gaintype='affine' gainprm='1 2 3'", "dyntype='integrator' gainprm='2'"),
        "dyntype='filter' dynprm='.1' gainprm='2' biastype='affine' biasprm='0 -2 -.1'",
        *("dyntype='filterexact' dynprm='.3'", "dyntype='integrator' actrange='-1 1'"),
        "dyntype='filter' dynprm='.1' actearly='true'",
    ),
}
OTHERS = (
    *("", "gear='3.1'", "gear='-2.5'", "gear='2 .3'", "gear='1 0 0 0 0 2'", "ctrlrange='-.7 .9'"),
    *("ctrllimited='true' ctrlrange='-1 2'", "ctrllimited='false' ctrlrange='-1 2'"),
    *("forcerange='-7 7'", "forcerange='-7 5'", "forcelimited='false' forcerange='-7 7'"),
    *("group='3'", "user='1 2'", "lengthrange='.1 .4'", "damping='.4'", "armature='.02'"),
    *("class='c'", "class='d'"),
)
FEW = ("", "gear='3.1'", "class='c'", "class='d'")
DEFAULTS = (
    "<default><default class='c'><position kp='12' forcerange='-9 9'/><general gear='1.7'/>"
    "</default><default class='d'><general gainprm='7' biastype='affine' biasprm='0 -7 -.2'/>"
    "</default></default>"
)
BODY = (
    "<body name='b{n}' pos='{n} 0 1'><joint name='j{n}' type='{kind}' axis='0 1 .3' range='-.5 4.4'"
    " ref='.2' armature='.013'/><geom type='box' size='.3 .05 .07' pos='.2 0 .1'/>"
    "<body name='c{n}' pos='.4 0 .1'><joint name='k{n}' type='slide' axis='1 0 .2'/>"
    "<geom size='.1' pos='.1 0 .2'/></body></body>"
)
LAW_WORDS = {"kp", "kv", "dampratio", "timeconst", "gear", "joint", "name", "class"}
"""Attributes whose values are in the law that is compared, or say where it acts."""
LIMITS = {"forcerange", "forcelimited", "ctrllimited"}
"""Ranges in the law, and the switch of `ctrlrange`, which is named by itself."""
GENERAL_WORDS = {"gainprm", "gaintype", "biasprm", "biastype", "dynprm", "dyntype"}


def model(actuators: list[str]) -> str:
    bodies = "".join(
        BODY.format(n=n, kind="slide" if n % 5 == 4 else "hinge") for n in range(len(actuators))
    )
    named = (each.replace("/>", f" name='x{n}' joint='j{n}'/>") for n, each in enumerate(actuators))
    return (
        f"<mujoco><compiler angle='radian'/>{DEFAULTS}<worldbody>{bodies}</worldbody>"
        f"<actuator>{''.join(named)}</actuator></mujoco>"
    )


def is_taken(actuator: str) -> bool:
    try:
        mujoco.MjModel.from_xml_string(model([actuator]))
    except ValueError:
        return False
    return True


def all_actuators() -> list[str]:
    """Return each shortcut with each attribute, and each of its laws with a few."""
    pairs = [
        (tag, *pair)
        for tag, laws in LAWS.items()
        for pair in (*itertools.product(laws, FEW), *itertools.product(laws[-1:], OTHERS))
    ]
    every = dict.fromkeys(f"<{tag} {law} {other}/>" for tag, law, other in pairs)
    return [each for each in every if is_taken(each)]


class Sent:
    """The model, what MuJoCo makes of it, and what this program reads."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "all.xml"
        self.elements = all_actuators()
        text = model(self.elements)
        self.path.write_text(text)
        self.judge = mujoco.MjModel.from_xml_string(text)
        self.tags = [ET.fromstring(each) for each in self.elements]
        (self.read,) = MJCF.read(Source(path=self.path))

    def written(self, row, name: str, **options) -> tuple[Path, tuple[Loss, ...]]:
        target = self.path.with_name(name)
        kept, own = kept_of(MJCF, self.read, row, options)
        found = written_scene(row, self.read.scene, Target(path=target, kept=kept, options=own))
        write_files(target.parent, found.files)
        return target, found.losses

    def law(self, n: int) -> dict[str, np.ndarray]:
        """Return the compiled law of an actuator, without what has no effect in it."""
        return compiled(self.judge, n)

    def named(self, n: int, losses: tuple[Loss, ...]) -> bool:
        """Return whether the report has a line about an actuator as a whole."""
        places, tag = {f"x{n}", f"j{n}"}, self.tags[n].tag
        whole = ("actuator", "drive")
        return any(
            str(loss.noun) == tag
            or (loss.place in places and str(loss.noun) in whole)
            or (f"x{n}" in str(loss.text) and loss.place in places)
            for loss in losses
        )

    def attributes_named(self, n: int, losses: tuple[Loss, ...], held: set[str]) -> list[str]:
        """Return the attributes of an actuator that are neither held nor in the report."""
        nouns = {str(loss.noun) for loss in losses}
        tag = self.tags[n]
        return [
            name
            for name in tag.attrib
            if name not in held and f"{name} of {tag.tag}" not in nouns and tag.tag not in nouns
        ]


def compiled(judge, n: int) -> dict[str, np.ndarray]:
    names = ("gaintype", "biastype", "dyntype", "gainprm", "biasprm", "dynprm", "gear", "group")
    found = {name: np.ravel(getattr(judge, f"actuator_{name}")[n]).copy() for name in names}
    if not found["biastype"][0]:
        found["biasprm"][:] = 0.0
    for name in ("ctrl", "force", "act"):
        is_limited = getattr(judge, f"actuator_{name}limited")[n]
        span = getattr(judge, f"actuator_{name}range")[n]
        found[f"{name}range"] = np.array(span if is_limited else (-np.inf, np.inf))
    for name in ("user", "lengthrange", "damping", "armature"):
        found[name] = np.ravel(getattr(judge, f"actuator_{name}")[n]).copy()
    return found


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Sent:
    found = Sent(tmp_path_factory.mktemp("servos"))
    assert len(found.elements) > 150
    return found


def test_every_actuator_comes_back_in_a_new_file(source: Sent) -> None:
    target, _ = source.written(MJCF, "new.xml", source="new")
    again = mujoco.MjModel.from_xml_path(str(target))
    for n, element in enumerate(source.elements):
        one, other = source.law(n), compiled(again, n)
        assert again.actuator(n).name == f"x{n}"
        for name, value in one.items():
            assert np.allclose(value, other[name], rtol=1e-6, atol=1e-9), (element, name)


def as_drive(source: Sent, n: int) -> tuple[float, float, float] | None:
    """Return stiffness, damping and largest force that MuJoCo's law is on its joint."""
    law = source.law(n)
    kinds = (law["gaintype"][0], law["biastype"][0], law["dyntype"][0])
    bias, gear = law["biasprm"], law["gear"][0]
    is_servo = kinds == (0, 1, 0) and min(bias[1], bias[2]) < 0.0 >= max(bias[1], bias[2])
    if not is_servo or any(law["gear"][1:]):
        return None
    most = max(map(abs, law["forcerange"])) * abs(gear)
    return -bias[1] * gear**2, -bias[2] * gear**2, most


def test_gltf_has_each_servo_or_its_name(source: Sent) -> None:
    target, losses = source.written(GLTF, "all.gltf")
    document = json.loads(target.read_text())
    settings = document["extensions"]["OMI_physics_joint"]["physicsJoints"]
    drives = {
        node["name"]: settings[node["extensions"]["OMI_physics_joint"]["joint"]].get("drives", [])
        for node in document["nodes"]
        if "OMI_physics_joint" in node.get("extensions", {})
    }
    for n, element in enumerate(source.elements):
        expected, came = as_drive(source, n), drives[f"j{n}"]
        if expected is None:
            assert not came, element
            assert source.named(n, losses), element
            continue
        (drive,) = came
        found = [drive.get(each, 0.0) for each in ("stiffness", "damping")]
        assert found == pytest.approx(expected[:2], rel=1e-6, abs=1e-9), element
        assert drive.get("maxForce", math.inf) == pytest.approx(expected[2]), element
        held = LAW_WORDS | LIMITS | GENERAL_WORDS
        assert not source.attributes_named(n, losses, held), element
        assert_one_sided_is_named(source, n, losses)


def assert_one_sided_is_named(source: Sent, n: int, losses: tuple[Loss, ...]) -> None:
    span = source.law(n)["forcerange"]
    is_named = any(loss.place == f"x{n}" and loss.noun == "max force" for loss in losses)
    assert is_named == (span[0] != -span[1]), source.elements[n]


def test_usd_has_each_law_or_its_name(source: Sent) -> None:
    usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    target, losses = source.written(USD, "all.usda")
    stage = usd.Stage.Open(str(target))
    prims = {str(prim.GetName()): prim for prim in stage.TraverseAll()}
    for n, element in enumerate(source.elements):
        law, joint = source.law(n), prims[f"j{n}"]
        if f"x{n}" in prims:
            assert_same_law(prims[f"x{n}"], law, element)
            held = LAW_WORDS | LIMITS | GENERAL_WORDS | {"ctrlrange"}
            assert not source.attributes_named(n, losses, held), element
            continue
        expected, came = as_drive(source, n), drive_of(joint)
        if expected is None:
            assert came is None, element
            assert source.named(n, losses), element
            continue
        assert came == pytest.approx(expected, rel=1e-5, abs=1e-6), element
        held = LAW_WORDS | LIMITS | GENERAL_WORDS
        assert not source.attributes_named(n, losses, held), element
        assert_one_sided_is_named(source, n, losses)


def drive_of(prim) -> tuple[float, float, float] | None:
    """Return stiffness, damping and largest force of the drive of a joint, by radian."""
    is_angular = prim.GetTypeName() == "PhysicsRevoluteJoint"
    name = "angular" if is_angular else "linear"
    values = [
        prim.GetAttribute(f"drive:{name}:physics:{each}").Get()
        for each in ("stiffness", "damping", "maxForce")
    ]
    if values[0] is None:
        return None
    factor = math.degrees(1.0) if is_angular else 1.0
    most = math.inf if values[2] is None else values[2]
    return values[0] * factor, values[1] * factor, most


def assert_same_law(prim, law: dict[str, np.ndarray], element: str) -> None:
    """Compare a prim with the compiled law; what it lacks has the default of the schema."""
    for name, own in (("gainPrm", "gainprm"), ("biasPrm", "biasprm"), ("gear", "gear")):
        value = prim.GetAttribute(f"mjc:{name}").Get() or ()
        width = len(law[own])
        found = np.array([*value, *[0.0] * (width - len(value))])[:width]
        assert np.allclose(found, law[own], rtol=1e-6, atol=1e-9), (element, name)
    filters = ("none", "integrator", "filter", "filterexact")
    kind = filters.index(prim.GetAttribute("mjc:dynType").Get() or "none")
    assert kind == law["dyntype"][0], element
    if kind:
        assert prim.GetAttribute("mjc:dynPrm").Get()[0] == pytest.approx(law["dynprm"][0]), element
    for name in ("force", "ctrl"):
        ends = [prim.GetAttribute(f"mjc:{name}Range:{end}").Get() for end in ("min", "max")]
        if not np.isinf(law[f"{name}range"][0]) and "inheritrange" not in element:
            assert ends == pytest.approx(list(law[f"{name}range"])), (element, name)


def test_urdf_names_each(source: Sent) -> None:
    _, losses = source.written(URDF, "all.urdf")
    for n, element in enumerate(source.elements):
        assert source.named(n, losses), element
