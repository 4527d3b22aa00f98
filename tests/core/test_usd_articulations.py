"""Roots of articulations in USD: what cannot be said as it is gets named."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.io.formats.format import Kept, Source, Target
from omi_joints_addon.io.formats.usd import USD
from tests.core.solver_scenes import SceneBuilder, turn

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")


def test_free_root_that_a_fixed_joint_holds_is_named(tmp_path: Path) -> None:
    build = SceneBuilder()
    root = build.body((0, 0, 0), type="static")
    node, end = build.node((0, 0, 0), parent=root), build.node((0, 0, 0))
    build.joints.append(Joint(node=node, connected=end, settings=presets.fixed()))
    scene = replace(build.scene(), articulations=(Articulation(root=root),))
    written = USD.write(scene, Target(path=tmp_path / "held.usda"))
    assert [str(loss.noun) for loss in written.losses] == ["articulation"]


def arm(
    settings: JointSettings, *, start: tuple[float, float, float, float] | tuple[float, ...] = ()
) -> PhysicsScene:
    """Return an arm on the fixed root of an articulation, its frame shifted (3) or turned (4)."""
    build = SceneBuilder()
    root = build.body((0, 0, 0), type="static")
    place, rotation = (start, (0, 0, 0, 1)) if len(start) == 3 else ((0, 0, 0), start)
    body = build.body(place, rotation, mass=1.0)
    node = build.node((0, 0, 0), parent=root)
    build.join(settings, node, build.node(place, rotation, parent=body))
    return replace(build.scene(), articulations=(Articulation(root=root, is_fixed=True),))


TURNED = tuple(turn((0, 0, 1), 0.4).tolist())


@pytest.mark.parametrize(
    ("settings", "start", "instance", "state"),
    [
        (presets.hinge(axis=2), TURNED, "angular", math.degrees(0.4)),
        (presets.slider(axis=1), (0.0, 0.2, 0.0), "linear", 0.2),
    ],
)
@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_joint_that_starts_elsewhere_has_a_state(
    settings: JointSettings,
    start: tuple[float, ...],
    instance: str,
    state: float,
    is_swapped: bool,
    tmp_path: Path,
) -> None:
    from pxr import Usd

    scene = arm(settings, start=start)
    if is_swapped:
        # The joint's node on the arm: body0 is the connected one, and numbers stay the joint's.
        state = -state
        (joint,) = scene.joints
        scene = replace(scene, joints=(replace(joint, node=joint.other, connected=joint.node),))
    path = tmp_path / "arm.usda"
    path.write_bytes(bytes(USD.write(scene, Target(path=path)).files[path.name]))
    stage = Usd.Stage.Open(str(path))
    name = f"state:{instance}:physics:position"
    (prim,) = (p for p in stage.Traverse() if p.HasAttribute(name))
    assert prim.GetAttribute(name).Get() == pytest.approx(state, rel=1e-6)
    applied = prim.GetMetadata("apiSchemas").GetAddedOrExplicitItems()
    assert f"PhysicsJointStateAPI:{instance}" in applied
    (found,) = USD.read(Source(path=path))
    assert not [each.code for each in found.findings if each.code == "OMI-U024"]
    assert not found.scene.joints[0].attributes.carried
    assert "OMI-U059" not in [each.code for each in PHYSX.check(scene)]


def two_hinges(first: float, second: float) -> PhysicsScene:
    """Return an arm of two equal hinges, turned by angles [rad], on the fixed root."""
    build = SceneBuilder()
    above = build.body((0, 0, 0), type="static")
    root, turned = above, 0.0
    for angle in (first, second):
        end = build.node((0, 0, 0), turn((0, 0, 1), turned).tolist(), parent=above)
        turned += angle
        rotation = turn((0, 0, 1), turned).tolist()
        above = build.body((0, 0, 0), rotation, mass=1.0)
        build.join(presets.hinge(axis=2), end, build.node((0, 0, 0), rotation, parent=above))
    return replace(build.scene(), articulations=(Articulation(root=root, is_fixed=True),))


def states(path: Path) -> list[float]:
    """Return where the hinges of a stage start [°]."""
    from pxr import Usd

    stage = Usd.Stage.Open(str(path))
    found = [prim.GetAttribute("state:angular:physics:position") for prim in stage.Traverse()]
    return [each.Get() for each in found if each and each.Get() is not None]


def test_states_follow_bodies_that_moved_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "arm.usda"
    path.write_bytes(bytes(USD.write(two_hinges(0.4, 0.7), Target(path=path)).files[path.name]))
    assert states(path) == pytest.approx([math.degrees(0.4), math.degrees(0.7)])
    for angles, layer in (((-0.2, 0.9), "into"), ((0.0, 0.5), "into"), ((0.3, -0.4), "above")):
        read = USD.read(Source(path=path))[0]
        assert read.document is not None
        moved = replace(read.scene, matrices=two_hinges(*angles).matrices)
        kept, options = Kept(document=read.document, read=read), {"layer": layer}
        if layer == "above":
            path = tmp_path / "above.usda"
        written = USD.write(moved, Target(path=path, kept=kept, options=options))
        path.write_bytes(bytes(written.files[path.name]))
        expected = [math.degrees(angle) for angle in angles if angle]
        assert states(path) == pytest.approx(expected, rel=1e-6)
        again = USD.read(Source(path=path))[0]
        assert np.allclose(again.scene.matrices, moved.matrices, atol=1e-6)
        assert [each.code for each in again.findings] == []
        assert not any(joint.attributes.carried for joint in again.scene.joints)


def test_a_state_of_another_program_stays(tmp_path: Path) -> None:
    path = tmp_path / "arm.usda"
    text = bytes(USD.write(two_hinges(0.4, 0.7), Target(path=path)).files[path.name]).decode()
    path.write_text(text.replace("physics:position = 22.918312", "physics:position = 12"))
    read = USD.read(Source(path=path))[0]
    assert read.document is not None
    moved = replace(read.scene, matrices=two_hinges(-0.2, 0.9).matrices)
    kept = Kept(document=read.document, read=read)
    written = USD.write(moved, Target(path=path, kept=kept))
    path.write_bytes(bytes(written.files[path.name]))
    assert states(path) == pytest.approx([12.0, math.degrees(0.9)], rel=1e-6)


def test_joints_outside_of_articulations_have_no_state(tmp_path: Path) -> None:
    scene = arm(presets.hinge(axis=2), start=TURNED)
    outside = JointAttributes(in_articulation=False)
    for each in (
        replace(scene, articulations=()),
        replace(scene, joints=(replace(scene.joints[0], attributes=outside),)),
    ):
        written = USD.write(each, Target(path=tmp_path / "arm.usda"))
        assert b"state:" not in bytes(written.files["arm.usda"])


@pytest.mark.parametrize(
    ("settings", "codes"),
    [
        (presets.cylindrical(), ["OMI-U058", "OMI-U059"]),
        (presets.universal(), ["OMI-E312", "OMI-U059"]),
        (presets.pin(), ["OMI-U059"]),
        (presets.fixed(), ["OMI-U059"]),
        (presets.hinge(axis=2), []),
    ],
)
def test_what_joints_of_articulations_do_not_do_in_physx(
    settings: JointSettings, codes: list[str]
) -> None:
    new = {"OMI-U058", "OMI-U059", "OMI-E312"}
    scene = arm(settings, start=TURNED)
    assert sorted(new.intersection(each.code for each in PHYSX.check(scene))) == codes
    out = replace(scene.joints[0], attributes=JointAttributes(in_articulation=False))
    loose = PHYSX.check(replace(scene, joints=(out,)))
    assert not new.intersection(each.code for each in loose)
