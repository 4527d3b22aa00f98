"""Each kind of object that the add-on makes, through all that Blender does to objects.

What an object says, its properties, its parent and its place, is the same afterwards; others say
what they contained, except that they lose what was deleted.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.scene.findings import settled_findings
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.scene_dump import _struct as properties
from tests.blender.scenes import add_cube, add_door, add_joint, rows, select

SETTINGS = JointSettings(
    name="Everything",
    limits=(
        JointLimit(linear_axes=(0, 1), angular_axes=(2,), min=-0.123456789012345, max=1e-30),
        JointLimit(angular_axes=(0, 2), max=3.0, stiffness=12.5, damping=0.25, carried='{"a":1}'),
    ),
    drives=(JointDrive(type="angular", axis=2, velocity_target=-1.5, damping=3.0, max_force=7.0),),
)
KINDS = {
    "joint": "Door to Wall Joint",
    "joint that follows and shares": "Flap to Wall Joint",
    "connected frame": "Door to Wall Connected",
    "body with a collider": "Door",
    "static body": "Wall",
    "body with a trigger": "Flap",
    "collider with its mesh": "Hull",
}
"""An object of each kind by name."""
Contents = dict[str, dict[str, Any]]


def author() -> None:
    """Add a scene with objects of every kind, and everything that they can say."""
    wall, door, joint = add_door()
    flap = add_cube("Flap", (0.0, 5.0, 0.0))
    other = add_joint(wall, flap, preset="HINGE")
    joint.omi_joint.settings_from_core(SETTINGS)
    joint.omi_joint.attributes.break_force = 50.0
    joint.omi_joint.color = (0.25, 0.5, 0.75, 1.0)
    other.omi_joint.settings_source = joint
    other.omi_joint.coupling.source, other.omi_joint.coupling.multiplier = joint, -2.0
    wall.omi_body.motion_type = "STATIC"
    body = door.omi_body
    body.motion_type, body.mass, body.center_of_mass = "DYNAMIC", 3.5, (0.1, 0.2, 0.3)
    body.inertia_diagonal, body.gravity_factor = (1.0, 2.0, 2.5), 0.5
    body.collider.source, body.collider.shape.type = "CUSTOM", "CAPSULE"
    body.collider.material.use_material = True
    body.collider.collision_filter.use_filter = True
    body.collider.collision_filter.systems.add().system = "doors"
    flap.omi_body.motion_type = "KINEMATIC"
    flap.omi_body.trigger.enabled = True
    flap.omi_body.trigger.shape.type = "SPHERE"
    hull = add_cube("Hull", (3.0, 0.0, 2.0))
    hull.parent, hull.matrix_parent_inverse = door, door.matrix_world.inverted()
    collider = hull.omi_body.collider
    collider.source, collider.shape.type, collider.shape.mesh = "CUSTOM", "CONVEX", wall.data
    bpy.context.view_layer.update()


def contents() -> Contents:
    """Return what each object of the scene contains."""
    bpy.context.view_layer.update()
    return {obj.name: content_of(obj) for obj in bpy.context.scene.objects}


def content_of(obj: Any) -> dict[str, Any]:
    found = {name: properties(getattr(obj, name), set()) for name in ("omi_joint", "omi_body")}
    for group in found.values():
        # Says which release wrote a file.
        group.pop("data_version", None)
    parent = obj.parent.name if obj.parent else None
    place = [[round(number, 5) + 0.0 for number in row] for row in rows(obj.matrix_world)]
    return found | {"parent": parent, "place": place}


def renamed(value: Any, names: Mapping[str, str | None]) -> Any:
    """Return the contents where objects have other names."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def assert_sound() -> None:
    """Assert that the scene can be read, and that live checks find what a whole check finds."""
    scene, found = scene_to_core(bpy.context.scene)
    whole = Counter(str(each) for each in [*found, *check_scene(scene)])
    live = settled_findings(bpy.context.scene)
    assert Counter(str(each) for each in live) == whole


def edit(obj: Any) -> None:
    """Change what an object says."""
    obj.omi_joint.enable_collision = not obj.omi_joint.enable_collision
    obj.omi_body.mass = 7.0
    obj.location.x += 1.0


def undo(name: str, _folder: Path) -> None:
    before = contents()
    bpy.ops.ed.undo_push(message="before")
    edit(bpy.data.objects[name])
    bpy.ops.ed.undo_push(message="after")
    after = contents()
    assert after != before
    bpy.ops.ed.undo()
    assert contents() == before
    bpy.ops.ed.redo()
    assert contents() == after


def save_and_load(name: str, folder: Path) -> None:
    before = contents()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"))
    assert contents() == before
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(folder / "scene.blend"))
    assert contents() == before


def brought(name: str, folder: Path, *, link: bool) -> Any:
    """Return an object, brought from a file into an empty scene, and all that it refers to."""
    path = folder / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=link) as (_, target):
        target.objects = [name]
    for obj in bpy.data.objects:
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    return target.objects[0]


def append(name: str, folder: Path) -> None:
    before = contents()[name]
    assert content_of(brought(name, folder, link=False)) == before


def link(name: str, folder: Path) -> None:
    before = contents()[name]
    assert content_of(brought(name, folder, link=True)) == before


def override(name: str, folder: Path) -> None:
    before = contents()[name]
    linked = brought(name, folder, link=True)
    local = linked.override_create(remap_local_usages=True)
    bpy.context.view_layer.update()
    assert content_of(local) == before
    assert content_of(linked) == before


def duplicate(name: str, _folder: Path) -> None:
    before = contents()
    select(*bpy.context.scene.objects)
    bpy.ops.object.duplicate()
    after = contents()
    assert {key: after[key] for key in before} == before
    expected = renamed(before, {other: f"{other}.001" for other in before})[f"{name}.001"]
    # Whether meshes are copied too, preferences say.
    assert without_meshes(after[f"{name}.001"]) == without_meshes(expected)


def without_meshes(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_meshes(each) for key, each in value.items() if key != "mesh"}
    return [without_meshes(each) for each in value] if isinstance(value, list) else value


def delete(name: str, _folder: Path) -> None:
    before = contents()
    select(bpy.data.objects[name])
    bpy.ops.object.delete()
    if name in bpy.data.objects:
        # Others refer to it; what is purged is gone.
        bpy.data.objects.remove(bpy.data.objects[name])
    after = contents()
    assert set(after) == set(before) - {name}
    for other, value in after.items():
        # A child of what is gone stays where it is in its own axes.
        expected = renamed(before[other], {name: None}) | {"place": value["place"]}
        assert value == expected, other


def rename(name: str, _folder: Path) -> None:
    before = contents()
    bpy.data.objects[name].name = "Other Name"
    assert contents() == renamed(before, {name: "Other Name"})


def second_scene(name: str, _folder: Path) -> None:
    before, first = contents(), bpy.context.scene
    second = bpy.data.scenes.new("Second")
    for obj in first.objects:
        second.collection.objects.link(obj)
    bpy.context.window.scene = second
    assert contents() == before
    edit(bpy.data.objects[name])
    changed = contents()
    assert_sound()
    bpy.context.window.scene = first
    assert contents() == changed


def full_copy(name: str, _folder: Path) -> None:
    before, first = contents(), bpy.context.scene
    bpy.ops.scene.new(type="FULL_COPY")
    assert bpy.context.scene != first
    assert set(contents()) == {f"{each}.001" for each in before}
    edit(bpy.data.objects[f"{name}.001"])
    bpy.context.window.scene = first
    assert contents() == before


EVENTS: dict[str, Callable[[str, Path], None]] = {
    each.__name__: each
    for each in (
        undo, save_and_load, append, link, override, duplicate, delete, rename, second_scene,
        full_copy,
    )
}  # fmt: skip


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_object_lives_through(kind: str, event: str, tmp_path: Path) -> None:
    author()
    EVENTS[event](KINDS[kind], tmp_path)
    assert_sound()


def test_every_object_is_of_a_kind() -> None:
    author()
    assert set(KINDS.values()) <= set(bpy.data.objects.keys())
    others = set(bpy.data.objects.keys()) - set(KINDS.values())
    assert others == {"Flap to Wall Connected"}
