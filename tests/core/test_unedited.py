"""What nobody edited is written byte for byte as it was read, by `convert` and by the library.

`tests/blender/test_unedited_files.py` has the third door, Blender.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import omi_joints
from omi_joints_addon.io.formats.format import UnreadableError
from tests.cases import cases
from tests.core.test_fuzz_formats import DAMAGE, damaged_json, sources
from tests.tally import Faults, Tally

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "omi_joints_addon" / "examples"
FOLDERS = ("examples", "conformance", "omi_joints_addon/examples")
__all__ = ["sources"]  # the fixture
SUFFIXES = (".gltf", ".glb", ".urdf", ".mjcf", ".xml", ".shift", ".json", ".usda", ".usd")
MODEL = """<mujoco>
  <worldbody>
    <body name="arm" pos="0.1 0.2 0.3">
      <inertial mass="1.5" pos="0 0 0.1" diaginertia="0.1 0.2 0.15"/>
      <joint name="turn" axis="0 1 0" range="-30 45" limited="true"/>
      <geom size="0.1"/> <!-- a ball -->
    </body>
  </worldbody>
</mujoco>
"""


def readable(folder: Path) -> Iterator[tuple[Path, omi_joints.PhysicsScene]]:
    """Yield the files below a folder that can be read here, and what they say."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        try:
            scene = omi_joints.read(path)
        except (UnreadableError, ValueError):
            continue
        yield path, scene


def assert_kept(path: Path, scene: omi_joints.PhysicsScene, folder: Path) -> bool:
    """Assert that a file comes out of both doors as it is, or that a loss says why not.

    `scene` is what was read of it. Return whether it came out as it is.
    """
    data, target = path.read_bytes(), folder / path.name
    losses = omi_joints.convert(path, target, overwrite=True).losses
    is_kept = target.read_bytes() == data
    assert is_kept or losses, path
    losses = omi_joints.write(scene, target, original=path, overwrite=True)
    assert (target.read_bytes() == data) == is_kept, path
    assert is_kept or losses, path
    return is_kept


@pytest.mark.slow
def test_files_of_the_project_stay_as_they_are(tmp_path: Path) -> None:
    pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
    read = [each for folder in FOLDERS for each in readable(ROOT / folder)]
    assert len(read) > 500
    changed = {path.name for path, scene in read if not assert_kept(path, scene, tmp_path)}
    assert changed == {
        *("form_of_2023.gltf", "older_member.gltf", "written_by_godot.gltf"),
        "OMI-J424.gltf",  # with a number that no double holds
        *("OMI-J449.gltf", "OMI-J449.cured.gltf"),
        *("OMI-J468.gltf", "OMI-J469.gltf", "OMI-J469.cured.gltf"),
    }


def test_official_files_stay_as_they_are(corpus: Path, tmp_path: Path) -> None:
    read = list(readable(corpus))
    assert read
    for path, scene in read:
        is_older = any(found.code == "OMI-J447" for found in omi_joints.check(path))
        assert assert_kept(path, scene, tmp_path) or is_older


DANGLING = """<?xml version="1.0"?>
<robot name="r">
  <link name="torso"><inertial><mass value="1.5"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <!-- pelvis is in another file -->
  <link name="imu"/>
  <joint name="imu_joint" type="fixed">
    <origin xyz="0.04 0 0.08" rpy="0 0 0.5"/>
    <parent link="pelvis"/>
    <child link="imu"/>
  </joint>
  <omi_joint name="imu_joint" digest="of another text">{}</omi_joint>
</robot>
"""  # noqa: E501


def test_a_joint_on_a_link_that_does_not_exist_stays_where_it_is(tmp_path: Path) -> None:
    """It was hung on a `world` that does not exist either, at the origin."""
    path, folder = tmp_path / "robot.urdf", tmp_path / "out"
    folder.mkdir()
    target = folder / "edited.urdf"
    path.write_text(DANGLING)
    scene = omi_joints.read(path)
    assert_kept(path, scene, folder)
    torso = scene.names.index("torso")
    motions = {**scene.motions, torso: replace(scene.motions[torso], mass=2.75)}
    assert not omi_joints.write(replace(scene, motions=motions), target, original=path)
    assert target.read_text() == DANGLING.replace('value="1.5"', 'value="2.75"')


HINGE = """#usda 1.0
def Xform "Wall" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
{
    bool physics:kinematicEnabled = 1
}
def Xform "Door" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {}
def PhysicsRevoluteJoint "Hinge"
{
    rel physics:body0 = </Wall>
    rel physics:body1 = </Door>
    uniform token physics:axis = "Z"
}
"""


def test_every_new_name_of_a_stage_is_written_or_named(tmp_path: Path) -> None:
    sdf = pytest.importorskip("pxr.Sdf", reason="usd-core is not installed")
    path, target = tmp_path / "door.usda", tmp_path / "out.usda"
    path.write_text(HINGE)
    scene = omi_joints.read(path)
    found = {}
    for node, name in enumerate(scene.names):
        names = tuple("New" if n == node else old for n, old in enumerate(scene.names))
        losses = omi_joints.write(
            replace(scene, names=names), target, original=path, overwrite=True
        )
        layer = sdf.Layer.OpenAsAnonymous(str(target))
        shown = [prim.name for prim in layer.rootPrims if prim.HasInfo("displayName")]
        found[name] = [*shown, *(loss.noun for loss in losses)]
        is_read = "New" in omi_joints.read(target).names
        assert is_read == bool(shown)
    assert found == {
        "Wall": ["Wall"],
        "Door": ["Door"],
        "Hinge": ["Hinge"],
        "Hinge Connected": ["name"],
    }


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "latin-1", "utf-8-sig"])
@pytest.mark.parametrize("name", ["arm.urdf", "model.xml"])
def test_encodings_stay(name: str, encoding: str, tmp_path: Path) -> None:
    text = MODEL
    if name == "arm.urdf":
        text = re.sub(r"^<\?xml.*?\?>\s*", "", (EXAMPLES / name).read_text("utf-8"))
    declared = encoding.partition("-sig")[0].replace("utf-16-le", "utf-16")
    head = f'<?xml version="1.0" encoding="{declared}"?>\r\n<!-- ä -- kept -->\r\n'
    if encoding == "latin-1" and name.endswith(".xml"):
        head = head.replace("ä", "a")  # MuJoCo reads UTF-8, whatever a file declares.
    path, target = tmp_path / Path(name).name, tmp_path / "out" / Path(name).name
    target.parent.mkdir()
    path.write_bytes((head.replace(" -- ", " ") + text).encode(encoding))
    scene = omi_joints.read(path)
    assert assert_kept(path, scene, target.parent)
    moving = [node for node, motion in scene.motions.items() if motion.mass]
    motion = replace(scene.motions[moving[-1]], gravity_factor=1.0, mass=7.25)
    motions = {**scene.motions, moving[-1]: motion}
    omi_joints.write(replace(scene, motions=motions), target, original=path, overwrite=True)
    old, new = path.read_bytes().decode(encoding), target.read_bytes().decode(encoding)
    assert "7.25" in new
    changed = [pair for pair in zip(old.splitlines(), new.splitlines(), strict=True)
               if pair[0] != pair[1]]  # fmt: skip
    assert len(changed) == 1
    assert new.startswith(head.replace(" -- ", " "))


LAYOUT = """{
  "asset": {"version": "2.0"}, "extensionsUsed": ["OMI_physics_body"],
\t"scene": 0, "scenes": [ {"nodes": [0]} ],
  "nodes": [
    { "name": "\\u00c4",   "translation": [1.0, 2.50, 3e0],
      "extensions": {"OMI_physics_body": {"motion": {"type": "dynamic", "mass": 1.50}}},
      "extras": {"z": 1.10, "a/b~c": [1, 2.0]} }
  ]
}"""


def test_one_edit_of_a_gltf_text_is_one_changed_value(tmp_path: Path) -> None:
    path, target = tmp_path / "body.gltf", tmp_path / "out.gltf"
    path.write_text(LAYOUT)
    scene = omi_joints.read(path)
    motions = {0: replace(scene.motions[0], mass=2.75)}
    assert not omi_joints.write(replace(scene, motions=motions), target, original=path)
    assert target.read_text() == LAYOUT.replace("1.50", "2.75")
    motions = {0: replace(scene.motions[0], linear_velocity=(0.5, 0.0, 0.0))}
    omi_joints.write(replace(scene, motions=motions), target, original=path, overwrite=True)
    new = target.read_text()
    assert json.loads(new)["nodes"][0]["extensions"]["OMI_physics_body"]["motion"] == {
        **{"type": "dynamic", "mass": 1.5},
        "linearVelocity": [0.5, 0.0, 0.0],
    }
    assert new.replace(', "linearVelocity": [0.5, 0.0, 0.0]', "") == LAYOUT


def test_a_gltf_that_changed_since_it_was_read_is_not_copied(tmp_path: Path) -> None:
    path, target = tmp_path / "body.gltf", tmp_path / "out.gltf"
    path.write_text(LAYOUT)
    scene = omi_joints.read(path)
    path.write_text(LAYOUT.replace("1.50", "99.5"))
    (loss,) = omi_joints.write(scene, target)
    assert "changed since it was read" in loss.text
    node = json.loads(target.read_text())["nodes"][0]
    assert node["extensions"]["OMI_physics_body"]["motion"]["mass"] == 1.5


@pytest.mark.fuzz
@pytest.mark.parametrize("suffix", [*DAMAGE, "gltf"])
def test_damaged_files_that_can_still_be_read_stay_as_they_are(
    suffix: str,
    sources: dict[str, str],
    tmp_path: Path,
    tally: Tally,
) -> None:
    texts = sources | {
        "xml": MODEL,
        "urdf": (ROOT / "omi_joints_addon/examples/arm.urdf").read_text("utf-8"),
        "gltf": (ROOT / "conformance/omi/animated_limit.gltf").read_text("utf-8"),
    }
    (tmp_path / "out").mkdir()
    faults = Faults()
    for number in range(cases(10 if suffix == "usda" else 40, 240)):
        seed, path = f"unedited {number}", tmp_path / f"damaged.{suffix}"
        damaged = DAMAGE.get(suffix, damaged_json)(texts[suffix], random.Random(seed))
        path.write_text(damaged, "utf-8", "surrogatepass")
        try:
            scene = omi_joints.read(path)
        except UnreadableError:
            tally.add(f"damaged .{suffix} unedited", seed, "refused")
            continue
        with faults.of(seed):
            is_kept = assert_kept(path, scene, tmp_path / "out")
            tally.add(f"damaged .{suffix} unedited", seed, "kept" if is_kept else "named")
    faults.tell()
