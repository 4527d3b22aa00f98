"""Filters, joints without collisions and triggers in written files, as others read them."""

from dataclasses import replace
from pathlib import Path

import pytest

from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.usd import USD
from tests.oracles import mujoco
from tests.oracles.contacts import BALL, CONTACTS, FLOOR, READERS, Contact, outcomes

IN_MUJOCO = READERS[0]


def test_ball_rests_where_it_should() -> None:
    if not mujoco.is_here():
        pytest.skip("mujoco-core is not installed")
    for contact, outcome in zip(CONTACTS, outcomes(IN_MUJOCO), strict=True):
        # MuJoCo has no tapered shapes.
        is_left_out = contact.name == "tapered cylinder"
        assert (contact.name, outcome.rests) == (contact.name, contact.rests and not is_left_out)


def test_filters_of_what_is_no_body_are_reported_lost(tmp_path: Path) -> None:
    (contact,) = (one for one in CONTACTS if one.name == "floor collides with *boxes*")
    motions = {BALL: contact.scene.motions[BALL]}
    written = MJCF.write(replace(contact.scene, motions=motions), Target(path=tmp_path / "a.xml"))
    found = {(loss.place, loss.how) for loss in written.losses if loss.noun == "collision filter"}
    names = contact.scene.names
    assert found == {(names[FLOOR], "lost"), (names[BALL], "same")}


@pytest.mark.parametrize("contact", [one for one in CONTACTS if one.scene.joints])
def test_collisions_of_a_joint_with_a_still_body_come_back(
    contact: Contact, tmp_path: Path
) -> None:
    path = tmp_path / "ball.xml"
    written = MJCF.write(contact.scene, Target(path=path))
    path.write_bytes(written.files["ball.xml"])
    assert "bodies collide" not in {str(loss.noun) for loss in written.losses}
    (read,) = MJCF.read(Source(path=path))
    assert [joint.enable_collision for joint in read.scene.joints] == [contact.rests]
    assert read.scene.excluded_pairs == ()


@pytest.mark.parametrize("is_filtered", [True, False])
def test_collision_groups_say_all_without_being_inverted(is_filtered: bool, tmp_path: Path) -> None:
    """PhysX takes an inverted group for a plain one."""
    pxr = pytest.importorskip("pxr", reason="usd-core is not installed")
    (contact,) = (one for one in CONTACTS if one.name == "floor collides with *boxes*")
    colliders = dict(contact.scene.colliders)
    if not is_filtered:
        colliders[BALL] = replace(colliders[BALL], collision_filter=None)
    path = tmp_path / "ball.usda"
    scene = replace(contact.scene, colliders=colliders)
    path.write_bytes(USD.write(scene, Target(path=path)).files["ball.usda"])
    stage = pxr.Usd.Stage.Open(str(path))
    kind = pxr.UsdPhysics.CollisionGroup
    floor, ball = groups = [kind(prim) for prim in stage.Traverse() if prim.IsA(kind)]
    assert not any(group.GetInvertFilteredGroupsAttr().Get() for group in groups)
    assert ball.GetPath() in floor.GetFilteredGroupsRel().GetTargets()
    (read,) = USD.read(Source(path=path))
    found = [volume.collision_filter for volume in read.scene.colliders.values()]
    assert found == [scene.colliders[FLOOR].collision_filter, colliders[BALL].collision_filter]
