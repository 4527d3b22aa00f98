"""What Blender and this extension offer next, and what must hold afterwards: one line a step."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from tests.blender.scenes import select

Roles = dict[str, str]
Do = Callable[[Roles], object]

FRAMES = "frames"
"""Both frames of each joint are where they were in the world."""
SOLIDS = "solids"
"""What is solid reaches as far in the world as before."""
SHAPES = "shapes"
"""Shapes hold their meshes as before."""
CENTERS = "centers"
"""Centers of mass and velocities are as before in the world."""
SETTINGS = "settings"
KEYS = "keys"
"""What is animated ends at the same values, of the same axes."""
COUNT = "count"
"""As many bodies, joints and triggers as before, or twice as many of copies."""
NAMED = "named"
"""A finding or a report says what is lost."""
WHOLE = "whole"
"""Bodies that are there are as solid as before."""
ALL = frozenset((FRAMES, SOLIDS, SHAPES, CENTERS, SETTINGS, KEYS, COUNT))
EDITED = ALL - {SOLIDS, CENTERS}
"""What must hold when a mesh was edited."""
MOVED = frozenset((SHAPES, SETTINGS, KEYS, COUNT))
"""What must hold when something is elsewhere."""
COPIED = ALL
"""What must hold of the originals when there are copies, of which each joint has its twin."""
OTHER = frozenset((FRAMES, SOLIDS, SHAPES, CENTERS))
"""What must hold when the limits of a joint were changed."""


@dataclass(frozen=True)
class Step:
    """A step, and what must hold after it."""

    name: str
    do: Do
    holds: frozenset[str] = ALL
    times: int = 1
    """How many of each joint there are afterwards."""
    options: tuple[tuple[str, object], ...] = ()
    """Options of the export that the step needs to be seen in the file."""


def obj(roles: Roles, role: str) -> Any:
    return bpy.data.objects[roles[role]]


def mesh(roles: Roles, role: str) -> Any:
    """Return the mesh of a role: itself, or the first one below."""
    found = obj(roles, role)
    meshes = [each for each in (found, *found.children_recursive) if each.type == "MESH"]
    if not meshes:
        raise RuntimeError("there is no mesh")
    return meshes[0]


def everything() -> list[Any]:
    found = [each for each in bpy.context.view_layer.objects if each.visible_get()]
    if not found:
        raise RuntimeError("nothing is visible")
    return found


TARGETS: dict[str, Callable[[Roles], list[Any]]] = {
    "body": lambda roles: [obj(roles, "body")],
    "holder": lambda roles: [obj(roles, "holder")],
    "joint": lambda roles: [obj(roles, "joint")],
    "pair": lambda roles: [obj(roles, "body"), obj(roles, "holder")],
    "all": lambda _roles: everything(),
}


def on(target: str, do: Callable[[], object]) -> Do:
    """Return what selects a target and does something."""

    def run(roles: Roles) -> None:
        chosen = list(dict.fromkeys(TARGETS[target](roles)))
        select(*chosen)
        do()

    return run


def on_mesh(role: str, do: Callable[[], object]) -> Do:
    def run(roles: Roles) -> None:
        select(mesh(roles, role))
        do()

    return run


def edited(do: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="SELECT")
        do()
        bpy.ops.object.mode_set(mode="OBJECT")

    return run


def applied(**what: bool) -> Callable[[], object]:
    options = {"location": False, "rotation": False, "scale": False} | what
    # As from the menu: an operator that Blender registers.
    return lambda: bpy.ops.object.transform_apply("EXEC_DEFAULT", True, **options)


def origin(kind: str) -> Callable[[], object]:
    return lambda: bpy.ops.object.origin_set("EXEC_DEFAULT", True, type=kind)


def modifier(kind: str, *, apply: bool = False) -> Callable[[], None]:
    def run() -> None:
        chosen = bpy.context.object
        new = chosen.modifiers.new("Step", kind)
        if kind == "BEVEL":
            new.width = 0.02
        if apply:
            bpy.ops.object.modifier_apply(modifier="Step")

    return run


def some_vertices(do: Callable[[Any], object]) -> Callable[[], None]:
    def run() -> None:
        data: Any = bpy.context.object.data
        do(data)
        data.update()

    return run


def far_vertices(data: Any) -> None:
    for vertex in list(data.vertices)[:4]:
        vertex.co.z *= 1.7


def parent(kind: str) -> Callable[[], None]:
    def run() -> None:
        chosen = list(bpy.context.selected_objects)
        empty = bpy.data.objects.new("Above", None)
        bpy.context.collection.objects.link(empty)
        empty.location = (0.3, 0.2, 0.1)
        bpy.context.view_layer.update()
        select(empty, *chosen)
        bpy.ops.object.parent_set(type="OBJECT", keep_transform=kind == "KEEP")

    return run


def moved_by(**values: Any) -> Callable[[], None]:
    def run() -> None:
        chosen = bpy.context.object
        for name, value in values.items():
            held = getattr(chosen, name)
            setattr(chosen, name, [a + b for a, b in zip(held, value, strict=True)])

    return run


def scaled(factors: tuple[float, ...]) -> Callable[[], None]:
    def run() -> None:
        chosen = bpy.context.object
        chosen.scale = [a * b for a, b in zip(chosen.scale, factors, strict=True)]

    return run


def joined(roles: Roles) -> None:
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(3.9, 0, 1.2))
    handle = bpy.context.object
    select(mesh(roles, "body"), handle)
    bpy.ops.object.join()


def joined_bodies(roles: Roles) -> None:
    select(mesh(roles, "holder"), mesh(roles, "body"))
    bpy.ops.object.join()


def separated() -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    place = bpy.context.object.matrix_world.translation
    bpy.ops.mesh.bisect(plane_co=place, plane_no=(0, 0, 1), use_fill=True)
    bpy.ops.mesh.edge_split(type="EDGE")
    bpy.ops.mesh.separate(type="LOOSE")
    bpy.ops.object.mode_set(mode="OBJECT")


def renamed() -> None:
    for each in bpy.context.selected_objects:
        each.name = f"{each.name} / ä"


def collection(_roles: Roles | None = None) -> Any:
    new = bpy.data.collections.new("Other")
    bpy.context.scene.collection.children.link(new)
    return new


def to_collection() -> None:
    new = collection()
    for each in bpy.context.selected_objects:
        for old in each.users_collection:
            old.objects.unlink(each)
        new.objects.link(each)


def excluded() -> None:
    to_collection()
    layers = bpy.context.view_layer.layer_collection.children
    layers["Other"].exclude = True


def hidden(name: str) -> Callable[[], None]:
    def run() -> None:
        for each in bpy.context.selected_objects:
            setattr(each, name, True)

    return run


def scene_set(name: str, value: Any) -> Do:
    def run(_roles: Roles) -> None:
        holder, _, member = name.rpartition(".")
        place = bpy.context.scene.path_resolve(holder) if holder else bpy.context.scene
        setattr(place, member, value)

    return run


def undone(_roles: Roles) -> None:
    bpy.ops.ed.undo_push(message="row")
    select(*everything())
    applied(location=True, rotation=True, scale=True)()
    bpy.ops.ed.undo()


def undone_and_redone(roles: Roles) -> None:
    undone(roles)
    bpy.ops.ed.redo()


def undone_to_apply(_roles: Roles) -> None:
    """Undo what came after Apply: Blender keeps what it did before anything could follow it."""
    bpy.ops.ed.undo_push(message="row")
    select(*everything())
    applied(location=True, rotation=True, scale=True)()
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="later")
    bpy.ops.ed.undo()


def saved(_roles: Roles) -> None:
    path = str(Path(bpy.app.tempdir) / "step.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    bpy.ops.wm.open_mainfile(filepath=path)


def disabled_and_saved(target: str) -> Do:
    def run(roles: Roles) -> None:
        on(target, hidden("hide_viewport"))(roles)
        saved(roles)

    return run


def appended(*, link: bool, role: str = "all") -> Do:
    def run(roles: Roles) -> None:
        path = str(Path(bpy.app.tempdir) / "step.blend")
        chosen = [each.name for each in (everything() if role == "all" else [obj(roles, role)])]
        bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
        bpy.ops.wm.read_homefile(use_empty=True)
        with bpy.data.libraries.load(path, link=link) as (_source, target):
            target.objects = chosen
        for each in target.objects:
            if each is not None:
                bpy.context.scene.collection.objects.link(each)
        bpy.context.view_layer.update()

    return run


def scene_copied(kind: str) -> Do:
    return lambda _roles: bpy.ops.scene.new(type=kind)


def posed(do: Callable[[Any], object]) -> Do:
    """Return what does something to the armature of a row."""

    def run(roles: Roles) -> None:
        rig = obj(roles, "holder")
        if rig.type != "ARMATURE":
            raise RuntimeError("the row has no armature")
        select(rig)
        do(rig)

    return run


def bones(do: Callable[[Any], object]) -> Do:
    def run(rig: Any) -> None:
        bpy.ops.object.mode_set(mode="EDIT")
        do(rig.data.edit_bones)
        bpy.ops.object.mode_set(mode="OBJECT")

    return posed(run)


def rest_applied(rig: Any) -> None:
    rig.pose.bones["spine"].rotation_mode = "XYZ"
    rig.pose.bones["spine"].rotation_euler.x = 0.2
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.armature_apply()
    bpy.ops.object.mode_set(mode="OBJECT")


def rig_scaled(rig: Any) -> None:
    select(rig, *[each for each in rig.children if each.type == "MESH"])
    applied(scale=True)()


def with_joint(do: Callable[[Any], object]) -> Do:
    def run(roles: Roles) -> None:
        joint = obj(roles, "joint")
        if not joint.omi_joint.enabled:
            raise RuntimeError("the row has no joint of its own")
        select(joint)
        do(joint)

    return run


def limit(number: int, do: Callable[[], object]) -> Do:
    def run(joint: Any) -> None:
        owner = joint.omi_joint.settings_source or joint
        owner.omi_joint.active_limit = number
        do()

    return with_joint(run)


def operators() -> Iterator[Step]:
    """Yield the steps that this extension offers."""
    ops: Any = bpy.ops.omi
    yield Step("Move Limit Down", limit(0, lambda: ops.joint_limit_move(direction="DOWN")))
    yield Step("Move Limit Up", limit(1, lambda: ops.joint_limit_move(direction="UP")))
    yield Step("Remove First Limit", limit(0, ops.joint_limit_remove), OTHER | {KEYS})
    yield Step("Duplicate Limit", limit(0, ops.joint_limit_duplicate), OTHER | {KEYS, COUNT})
    yield Step(
        "Swap Joint Ends",
        with_joint(lambda _j: ops.joint_ends_swap()),
        ALL - {FRAMES, SETTINGS, KEYS, COUNT},
    )
    yield Step(
        "Apply Preset Slider",
        with_joint(lambda _j: ops.joint_preset_apply(preset="SLIDER")),
        OTHER | {KEYS},
    )
    yield Step("Link Settings", on("all", ops.joint_settings_link), OTHER)
    yield Step("Single-User Settings", with_joint(lambda _j: ops.joint_settings_unlink()))
    yield Step(
        "Scale Strength",
        with_joint(lambda _j: ops.joint_strength_scale(factor=0.7)),
        ALL - {SETTINGS},
    )
    yield Step(
        "Reverse Axis", with_joint(lambda _j: ops.joint_axis_reverse()), ALL - {FRAMES, SETTINGS}
    )
    yield Step("Align Frames", with_joint(lambda _j: ops.joint_frame_align()))
    yield Step(
        "Mirror Joints",
        with_joint(lambda _j: ops.joint_mirror(axis="X")),
        ALL - {COUNT, SOLIDS, FRAMES},
    )
    for kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "CONVEX", "GUESS"):
        fit = on("body", lambda kind=kind: ops.body_shape_fit(shape=kind))
        yield Step(f"Fit Shape {kind.title()}", fit, ALL - {SOLIDS})
    yield Step("Add Physics Body", on("pair", ops.body_add), ALL - {SOLIDS, COUNT})
    yield Step("Mass from Density", on("pair", ops.body_mass_from_density))
    yield Step("Inertia from Shape", on("body", ops.body_inertia_from_shape), ALL - {CENTERS})
    yield Step("Ragdoll Again", posed(lambda _rig: ops.ragdoll_add()))


def blenders() -> Iterator[Step]:
    """Yield the steps that Blender offers."""
    yield from _applied()
    yield from _origins()
    for role in ("body", "holder"):
        yield from _edits(role)
    yield from _parents()
    yield from _moves()
    yield from _copies()
    yield from _places()
    yield from _scenes()
    yield from _armatures()


def _applied() -> Iterator[Step]:
    for name in ("location", "rotation", "scale"):
        for target in ("body", "holder", "all"):
            yield Step(f"Apply {name.title()}: {target}", on(target, applied(**{name: True})))
    every = applied(location=True, rotation=True, scale=True)
    for target in ("body", "holder", "joint", "pair", "all"):
        yield Step(f"Apply All: {target}", on(target, every))
    for target in ("body", "all"):
        yield Step(f"Apply Visual: {target}", on(target, bpy.ops.object.visual_transform_apply))


def _origins() -> Iterator[Step]:
    kinds = ("GEOMETRY_ORIGIN", "ORIGIN_GEOMETRY", "ORIGIN_CURSOR", "ORIGIN_CENTER_OF_MASS")
    for kind in (*kinds, "ORIGIN_CENTER_OF_VOLUME"):
        holds = EDITED if kind == "GEOMETRY_ORIGIN" else ALL
        for target in ("body", "holder", "all"):
            name = f"{kind.replace('_', ' ').title()}: {target}"
            yield Step(name, on(target, origin(kind)), holds)


def _parents() -> Iterator[Step]:
    for target in ("body", "joint", "all"):
        yield Step(f"Parent: {target}", on(target, parent("PLAIN")))
        yield Step(f"Parent, Keep Transform: {target}", on(target, parent("KEEP")))
        clear = on(target, lambda: bpy.ops.object.parent_clear(type="CLEAR_KEEP_TRANSFORM"))
        yield Step(f"Clear Parent, Keep Transform: {target}", clear)


def _moves() -> Iterator[Step]:
    yield Step("Move: body", on("body", moved_by(location=(0.3, 0.1, 0.2))), MOVED)
    yield Step("Rotate: body", on("body", moved_by(rotation_euler=(0.1, 0.2, 0.3))), MOVED)
    yield Step("Move: joint", on("joint", moved_by(location=(0.03, 0.0, 0.02))), MOVED)
    yield Step("Rotate: joint", on("joint", moved_by(rotation_euler=(0.3, 0.1, 0.0))), MOVED)
    yield Step("Scale Twice: body", on("body", scaled((2.0, 2.0, 2.0))), MOVED)
    yield Step("Scale Unevenly: body", on("body", scaled((1.7, 0.6, 1.2))), MOVED)
    yield Step("Mirror: body", on("body", scaled((-1.0, 1.0, 1.0))), MOVED)
    yield Step("Mirror and Apply: body", on("body", _mirrored_and_applied), MOVED)
    yield Step("Scale Unevenly and Apply: body", on("body", _scaled_and_applied), MOVED)


def _mirrored_and_applied() -> None:
    scaled((-1.0, 1.0, 1.0))()
    applied(scale=True)()


def _scaled_and_applied() -> None:
    scaled((1.7, 0.6, 1.2))()
    applied(scale=True)()


def _edits(role: str) -> Iterator[Step]:
    resize = edited(lambda: bpy.ops.transform.resize(value=(1.7, 0.8, 1.2)))
    turn = edited(lambda: bpy.ops.transform.rotate(value=0.7, orient_axis="Z"))
    move = edited(lambda: bpy.ops.transform.translate(value=(0.4, 0.1, 0.0)))
    half = edited(
        lambda: bpy.ops.mesh.bisect(
            plane_co=bpy.context.object.matrix_world.translation,
            plane_no=(0, 0, 1),
            clear_outer=True,
            use_fill=True,
        )
    )
    cases = {
        "Scale All Vertices": resize,
        "Rotate All Vertices": turn,
        "Move All Vertices": move,
        "Bisect": half,
        "Move Some Vertices": some_vertices(far_vertices),
        "Subdivide": edited(bpy.ops.mesh.subdivide),
    }
    for name, do in cases.items():
        yield Step(f"{name}: {role}", on_mesh(role, do), EDITED)
    for kind in ("BEVEL", "ARRAY", "MIRROR", "SOLIDIFY", "SUBSURF"):
        added, shown = on_mesh(role, modifier(kind)), (("export_apply", True),)
        yield Step(f"Add {kind.title()}: {role}", added, EDITED, options=shown)
        done = on_mesh(role, modifier(kind, apply=True))
        yield Step(f"Apply {kind.title()}: {role}", done, EDITED)


def _copies() -> Iterator[Step]:
    for linked in (False, True):
        name = "Duplicate Linked" if linked else "Duplicate"
        for target in ("body", "pair", "all"):
            copy = on(
                target,
                lambda linked=linked: bpy.ops.object.duplicate("EXEC_DEFAULT", True, linked=linked),
            )
            yield Step(f"{name}: {target}", copy, COPIED, times=2)
    for target in ("body", "holder", "joint"):
        yield Step(f"Delete: {target}", on(target, bpy.ops.object.delete), frozenset({NAMED}))
        yield Step(f"Rename: {target}", on(target, renamed))
    yield Step("Join a Handle", joined, EDITED)
    yield Step("Join Both Bodies", joined_bodies, frozenset({NAMED}))
    yield Step("Separate: body", on_mesh("body", separated), EDITED - {COUNT})
    single = {"object": True, "obdata": True}
    for target in ("body", "all"):
        yield Step(
            f"Single User: {target}",
            on(target, lambda: bpy.ops.object.make_single_user(type="SELECTED_OBJECTS", **single)),
        )
        yield Step(
            f"Convert to Mesh: {target}", on(target, lambda: bpy.ops.object.convert(target="MESH"))
        )


def _places() -> Iterator[Step]:
    for target in ("body", "joint", "all"):
        yield Step(f"Other Collection: {target}", on(target, to_collection))
        yield Step(
            f"Exclude: {target}",
            on(target, excluded),
            frozenset({NAMED} if target != "all" else set()),
        )
        for name in ("hide_viewport", "hide_render"):
            yield Step(f"{name.replace('_', ' ').title()}: {target}", on(target, hidden(name)))
        yield Step(f"Hide Viewport, Save and Open: {target}", disabled_and_saved(target))


def _scenes() -> Iterator[Step]:
    for value in (0.01, 100.0):
        yield Step(f"Unit Scale {value:g}", scene_set("unit_settings.scale_length", value))
    yield Step("60 Frames a Second", scene_set("render.fps", 60), ALL)
    yield Step("Another Frame", lambda _r: bpy.context.scene.frame_set(17), ALL - {SETTINGS})
    yield Step("Undo", undone)
    yield Step("Undo and Redo", undone_and_redone)
    yield Step("Undo what Came After", undone_to_apply)
    yield Step("Save and Open", saved)
    yield Step("Append", appended(link=False))
    yield Step("Link", appended(link=True))
    for role in ("body", "joint"):
        alone = appended(link=False, role=role)
        yield Step(f"Append Alone: {role}", alone, frozenset({WHOLE}))
    for kind in ("LINK_COPY", "FULL_COPY"):
        yield Step(f"Scene {kind.replace('_', ' ').title()}", scene_copied(kind), ALL - {COUNT})


def _armatures() -> Iterator[Step]:
    yield Step("Apply Scale: rig and skin", posed(rig_scaled))
    yield Step("Apply Pose as Rest", posed(rest_applied), frozenset((SETTINGS, KEYS, COUNT)))
    yield Step("Rename Bone", bones(lambda each: setattr(each["arm.L"], "name", "other.L")))
    yield Step(
        "Lengthen Bone",
        bones(lambda each: setattr(each["head"], "tail", each["head"].tail * 1.1)),
        ALL - {FRAMES, SOLIDS, CENTERS},
    )
    yield Step("Delete Bone", bones(lambda each: each.remove(each["arm.L"])), frozenset({NAMED}))
    yield Step("Symmetrize", posed(_symmetrized), ALL - {COUNT})


def _symmetrized(_rig: Any) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.armature.select_all(action="SELECT")
    bpy.ops.armature.symmetrize()
    bpy.ops.object.mode_set(mode="OBJECT")


STEPS = [*blenders(), *operators()]
