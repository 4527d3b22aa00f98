"""Pictures of joints without a window, on every release."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray

from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.pictures.picture import draw_picture, picture
from omi_joints_addon.pictures.render import PictureError

SIZE = (160, 120)


def add_hinge(high: float = 1.5) -> bpy.types.Object:
    joint, connected = (bpy.data.objects.new(name, None) for name in ("Joint", "Connected"))
    for obj in (joint, connected):
        bpy.context.scene.collection.objects.link(obj)
    joint.omi_joint.enabled = True
    joint.omi_joint.connected_object = connected
    limit = JointLimit(angular_axes=(2,), min=-1.5, max=high)
    joint.omi_joint.settings_from_core(JointSettings(limits=(limit,)))
    bpy.context.view_layer.update()
    return joint


def pixels(path: Path) -> NDArray[np.float32]:
    image = bpy.data.images.load(str(path))
    found = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(found)
    assert tuple(image.size) == SIZE
    bpy.data.images.remove(image)
    return found.reshape(SIZE[1], SIZE[0], 4)


def blue(found: NDArray[np.float32]) -> int:
    """Return how many pixels are much more blue than red."""
    return int((found[..., 2] - found[..., 0] > 0.15).sum())


def red(found: NDArray[np.float32]) -> int:
    return int((found[..., 0] - found[..., 2] > 0.15).sum())


def test_hinge_is_a_blue_sector(tmp_path: Path) -> None:
    add_hinge()
    draw_picture(bpy.context, tmp_path / "hinge.png", size=SIZE, angles=(0.3, 0.0))
    found = pixels(tmp_path / "hinge.png")
    assert blue(found) > 0.03 * SIZE[0] * SIZE[1]
    assert found[..., 3].min() == 1.0


def test_a_hinge_has_its_own_color(tmp_path: Path) -> None:
    joint = add_hinge()
    joint.omi_joint.color = (1.0, 0.5, 0.0, 1.0)
    draw_picture(bpy.context, tmp_path / "hinge.png", size=SIZE, angles=(0.3, 0.0))
    found = pixels(tmp_path / "hinge.png")
    assert red(found) > 0.03 * SIZE[0] * SIZE[1]


def test_violated_hinge_is_red(tmp_path: Path) -> None:
    joint = add_hinge()
    joint.omi_joint.connected_object.rotation_euler.z = 2.5
    bpy.context.view_layer.update()
    draw_picture(bpy.context, tmp_path / "hinge.png", size=SIZE, angles=(0.3, 0.0))
    assert red(pixels(tmp_path / "hinge.png")) > 0.03 * SIZE[0] * SIZE[1]


def test_what_a_cube_hides_is_dimmed(tmp_path: Path) -> None:
    add_hinge()
    draw_picture(bpy.context, tmp_path / "open.png", size=SIZE, angles=(0.3, 0.0))
    bpy.ops.mesh.primitive_cube_add(size=3.0)
    draw_picture(bpy.context, tmp_path / "hidden.png", size=SIZE, angles=(0.3, 0.0))
    seen, hidden = blue(pixels(tmp_path / "open.png")), blue(pixels(tmp_path / "hidden.png"))
    assert hidden < 0.5 * seen


def test_scene_stays_as_it_is(tmp_path: Path) -> None:
    add_hinge()
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x = 77
    objects, cameras = len(bpy.data.objects), len(bpy.data.cameras)
    draw_picture(bpy.context, tmp_path / "hinge.png", size=SIZE)
    assert (scene.render.engine, scene.render.resolution_x) == ("CYCLES", 77)
    assert scene.camera is None
    assert (len(bpy.data.objects), len(bpy.data.cameras)) == (objects, cameras)
    assert {image.name for image in bpy.data.images} <= {"Render Result"}


def test_blend_and_gltf_files_are_drawn(tmp_path: Path) -> None:
    joint = add_hinge()
    for obj, motion in ((joint, "DYNAMIC"), (joint.omi_joint.connected_object, "STATIC")):
        body = bpy.data.objects.new("Body", None)
        bpy.context.scene.collection.objects.link(body)
        body.omi_body.motion_type = motion
        obj.parent = body
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hinge.blend"))
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "hinge.glb"))
    for name in ("hinge.blend", "hinge.glb"):
        target = tmp_path / f"{name}.png"
        picture(bpy.context, tmp_path / name, target, size=SIZE, angles=(0.3, 0.0))
        found = pixels(target)
        assert found[..., :3].max() - found[..., :3].min() > 0.3, name


def test_nothing_to_draw_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"^the scene has no joints to draw$"):
        draw_picture(bpy.context, tmp_path / "nothing.png", size=SIZE)
    (tmp_path / "broken.gltf").write_text("{")
    with pytest.raises(PictureError, match="cannot read"):
        picture(bpy.context, tmp_path / "broken.gltf", tmp_path / "nothing.png", size=SIZE)
