"""Shift files written into instead of anew, judged by the text and by json."""

import json
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.findings.loss import How
from omi_joints_addon.io.formats.format import Kept, Read, Source, Target, Written
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.formats.shift import SHIFT

TEXT = b"""{
  // a pendulum, by hand
  "model_parameters": {"version": "0.2", "gravity": [0, 0, 9.81], "colour": "blue"},
  "solver": {"tolerance": 1e-6, "steps": [1, 2,],},
  "fixed": {"frames": [{"name": "post", "T": [0.0, 0.0, 1.0]}]},
  "assemblies": [{
    "name": "pendulum",
    "bodies": [
      {"name": "rod", "mass": 2.50, "center_of_mass": [0, 0, 0.5],
       "moment_of_inertia": {"Ixx": 1.0, "Iyy": 1.0, "Izz": 0.1, "Ixy": 0, "Iyz": 0, "Izx": 0},
       "frames": [{"name": "top", "T": [0, 0, 0]}], "my_tool": {"color": "#ff0000"}},
      {"name": "bob", "inertia": {"mass": 1, "Ixx": 0.1, "Iyy": 0.1, "Izz": 0.1},
       "frames": [{"name": "hook"}]}
    ],
    "joints": [
      {"name": "J1", "type": "Ry", "body_frame_pairs": [["fixed", "post"], ["rod", "top"]],
       "initial_displacement": 0.30, "stiffness": [0, 5.0], "damping": [0.0, 0.10]},
      {"name": "J2", "type": "Ry", "body_frame_pairs": [["rod", "top"], ["bob", "hook"]]}
    ]
  }]
}
"""


@pytest.fixture
def read(tmp_path) -> Read:
    path = tmp_path / "pendulum.json"
    path.write_bytes(TEXT)
    return SHIFT.read(Source(path=path))[0]


def written(read: Read, scene) -> Written:
    assert read.document is not None
    target = Target(path=read.document.path, kept=Kept(document=read.document, read=read))
    return written_scene(SHIFT, scene, target)


def text_of(read: Read, scene) -> bytes:
    found = written(read, scene)
    assert not [loss for loss in found.losses if loss.how == How.LOST]
    return found.files["pendulum.json"]


def with_joint(read: Read, name: str, change):
    scene = read.scene
    joints = [change(j) if scene.names[j.node] == name else j for j in scene.joints]
    return replace(scene, joints=tuple(joints))


def with_motion(read: Read, name: str, **values):
    scene = read.scene
    node = scene.names.index(name)
    return replace(scene, motions={**scene.motions, node: replace(scene.motions[node], **values)})


def test_a_file_that_nobody_edited_is_the_same_to_the_byte(read):
    for scene in (read.scene, replace(read.scene)):
        found = written(read, scene)
        assert dict(found.files) == {"pendulum.json": TEXT}
        assert found.losses == ()


def test_masses_are_written_where_the_file_has_them(read):
    assert text_of(read, with_motion(read, "rod", mass=3.5)) == TEXT.replace(b"2.50", b"3.5")
    text = text_of(read, with_motion(read, "bob", mass=4.0))
    assert text == TEXT.replace(b'"mass": 1,', b'"mass": 4.0,')
    text = text_of(read, with_motion(read, "rod", center_of_mass=(0.0, 0.25, 0.5)))
    assert text == TEXT.replace(b"[0, 0, 0.5]", b"[0, 0.25, 0.5]")


def test_moments_are_written_one_by_one(read):
    text = text_of(
        read,
        with_motion(
            read,
            "bob",
            inertia_diagonal=(0.2, 0.1, 0.2),
            inertia_orientation=(0.0, 0.0, 0.0, 1.0),
        ),
    )
    old, new = b'"Ixx": 0.1, "Iyy": 0.1, "Izz": 0.1', b'"Ixx": 0.2, "Iyy": 0.1, "Izz": 0.2'
    assert text == TEXT.replace(old, new)


def test_springs_and_dampers_are_written_as_polynomials(read):
    def stiffer(joint):
        (drive,) = joint.settings.drives
        drives = (replace(drive, stiffness=7.0),)
        return replace(joint, settings=replace(joint.settings, drives=drives))

    assert text_of(read, with_joint(read, "J1", stiffer)) == TEXT.replace(
        b'"stiffness": [0, 5.0]', b'"stiffness": [0, 7.0]'
    )


def test_a_joint_that_is_off_is_not_active(read):
    def off(joint):
        return replace(joint, attributes=replace(joint.attributes, enabled=False))

    text = text_of(read, with_joint(read, "J1", off))
    assert (
        text == TEXT.replace(b'"damping": [0.0, 0.10]}', b'"damping": [0.0, 0.10],"active": false}')
        or b'"active": false' in text
    )


def test_a_hard_limit_is_carried_in_the_joint(read):
    def limited(joint):
        limit = replace(
            joint.settings.limits[-1], linear_axes=(), angular_axes=(2,), min=-1.0, max=1.0
        )
        limits = (*joint.settings.limits, limit)
        return replace(joint, settings=replace(joint.settings, limits=limits))

    found = written(read, with_joint(read, "J2", limited))
    text = found.files["pendulum.json"].decode()
    changed = [line for line in text.splitlines() if line not in TEXT.decode().splitlines()]
    assert len(changed) == 1
    assert '"omi": {"settings"' in changed[0]
    assert {(loss.place, loss.how) for loss in found.losses} == {("J2", How.CARRIED)}
    strict = json.loads(text[text.index('"assemblies": ') + 14 : text.rindex("}")])
    assert strict[0]["joints"][1]["omi"]["digest"]


MILLIMETERS = b"""{
"model_parameters": {"version": "2.0.0", "gravity": [0, 0, -9.81],
  "units": {"length": "mm", "angle": "degree", "mass": "g", "time": "ms"}},
"frames": [{"name": "post", "T": [0, 0, 1000]}],
"assemblies": [{"name": "leg",
  "bodies": [{"name": "rod", "center_of_mass": [0, 0, 500],
    "inertia": {"mass": 2500, "Ixx": 1e5, "Iyy": 1e5, "Izz": 2e4, "Ixy": 0, "Iyz": 0, "Izx": 0},
    "frames": [{"name": "top"}, {"name": "end", "T": [0, 0, -400]}]}],
  "joints": [{"name": "J", "type": "revolute", "axis": [0, 1, 0], "initial_displacement": 30,
    "parent": [["fixed"], "post"], "child": [["rod"], "top"], "stiffness": [0, 2.5]}],
  "restraints": [{"name": "stop", "type": "spring", "joint": "J", // soft
    "knot_points": [-40, 50], "coefficients": [[2, 80], [0, 0], [2, -100]]}]},
{"name": "spare", "bodies": [{"name": "rod", "mass": 1000}],
  "joints": [{"name": "free", "type": "float", "parent": [["fixed"], "origin"],
    "child": [["rod"], "origin"], "initial_displacement": {"T": [100, 0, 0]}}]}]}
"""


@pytest.fixture
def small(tmp_path) -> Read:
    path = tmp_path / "pendulum.json"
    path.write_bytes(MILLIMETERS)
    return SHIFT.read(Source(path=path))[0]


def moved(read: Read, name: str, by):
    scene = read.scene
    matrices = scene.matrices.copy()
    matrices[scene.names.index(name), :3, 3] += by
    return replace(scene, matrices=np.array(matrices))


def renamed(read: Read, old: str, new: str):
    return replace(read.scene, names=tuple(new if n == old else n for n in read.scene.names))


def test_gravity_is_written_in_the_axes_of_the_file(read):
    assert read.scene.gravity == (0.0, 0.0, -9.81)
    text = text_of(read, replace(read.scene, gravity=(0.0, 0.0, -1.62)))
    assert text == TEXT.replace(b"9.81", b"1.62")


def test_a_body_that_moved_is_so_in_the_file(read, tmp_path):
    scene = moved(read, "bob", (0.5, 0.0, 0.0))
    path = tmp_path / "moved.json"
    path.write_bytes(text_of(read, scene))
    again = SHIFT.read(Source(path=path))[0].scene
    for name in ("rod", "bob", "J1", "J2"):
        place = scene.names.index(name), again.names.index(name)
        assert again.matrices[place[1]] == pytest.approx(scene.matrices[place[0]], abs=1e-9)


def test_a_new_name_is_written_wherever_the_old_one_was(read, small):
    text = text_of(read, renamed(read, "rod", "arm"))
    assert text == TEXT.replace(b'"rod"', b'"arm"')
    text = text_of(small, renamed(small, "rod.001", "part"))
    assert text.count(b'"part"') == 2
    assert text.replace(b'"part"', b'"rod"') == MILLIMETERS
    text = text_of(small, renamed(small, "J", "hip"))
    assert text == MILLIMETERS.replace(b'"J"', b'"hip"')


def test_values_are_written_in_the_units_of_the_file(small):
    text = text_of(small, with_motion(small, "rod", mass=3.5))
    assert text == MILLIMETERS.replace(b"2500", b"3500.0")
    text = text_of(small, with_motion(small, "rod", center_of_mass=(0.0, 0.0, 0.25)))
    assert text == MILLIMETERS.replace(b"500],", b"250.0],", 1)
    text = text_of(small, moved(small, "rod.001", (0.025, 0.0, 0.0)))
    assert text == MILLIMETERS.replace(b"[100,", b"[125.0,")

    def wider(joint):
        limits = tuple(
            each if each.is_rigid else replace(each, max=np.radians(60.0))
            for each in joint.settings.limits
        )
        return replace(joint, settings=replace(joint.settings, limits=limits))

    text = text_of(small, with_joint(small, "J", wider))
    assert text == MILLIMETERS.replace(b" 50]", b" 60.0]").replace(b"-100]", b"-120.0]")


def test_a_joint_that_is_gone_is_so_in_the_file(small):
    text = text_of(small, replace(small.scene, joints=()))
    assert b'"stop"' not in text
    assert b'"revolute"' not in text


def test_an_edit_that_the_file_would_change_more_for_is_named(small):
    found = written(small, renamed(small, "rod", "arm"))  # the other one would lose its number
    assert found.files["pendulum.json"] == MILLIMETERS
    assert {loss.place for loss in found.losses} == {"arm"}


def test_an_edit_of_a_carried_limit_changes_one_line(read, tmp_path):
    def limited(bound):
        def change(joint):
            (*others, last) = joint.settings.limits[:2]
            limit = replace(last, linear_axes=(), angular_axes=(2,), min=-0.4, max=bound)
            settings = replace(joint.settings, limits=(*others, last, limit))
            return replace(joint, settings=settings)

        return change

    path = tmp_path / "new.json"
    new = written_scene(SHIFT, with_joint(read, "J2", limited(0.7)), Target(path=path))
    path.write_bytes(bytes(new.files[path.name]))
    (mine,) = SHIFT.read(Source(path=path))
    found = bytes(written(mine, with_joint(mine, "J2", limited(0.9))).files[path.name])
    lines = zip(path.read_bytes().splitlines(), found.splitlines(), strict=True)
    changed = [(one.strip(), other.strip()) for one, other in lines if one != other]
    assert changed == [(b'"max": 0.7', b'"max": 0.9')]
