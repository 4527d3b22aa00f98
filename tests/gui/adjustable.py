"""What each value of each operator changes: for the redo panel in a window, and for scripts.

Runs inside desktop Blender without pytest, and in tests of Blender as a module.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy

Effect = Callable[[], Any]
_ROBOT = Path(tempfile.gettempdir()) / "omi-adjustable"


@dataclass(frozen=True)
class Case:
    """One operator: what to start from, and values one after the other with what each changes."""

    name: str
    start: Callable[[], dict[str, Any] | None]
    """Makes a scene, and may return values to run with."""
    changes: list[tuple[dict[str, Any], Effect]]
    is_invoked: bool = True
    """Whether a button invokes it without asking for a name or a file first."""
    needs_mouse: bool = False
    """Whether it looks at what is below the mouse."""
    apart: frozenset[str] = field(default_factory=frozenset)
    """Values that the redo panel does not show."""


def joints() -> list[Any]:
    """Return the joints of the scene."""
    return [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]


def clear() -> None:
    """Remove all objects."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)


def bodies(*names: str) -> None:
    """Make cubes in a row, all selected, the first one active."""
    for number, name in enumerate(names or ("Wall", "Door")):
        bpy.ops.mesh.primitive_cube_add(location=(3.0 * number - 1.5, 0.0, 0.0))
        bpy.context.object.name = name
    _select(*(names or ("Wall", "Door")))


def _select(*names: str) -> None:
    """Select objects, the first one active."""
    for obj in bpy.context.scene.objects:
        obj.select_set(obj.name in names)
    bpy.context.view_layer.objects.active = bpy.data.objects[names[0]]


def _many() -> dict[str, Any]:
    """Make five bodies; distance, name and nearness order three of them differently."""
    bodies("Beam", "C", "A", "B", "D")
    for name, place in (
        ("C", (2.5, 0.0, 0.0)),
        ("A", (5.0, 0.0, 0.0)),
        ("B", (-4.0, 0.0, 0.0)),
        ("D", (0.0, 4.5, 0.0)),
    ):
        bpy.data.objects[name].location = place
    bpy.data.objects["Beam"].location = (0.0, 0.0, 0.0)
    bpy.data.objects["A"].rotation_euler.x = 0.3
    return {"preset": "HINGE", "pattern": "EACH_TO_ACTIVE"}


def _hinge() -> None:
    bodies()
    bpy.data.objects["Door"].rotation_euler = (0.4, 0.2, 0.1)
    bpy.ops.omi.joint_add(preset="HINGE")
    bpy.context.scene.cursor.location = (0.3, 0.2, 0.1)
    bpy.context.scene.cursor.rotation_euler = (0.5, 0.4, 0.3)


def _rope() -> None:
    bodies("Beam", "One", "Two", "Three")
    bpy.ops.omi.joint_add(preset="PIN", pattern="CHAIN")
    _select(joints()[0].name)


def _motor() -> None:
    bodies()
    bpy.ops.omi.joint_add(preset="HINGE_MOTOR")
    bpy.ops.omi.joint_drive_add()
    bpy.ops.omi.joint_drive_add()
    bpy.context.object.omi_joint.active_drive = 1


def _middle_limit() -> None:
    _hinge()
    bpy.context.object.omi_joint.active_limit = 1


def _apart() -> None:
    _hinge()
    bpy.context.object.omi_joint.connected_object.location.x += 0.4


def _turned() -> None:
    bodies()
    bpy.ops.omi.joint_add(preset="POSITION_SERVO", min_angle=-1.0, max_angle=1.0)
    bpy.data.objects["Door"].rotation_euler.z = 0.3
    bpy.context.view_layer.update()


def _animated() -> None:
    _hinge()
    door = bpy.data.objects["Door"]
    for frame, angle in ((1, 0.0), (5, 0.9), (10, 0.5)):
        door.rotation_euler.z = angle
        door.keyframe_insert("rotation_euler", frame=frame)
    bag = door.animation_data.action.layers[0].strips[0].channelbags[0]
    for curve in bag.fcurves:
        for point in curve.keyframe_points:
            point.select_control_point = point.co.x != 5.0


def _mirrored() -> None:
    _hinge()
    bpy.data.objects["Door"].name = "Door.L"
    bpy.ops.mesh.primitive_cube_add(location=(-6.0, 0.0, 0.0))
    bpy.context.object.name = "Door.R"
    bpy.ops.object.empty_add(location=(0.0, 2.0, 0.0), rotation=(0.0, 0.0, 0.7))
    bpy.context.object.name = "Plane"
    _select(joints()[0].name)


def _upright() -> None:
    """Make a hinge about the joint's X axis, which Godot's importer cannot build."""
    _hinge()
    limits = bpy.context.object.omi_joint.limits
    for limit, axes in zip(list(limits)[1:], ((1, 2), (0,)), strict=True):
        limit.angular_axes = [axis in axes for axis in range(3)]


def _shape() -> None:
    bodies()
    bpy.ops.omi.body_add()


def _constraint() -> None:
    bodies()
    for name in ("Wall", "Door"):
        bpy.context.view_layer.objects.active = bpy.data.objects[name]
        bpy.ops.rigidbody.object_add()
    bpy.ops.object.empty_add()
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    held = bpy.context.object.rigid_body_constraint
    held.object1, held.object2 = bpy.data.objects["Wall"], bpy.data.objects["Door"]


def _robot() -> dict[str, Any]:
    """Write a robot whose mesh is in a package elsewhere, and whose joint has a bare limit."""
    for name in ("robo", "away"):
        (_ROBOT / name).mkdir(parents=True, exist_ok=True)
    box = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (_ROBOT / "robo" / "box.obj").write_text(box, encoding="utf-8")
    mass = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial>"
    )
    mesh = '<visual><geometry><mesh filename="package://robo/box.obj"/></geometry></visual>'
    path = _ROBOT / "away" / "robot.urdf"
    path.write_text(
        f'<robot name="r"><link name="base">{mass}{mesh}</link><link name="arm">{mass}</link>'
        '<joint name="j" type="revolute"><parent link="base"/><child link="arm"/>'
        '<axis xyz="0 0 1"/><limit effort="1" velocity="1"/></joint></robot>',
        encoding="utf-8",
    )
    return {"filepath": str(path)}


def _mujoco() -> dict[str, Any]:
    """Write a model with a floor and a body on two hinges."""
    _ROBOT.mkdir(parents=True, exist_ok=True)
    path = _ROBOT / "model.xml"
    path.write_text(
        '<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="b">'
        '<joint name="one" axis="1 0 0"/><joint name="two" axis="0 1 0"/><geom size="1"/></body>'
        "</worldbody></mujoco>",
        encoding="utf-8",
    )
    return {"filepath": str(path)}


def _shift() -> dict[str, Any]:
    """Write a model whose gravity points up."""
    _ROBOT.mkdir(parents=True, exist_ok=True)
    path = _ROBOT / "model.json"
    ends = '"body_frame_pairs": [["fixed", "origin"], ["b", "origin"]]'
    path.write_text(
        '{"model_parameters": {"version": "0.2", "gravity": [0, 0, 9.81]}, "fixed": {},'
        '"assemblies": [{"name": "A", "bodies": [{"name": "b", "mass": 1}], "joints": '
        f'[{{"name": "j", "type": "Rz", "initial_displacement": 0.5, {ends}}}]}}]}}',
        encoding="utf-8",
    )
    return {"filepath": str(path)}


def places() -> Any:
    """Return where all objects are."""
    bpy.context.view_layer.update()
    return sorted(
        (obj.name, *(round(v, 4) for row in obj.matrix_world for v in row))
        for obj in bpy.context.scene.objects
    )


def settings() -> Any:
    """Return what all joints allow."""
    return [str(joint.omi_joint.settings_to_core()) for joint in joints()]


def _ends() -> Any:
    """Return which bodies are connected."""
    return sorted(
        (joint.parent.name, joint.omi_joint.connected_object.parent.name) for joint in joints()
    )


def _sources() -> Any:
    return [joint.omi_joint.settings_source is not None for joint in joints()]


def _selected() -> Any:
    return sorted(obj.name for obj in bpy.context.selected_objects)


def _collide() -> Any:
    return [joint.omi_joint.enable_collision for joint in joints()]


def _orders() -> Any:
    joint = joints()[0].omi_joint
    lists = [[str(item.to_core()) for item in items] for items in (joint.limits, joint.drives)]
    return lists, joint.active_limit, joint.active_drive


def _body_values() -> Any:
    return [
        (obj.name, obj.omi_body.motion_type, obj.omi_body.mass, obj.omi_body.collider.shape.type)
        for obj in bpy.context.scene.objects
    ]


def _names() -> Any:
    return sorted(obj.name for obj in bpy.context.scene.objects)


def _parents() -> Any:
    return sorted((obj.name, str(obj.parent)) for obj in bpy.context.scene.objects)


def _meshes() -> Any:
    return sum(obj.type == "MESH" for obj in bpy.context.scene.objects)


def _keys() -> Any:
    action = bpy.data.objects["Door"].animation_data
    return tuple(action.action.frame_range) if action and action.action else None


def _presets() -> Any:
    folders = bpy.utils.preset_paths("omi_joint")
    return sorted(path.name for folder in folders for path in Path(folder).glob("*.json"))


_PARAMETERS: list[tuple[dict[str, Any], Effect]] = [
    ({"preset": "SLIDER"}, settings),
    ({"min_distance": -0.1}, settings),
    ({"max_distance": 0.9}, settings),
    ({"use_range": False}, settings),
    ({"preset": "PLANAR", "use_range": True, "radius": 2.0}, settings),
    ({"preset": "BALL_WITH_CONE", "cone": 0.3}, settings),
    ({"twist": 0.2}, settings),
    ({"preset": "SUSPENSION_SPRING", "travel": 0.3}, settings),
    ({"stiffness": 5.0}, settings),
    ({"damping": 3.0}, settings),
    ({"position_distance": 0.05}, settings),
    ({"preset": "HINGE_MOTOR", "velocity_target": 1.0}, settings),
    ({"max_force": 7.0}, settings),
    ({"preset": "POSITION_SERVO", "position_angle": 0.4}, settings),
    ({"min_angle": -0.3}, settings),
    ({"max_angle": 0.8}, settings),
]

CASES = [
    Case(
        "joint_add",
        bodies,
        [
            ({"axis": "Y"}, places),
            ({"use_reverse": True}, places),
            ({"axis": "FACE", "use_reverse": False}, places),
            ({"pivot": "ACTIVE"}, places),
            ({"enable_collision": True}, _collide),
            *_PARAMETERS,
        ],
    ),
    Case(
        "joint_add",
        _many,
        [
            ({"share_settings": True}, _sources),
            ({"axis": "Z"}, places),
            ({"axis_space": "LOCAL"}, places),
            ({"pattern": "CHAIN"}, _ends),
            ({"chain_order": "NAME"}, _ends),
            ({"use_ring": True}, _ends),
        ],
    ),
    Case(
        "joint_axis_set",
        _hinge,
        [
            ({"axis": "X"}, places),
            ({"use_reverse": True}, places),
            ({"axis_space": "CURSOR"}, places),
        ],
    ),
    Case(
        "joint_mirror",
        _mirrored,
        [
            ({"axis": "Y"}, places),
            ({"space": "OBJECT", "axis": "X"}, places),
            ({"object_name": "Plane"}, places),
            ({"use_names": False}, _names),
        ],
    ),
    Case("joint_frame_align", _apart, [({"end": "JOINT"}, places)]),
    Case(
        "joint_frame_snap",
        _hinge,
        [({"end": "CONNECTED"}, places), ({"use_rotation": True}, places)],
    ),
    Case(
        "joint_frame_place",
        _hinge,
        [
            ({"end": "CONNECTED"}, places),
            ({"element": "EDGE"}, places),
            ({"element": "FACE"}, places),
            ({"use_rotation": True}, places),
        ],
        needs_mouse=True,
    ),
    Case("joint_preset_apply", _hinge, _PARAMETERS),
    Case("joint_limit_move", _middle_limit, [({"direction": "DOWN"}, _orders)]),
    Case("joint_drive_move", _motor, [({"direction": "DOWN"}, _orders)]),
    Case(
        "joint_limit_from_pose",
        _turned,
        [({"part": "MAX"}, settings), ({"part": "TARGET"}, settings)],
    ),
    Case("joint_bodies_select", _hinge, [({"extend": True}, _selected)]),
    Case("joint_connected_select", _rope, [({"extend_chain": True}, _selected)]),
    Case("joint_portable_make", _upright, [({"engine": "KHR"}, places)]),
    Case(
        "joint_limits_fit",
        _animated,
        [
            ({"margin": 0.3}, settings),
            ({"distance_margin": 0.2}, settings),
            ({"keys_only": True}, settings),
            ({"form": "CONE"}, settings),
            ({"cone_axis": "Z"}, settings),
        ],
    ),
    Case("joint_preset_save", _hinge, [({"name": "Adjusted"}, _presets)], is_invoked=False),
    Case(
        "body_add",
        bodies,
        [({"motion_type": "STATIC"}, _body_values), ({"shape": "SPHERE"}, _body_values)],
    ),
    Case("body_shape_fit", _shape, [({"shape": "CAPSULE"}, _body_values)]),
    Case("body_mass_from_density", _shape, [({"density": 10.0}, _body_values)]),
    Case("rigid_body_constraint_convert", _constraint, [({"keep_constraints": True}, places)]),
    Case("preview_bake", _hinge, [({"frames": 5}, _keys), ({"frames": 9}, _keys)]),
    Case(
        "scene_import",
        _robot,
        [
            ({"base": "fixed"}, _body_values),
            ({"nested": True}, _parents),
            ({"bare_limits": "free"}, settings),
            ({"packages": f"robo={_ROBOT / 'robo'}"}, _meshes),
        ],
        is_invoked=False,
        apart=frozenset(("filepath",)),
    ),
    Case(
        "scene_import",
        _mujoco,
        [({"stacked": "combine"}, _names), ({"planes": "box"}, _body_values)],
        is_invoked=False,
        apart=frozenset(("filepath",)),
    ),
    Case(
        "scene_import",
        _shift,
        [({"turn": "keep"}, places)],
        is_invoked=False,
        apart=frozenset(("filepath",)),
    ),
]
