"""What is read from stored property groups is what RNA shows of each property."""

import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.registry import FORMATS
from omi_joints_addon.properties.body import motion_of
from omi_joints_addon.properties.body_reading import read_body
from omi_joints_addon.properties.joint_reading import read_joint
from omi_joints_addon.properties.stored import read_group, stored_at, values_of
from omi_joints_addon.scene.live import LiveScene
from omi_joints_addon.scene.reading import scene_to_core
from tests.cases import cases

GROUPS = ("omi_joint", "omi_body")
NUMBERS = (0.0, -0.0, 1.0, -1.5, 0.1, 1e-45, 3.4e38, math.inf, -math.inf, math.nan)
TEXTS = ("", "a", "Größe 木", '{"min": [0.5, 0.25]}', "x" * 300)
SYSTEM = bpy.app.version >= (5, 0)


def _own(group: Any) -> Iterator[Any]:
    """Yield the properties of a group that are ours and that files keep."""
    for each in group.bl_rna.properties:
        if each.identifier not in {"rna_type", "name"} and not each.is_skip_save:
            yield each


def _is_group(each: Any) -> bool:
    return each.fixed_type.base is not None and each.fixed_type.base.identifier == "PropertyGroup"


def _shown(group: Any) -> dict[str, Any]:
    """Return what RNA shows of a group, property by property."""
    found: dict[str, Any] = {}
    for each in _own(group):
        value = getattr(group, each.identifier)
        if each.type == "COLLECTION":
            found[each.identifier] = tuple(_shown(item) for item in value)
        elif each.type == "POINTER":
            if _is_group(each):
                found[each.identifier] = _shown(value)
        else:
            is_several = getattr(each, "is_array", False)
            found[each.identifier] = tuple(value) if is_several else value
    return found


def _pointers(obj: bpy.types.Object) -> list[Any]:
    """Return the data-blocks to which RNA shows the groups of an object to point."""
    joint, body = obj.omi_joint, obj.omi_body
    nodes = [item.node for item in body.trigger.nodes]
    meshes = [body.collider.shape.mesh, body.trigger.shape.mesh]
    return [
        joint.connected_object,
        joint.settings_source,
        joint.coupling.source,
        *meshes,
        *nodes,
    ]


def _read(obj: bpy.types.Object) -> tuple[dict[str, str], list[Any]]:
    """Return what is read of an object's stored groups: values, to the last bit, and pointers."""
    joint, body = read_joint(obj), read_body(obj)
    pointers: list[Any] = [None] * 5
    if joint is not None:
        pointers[:3] = joint.connected, joint.source, joint.followed
    if body is not None:
        pointers[3:] = body.collider_mesh, body.trigger_mesh, *body.trigger_nodes

    groups = {name: read_group(obj, name) for name in GROUPS}
    stored = {name: stored_at(group.key) if group else {} for name, group in groups.items()}
    return {name: _text(values_of(each, name)) for name, each in stored.items()}, pointers


def _text(value: Any) -> str:
    """Return a text that tells -0.0 from 0.0, and in which NaN equals NaN."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{n}: {_text(v)}" for n, v in sorted(value.items())) + "}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    return repr(value)


def _assert_same(objects: Any) -> None:
    """Compare what is read of objects with what RNA shows."""
    for obj in objects:
        found = _read(obj)
        shown = {name: _text(_shown(getattr(obj, name))) for name in GROUPS}
        assert found == (shown, _pointers(obj)), obj.name
        assert _read(obj) == found


def _set(source: random.Random, group: Any, each: Any) -> None:
    """Give a property some value, or none."""
    name = each.identifier
    if each.type == "COLLECTION":
        items = getattr(group, name)
        items.clear()
        for _ in range(source.randrange(4)):
            _set_some(source, items.add())
    elif each.type == "POINTER" and _is_group(each):
        _set_some(source, getattr(group, name))
    elif each.type == "POINTER":
        kind = bpy.data.meshes if each.fixed_type.identifier == "Mesh" else bpy.data.objects
        setattr(group, name, source.choice([None, *kind]))
    elif source.random() < 0.1:
        group.property_unset(name)
    else:
        setattr(group, name, _value(source, each))


def _value(source: random.Random, each: Any) -> Any:
    if each.type == "ENUM":
        return source.choice(each.enum_items.keys())
    drawn = {
        "BOOLEAN": lambda: source.random() < 0.5,
        "INT": lambda: source.randrange(5),
        "FLOAT": lambda: source.choice([*NUMBERS, source.uniform(-10.0, 10.0)]),
        "STRING": lambda: source.choice(TEXTS[:3]) if each.identifier != "exact" else "",
    }[each.type]
    is_several = getattr(each, "is_array", False)
    return [drawn() for _ in range(each.array_length)] if is_several else drawn()


def _set_some(source: random.Random, group: Any) -> None:
    for each in _own(group):
        if source.random() < 0.5 and each.identifier != "carried":
            _set(source, group, each)


def _make(source: random.Random, count: int = 12) -> list[bpy.types.Object]:
    """Return objects with random joint and body data, some with none."""
    for number in range(2):
        bpy.data.meshes.new(f"Mesh {number}")
    objects = [bpy.data.objects.new(f"Object {n:02}", None) for n in range(count)]
    for obj in objects:
        bpy.context.scene.collection.objects.link(obj)
        for name in GROUPS:
            if source.random() < 0.8:
                _set_some(source, getattr(obj, name))
    return objects


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(cases(8, 100)))
def test_whatever_is_set_is_read(seed: int) -> None:
    source = random.Random(seed)
    objects = _make(source)
    _assert_same(objects)
    for _ in range(5):
        obj = source.choice(objects)
        _set_some(source, getattr(obj, source.choice(GROUPS)))
        _assert_same([obj])


@pytest.mark.parametrize("seed", range(3))
def test_undo_redo_and_files_are_read(seed: int, tmp_path: Path) -> None:
    source = random.Random(seed)
    _make(source)
    bpy.ops.ed.undo_push(message="Made")
    before = {obj.name: _read(obj)[0] for obj in bpy.data.objects}
    for obj in bpy.data.objects:
        _set_some(source, obj.omi_joint)
        _set_some(source, obj.omi_body)
    bpy.ops.ed.undo_push(message="Changed")
    after = {obj.name: _read(obj)[0] for obj in bpy.data.objects}
    bpy.ops.ed.undo()
    _assert_same(bpy.data.objects)
    assert {obj.name: _read(obj)[0] for obj in bpy.data.objects} == before
    bpy.ops.ed.redo()
    _assert_same(bpy.data.objects)
    assert {obj.name: _read(obj)[0] for obj in bpy.data.objects} == after
    file = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    _assert_same(bpy.data.objects)


def test_linked_and_overridden_objects_are_read(tmp_path: Path) -> None:
    _make(random.Random(5))
    file = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(file, link=True) as (there, here):
        here.objects = there.objects
    linked = list(here.objects)
    for obj in linked:
        bpy.context.scene.collection.objects.link(obj)
    _assert_same(linked)
    own = [obj.override_create(remap_local_usages=True) for obj in linked]
    _assert_same(own)
    assert any(_read(obj)[1][0] is not None for obj in own)
    copies = [obj.copy() for obj in own]
    for obj in copies:
        obj.make_local()
        _set_some(random.Random(6), obj.omi_joint)
    _assert_same([*linked, *own, *copies])


def test_animated_and_driven_properties_are_read_as_they_are_shown() -> None:
    _, obj, other = objects = _make(random.Random(7), 3)
    obj.omi_joint.limits.clear()
    limit = obj.omi_joint.limits.add()
    for frame, value in ((1, 0.1), (11, 1.1)):
        limit.max = value
        limit.keyframe_insert("max", frame=frame)
        obj.omi_body.motion_type = "STATIC" if frame == 1 else "KINEMATIC"
        obj.keyframe_insert("omi_body.motion_type", frame=frame)
    # Never set, so nothing of it is stored before the driver acts.
    driver = other.driver_add("omi_joint.attributes.friction").driver
    driver.expression = "frame / 7"
    seen = set()
    for frame in (1, 4, 11):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        _assert_same([*objects, *(each.evaluated_get(graph) for each in objects)])
        (held,) = read_joint(obj).values.settings.limits
        assert held.max == pytest.approx(limit.max)
        friction = read_joint(other).values.attributes.friction
        assert friction == pytest.approx(frame / 7)
        seen.add((held.max, motion_of(obj).type, friction))
    assert len(seen) == 3


def test_pointers_to_what_is_removed_lead_nowhere() -> None:
    joint, end, followed = _make(random.Random(8), 3)
    joint.omi_joint.connected_object, joint.omi_joint.settings_source = end, end
    joint.omi_joint.coupling.source = followed
    joint.omi_body.collider.shape.mesh = bpy.data.meshes[0]
    joint.omi_body.trigger.nodes.add().node = end
    _assert_same([joint])
    end.user_remap(followed)
    _assert_same([joint])
    assert read_joint(joint).connected == followed
    bpy.data.objects.remove(followed)
    bpy.data.meshes.remove(bpy.data.meshes[0])
    _assert_same([joint])
    assert read_joint(joint)[1:] == (None, None, None)


def _store(obj: bpy.types.Object, name: str) -> Any:
    return (obj.bl_system_properties_get() if SYSTEM else obj)[name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("enabled", 2),
        ("enabled", 1.0),
        ("enabled", "yes"),
        ("display_size", 3),
        ("display_size", 0.1),
        ("display_size", -1.0),
        ("display_size", "large"),
        ("color", [1, 2]),
        ("color", [1, 2, 3, 4]),
        ("color", [0.1, 0.2, 0.3, 0.4]),
        ("settings_name", 3),
        ("data_version", -3),
        ("data_version", 2.5),
        ("limits", 3),
        ("limits", []),
        ("limits", [{"min": 1.0, "max": 2, "linear_axes": [1, 0, 1]}, {}]),
        ("unknown", {"a": [1.0, 2.0]}),
    ],
)
def test_what_scripts_store_is_read_as_rna_shows_it(name: str, value: object) -> None:
    obj = bpy.data.objects.new("Joint", None)
    obj.omi_joint.settings_name = "Hinge"
    stored = _store(obj, "omi_joint")
    if name in stored:
        del stored[name]
    stored[name] = value
    _assert_same([obj])


def test_what_is_of_another_kind_counts_as_never_set() -> None:
    # Blender itself shows whatever lies in memory behind a number that is stored for a vector.
    obj = bpy.data.objects.new("Joint", None)
    obj.omi_joint.enabled = True
    obj.omi_body.motion_type = "DYNAMIC"
    joint, body = _store(obj, "omi_joint"), _store(obj, "omi_body")
    joint["color"] = 3.0
    joint["connected_object"] = bpy.data.meshes.new("Mesh")
    joint["settings_name"] = bpy.data.meshes[0]
    joint["coupling"] = bpy.data.meshes[0]
    body["motion_type"] = 99
    found = read_joint(obj)
    assert (found.values.color, found.connected, found.followed) == (None, None, None)
    assert found.values.settings.name == ""
    assert found.values.enabled
    assert motion_of(obj) is None


def test_reading_makes_no_groups() -> None:
    plain, body = (bpy.data.objects.new(name, None) for name in ("Plain", "Body"))
    for obj in (plain, body):
        bpy.context.scene.collection.objects.link(obj)
    body.omi_body.motion_type = "DYNAMIC"
    scene_to_core(bpy.context.scene)
    LiveScene().settle(bpy.context.scene)
    assert not plain.is_property_set("omi_body")
    assert not plain.is_property_set("omi_joint")
    assert not body.omi_body.is_property_set("collider")


DAMAGED = (
    "{",
    "[1]",
    "3",
    "null",
    "[" * 100_000,
    '{"min": 3, "max": {}, "mass": [1], "inertia_diagonal": 1}',
    '{"min": [-1.0, "x"], "mass": [1.0, null], "center_of_mass": [[0.0, 0.0], [0.0]]}',
    '{"min": [-1.0, 1' + "0" * 400 + "]}",
)
HIDDEN = ("exact", "carried", "settings_carried", "motion_carried", "usd_carried")


def _damage(group: Any, text: str) -> int:
    """Set what a group and those in it keep out of sight; return how much that is."""
    count = 0
    for each in _own(group):
        value = getattr(group, each.identifier)
        if each.type == "COLLECTION":
            count += sum(_damage(item, text) for item in value)
        elif each.type == "POINTER" and _is_group(each):
            count += _damage(value, text)
        elif each.identifier in HIDDEN:
            setattr(group, each.identifier, text)
            count += 1
    return count


@pytest.mark.parametrize("text", DAMAGED, ids=lambda text: text[:20])
def test_damaged_texts_that_nobody_sees_cost_nothing_else(text: str, tmp_path: Path) -> None:
    scene = bpy.context.scene
    objects = [bpy.data.objects.new(name, None) for name in ("Base", "Arm", "Joint", "End")]
    base, arm, joint, end = objects
    for obj in objects:
        scene.collection.objects.link(obj)
    joint.parent, end.parent = base, arm
    settings = hinge(min_angle=-1.0, max_angle=1.0)
    joint.omi_joint.settings_from_core(settings)
    joint.omi_joint.enabled, joint.omi_joint.connected_object = True, end
    for body in (base, arm):
        body.omi_body.motion_type, body.omi_body.mass = "DYNAMIC", 2.5
        collider = body.omi_body.collider
        collider.source, collider.shape.type = "CUSTOM", "BOX"
        collider.material.use_material = collider.collision_filter.use_filter = True
    count = sum(_damage(group, text) for o in objects for group in (o.omi_joint, o.omi_body))
    assert count > 50
    found, _ = scene_to_core(scene)
    (read,) = found.joints
    ranges = [(limit.min, limit.max) for limit in read.settings.limits]
    assert ranges == [(limit.min, limit.max) for limit in settings.limits]
    assert [motion.mass for motion in found.motions.values()] == [2.5, 2.5]
    for row in FORMATS:
        if row.name != "blend":
            written = row.write(found, Target(path=tmp_path / f"file{row.suffixes[0]}"))
            assert written.files, row.name


@pytest.mark.parametrize("place", ["limits.max", "drives.stiffness", "drives.velocity_target"])
def test_what_is_not_a_number_is_named_and_left_out(place: str) -> None:
    scene = bpy.context.scene
    arm, joint = (bpy.data.objects.new(name, None) for name in ("Arm", "Joint"))
    for obj in (arm, joint):
        scene.collection.objects.link(obj)
    arm.omi_body.motion_type, arm.omi_body.mass = "DYNAMIC", math.nan
    arm.omi_body.linear_velocity = (0.3, math.nan, 0.1)
    arm.omi_body.center_of_mass = (0.5, 0.25, -0.75)
    joint.omi_joint.enabled, joint.omi_joint.connected_object = True, arm
    kind, _, name = place.partition(".")
    part = getattr(joint.omi_joint, kind).add()
    if name == "velocity_target":
        part.use_velocity_target = True
    setattr(part, name, math.nan)
    found, findings = scene_to_core(scene)
    (motion,) = found.motions.values()
    assert (motion.mass, motion.linear_velocity) == (1.0, (0.0, 0.0, 0.0))
    assert motion.center_of_mass == (0.5, 0.25, -0.75)
    assert found.joints == ()
    texts = {item.rule.code: str(item) for item in findings}
    assert "mass, linear velocity" in texts["OMI-B059"]
    assert "Joint" in texts["OMI-J463"]
