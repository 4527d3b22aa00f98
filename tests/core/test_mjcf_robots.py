"""Public robots in the folder OMI_ROBOTS: kept to the byte, edited exactly, moving as they did."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Kept, Read, Source, Target
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.formats.mjcf import MJCF
from tests.elsewhere import robots_folder

from .mjcf_models import mujoco

pytestmark = pytest.mark.needs("public robots")
_EDITS = 5
"""Of each kind in a model."""
Expected = tuple[str, int, float]
"""Array, row and new value of what MuJoCo compiles."""


@pytest.fixture(scope="module")
def robots() -> list[tuple[Path, Read]]:
    """The models that MuJoCo compiles, as they are read."""
    found = []
    for path in sorted(robots_folder().rglob("*.xml")):
        if b"<mujoco" not in path.read_bytes()[:4000]:
            continue
        try:
            mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            continue
        found.append((path, MJCF.read(Source(path=path))[0]))
    return found


def _written(path: Path, read: Read, scene: PhysicsScene, **options: str) -> dict[str, bytes]:
    kept = Kept(document=read.document, read=read)
    return dict(written_scene(MJCF, scene, Target(path=path, kept=kept, options=options)).files)


def test_models_that_nobody_edited_are_the_same_to_the_byte(robots):
    for path, read in robots:
        written = _written(path, read, read.scene)
        assert {name: written[name] for name in read.document.files} == read.document.files, path


def test_random_edits_change_in_mujoco_exactly_what_they_say(robots):
    chance, compared = random.Random(7), 0
    for path, read in robots:
        before = mujoco.MjModel.from_xml_path(str(path))
        for edited, (array, row, value) in _edits(read.scene, before, chance):
            written = _written(path, read, edited)
            if written == dict(read.document.files):
                continue  # refused by name: an element that includes, macros or ratios make
            after = _compiled(path, read, written)
            one, other = (getattr(model, array).copy() for model in (before, after))
            assert other[row] == pytest.approx(value, abs=2e-6), path
            other[row] = one[row]
            np.testing.assert_allclose(one, other, atol=1e-9, err_msg=f"{path} {array}")
            for same in ("jnt_axis", "jnt_range", "geom_size", "actuator_gainprm", "key_qpos"):
                if same != array:
                    assert np.array_equal(getattr(before, same), getattr(after, same)), path
            compared += 1
    assert compared > 2 * len(robots)


def _compiled(path: Path, read: Read, files: dict[str, bytes]):
    """Return the model of other texts at the place of its own, which come back."""
    try:
        for name in read.document.files:
            (path.parent / name).write_bytes(files[name])
        return mujoco.MjModel.from_xml_path(str(path))
    finally:
        for name, data in read.document.files.items():
            (path.parent / name).write_bytes(data)


def _edits(
    scene: PhysicsScene, model, chance: random.Random
) -> Iterator[tuple[PhysicsScene, Expected]]:
    bodies = [body for body in scene.motions if scene.is_dynamic(body)]
    for body in chance.sample(bodies, min(_EDITS, len(bodies))):
        row = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, scene.names[body])
        motion = scene.motions[body]
        if row > 0 and motion.mass > 1e-3:
            mass = round(1.25 * motion.mass, 6)
            motions = {**scene.motions, body: replace(motion, mass=mass)}
            yield replace(scene, motions=motions), ("body_mass", row, mass)
    for name, array in (("armature", "dof_armature"), ("friction", "dof_frictionloss")):
        for number, row in _some_joints(scene, model, chance):
            attributes = scene.joints[number].attributes
            value = round(getattr(attributes, name) + 0.25, 5)
            changed = replace(attributes, **{name: value})
            yield (
                _with_joint(scene, number, lambda j, new=changed: replace(j, attributes=new)),
                (array, int(model.jnt_dofadr[row]), value),
            )


def _some_joints(scene, model, chance: random.Random) -> list[tuple[int, int]]:
    """Return numbers of joints with one axis, here and in MuJoCo."""
    found = []
    for number, joint in enumerate(scene.joints):
        row = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, scene.names[joint.node])
        is_one = "stack" not in dict(joint.attributes.carried).get("mjcf", "")
        if row >= 0 and is_one and model.jnt_type[row] >= int(mujoco.mjtJoint.mjJNT_SLIDE):
            found.append((number, row))
    return chance.sample(found, min(_EDITS, len(found)))


def _with_joint(scene: PhysicsScene, number: int, change: Callable) -> PhysicsScene:
    joints = list(scene.joints)
    joints[number] = change(joints[number])
    return replace(scene, joints=tuple(joints))


def test_models_written_anew_move_as_their_originals(robots, tmp_path):
    """Half a second of random controls without contacts."""
    near = 0
    for number, (path, read) in enumerate(robots):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, data in _written(folder / "new.xml", read, read.scene, source="new").items():
            (folder / name).write_bytes(data)
        one, other = (
            mujoco.MjModel.from_xml_path(str(file)) for file in (path, folder / "new.xml")
        )
        assert (one.nq, one.nu, one.na) == (other.nq, other.nu, other.na), path
        near += _gap(one, other) < 1e-9
    assert near >= 0.97 * len(robots)


def _gap(one, other) -> float:
    """Return how far bodies of one name end apart [m]."""
    places = [_moved(model) for model in (one, other)]
    return max(
        (
            float(np.abs(places[0][name] - places[1][name]).max())
            for name in places[0].keys() & places[1].keys() - {""}
        ),
        default=0.0,
    )


def _moved(model) -> dict[str, np.ndarray]:
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    data, chance = mujoco.MjData(model), np.random.default_rng(5)
    low, high = model.actuator_ctrlrange.T
    for step in range(round(0.5 / model.opt.timestep)):
        if step % 20 == 0:
            share = chance.uniform(-1.0, 1.0, model.nu)
            span = low + (high - low) * (share + 1.0) / 2.0
            data.ctrl[:] = np.where(model.actuator_ctrllimited, span, share)
        mujoco.mj_step(model, data)
    return {model.body(n).name: data.xpos[n].copy() for n in range(1, model.nbody)}
