"""What each value of each operator changes: for the redo panel in a window, and for scripts.

Runs inside desktop Blender without pytest, and in tests of Blender as a module.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from adjustable_scenes import (
    ROBOT,
    alone,
    animated,
    apart,
    bodies,
    body_values,
    bone_values,
    bony,
    clashing,
    collide,
    constraint,
    drives,
    ends,
    hinge,
    imported,
    limits,
    many,
    meshes,
    middle_limit,
    mirrored,
    motor,
    mujoco,
    names,
    orders,
    parents,
    passed,
    places,
    presets,
    profiles,
    ragdoll,
    rigged,
    robot,
    rope,
    selected,
    settings,
    shape,
    shift,
    sources,
    turned,
    upright,
    walking,
)

Effect = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """One operator: what to start from, and values one after the other with what each changes."""

    name: str
    start: Callable[[], dict[str, Any] | None]
    """Makes a scene, and may return values to run with."""
    changes: list[tuple[dict[str, Any], Effect]]
    is_invoked: bool = True
    """Whether a button invokes it without asking for a name or a file first."""
    needs_mujoco: bool = False
    """Whether it works only where the extension came with MuJoCo."""
    needs_mouse: bool = False
    """Whether it looks at what is below the mouse."""
    apart: frozenset[str] = field(default_factory=frozenset)
    """Values that the redo panel does not show."""


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
            ({"enable_collision": True}, collide),
            ({"shape": "CONVEX"}, body_values),
            ({"use_density": True}, body_values),
            ({"density": 600.0}, body_values),
            ({"holder": "DYNAMIC"}, body_values),
            *_PARAMETERS,
        ],
    ),
    Case(
        "joint_add",
        many,
        [
            ({"share_settings": True}, sources),
            ({"axis": "Z"}, places),
            ({"axis_space": "LOCAL"}, places),
            ({"pattern": "CHAIN"}, ends),
            ({"chain_order": "NAME"}, ends),
            ({"use_ring": True}, ends),
        ],
    ),
    Case("joint_add", alone, [({"use_nearest": True}, ends)]),
    Case(
        "joint_axis_set",
        hinge,
        [
            ({"axis": "X"}, places),
            ({"use_reverse": True}, places),
            ({"axis_space": "CURSOR"}, places),
        ],
    ),
    Case(
        "joint_mirror",
        mirrored,
        [
            ({"axis": "Y"}, places),
            ({"space": "OBJECT", "axis": "X"}, places),
            ({"object_name": "Plane"}, places),
            ({"use_names": False}, names),
        ],
    ),
    Case("joint_frame_align", apart, [({"end": "JOINT"}, places)]),
    Case(
        "joint_frame_snap",
        hinge,
        [({"end": "CONNECTED"}, places), ({"use_rotation": True}, places)],
    ),
    Case(
        "joint_frame_place",
        hinge,
        [
            ({"end": "CONNECTED"}, places),
            ({"element": "EDGE"}, places),
            ({"element": "FACE"}, places),
            ({"use_rotation": True}, places),
        ],
        needs_mouse=True,
    ),
    Case("joint_preset_apply", hinge, _PARAMETERS),
    Case("joint_limit_move", middle_limit, [({"direction": "DOWN"}, orders)]),
    Case("joint_drive_move", motor, [({"direction": "DOWN"}, orders)]),
    Case(
        "joint_limit_from_pose",
        turned,
        [({"part": "MAX"}, settings), ({"part": "TARGET"}, settings)],
    ),
    Case("joint_strength_scale", motor, [({"factor": 0.5}, settings)]),
    Case("joint_bodies_select", hinge, [({"extend": True}, selected)]),
    Case("joint_connected_select", rope, [({"extend_chain": True}, selected)]),
    Case("joint_portable_make", upright, [({"engine": "KHR"}, places)]),
    Case(
        "joint_limits_fit",
        animated,
        [
            ({"margin": 0.3}, settings),
            ({"distance_margin": 0.2}, settings),
            ({"keys_only": True}, settings),
            ({"form": "CONE"}, settings),
            ({"cone_axis": "Z"}, settings),
        ],
    ),
    Case("joint_limits_fit", walking, [({"all_actions": True}, settings)]),
    Case("joint_profile_store", hinge, [({"name": "Adjusted"}, profiles)], is_invoked=False),
    Case("joint_preset_save", hinge, [({"name": "Adjusted"}, presets)], is_invoked=False),
    Case(
        "body_add",
        bodies,
        [({"motion_type": "STATIC"}, body_values), ({"shape": "SPHERE"}, body_values)],
    ),
    Case("body_bone_add", bony, [({"motion_type": "KINEMATIC"}, bone_values)]),
    Case(
        "ragdoll_add",
        rigged,
        [
            ({"bones": "ALL"}, bone_values),
            ({"shape": "BOX"}, bone_values),
            ({"symmetry": "R"}, bone_values),
            ({"smallest": 0.5}, bone_values),
            ({"mass": 10.0}, bone_values),
            ({"use_shares": False}, bone_values),
            ({"use_filters": False}, bone_values),
            ({"limits": "ACTION"}, limits),
            ({"use_beside": True}, bone_values),
            ({"use_springs": True}, drives),
        ],
    ),
    Case(
        "ragdoll_activate",
        ragdoll,
        [
            ({"frequency": 2.0}, drives),
            ({"damping_ratio": 0.5}, drives),
            ({"use_animated_root": False}, drives),
        ],
    ),
    Case(
        "joint_stiffness_set",
        walking,
        [({"stiffness": "HELD"}, drives), ({"scope": "ALL"}, drives)],
    ),
    Case(
        "body_pairs_find",
        clashing,
        [
            ({"use_always": False}, passed),
            ({"use_rest": False}, passed),
            ({"use_never": True}, passed),
            ({"samples": 10}, passed),
        ],
        needs_mujoco=True,
    ),
    Case("body_shape_fit", shape, [({"shape": "CAPSULE"}, body_values)]),
    Case("body_mass_from_density", shape, [({"density": 10.0}, body_values)]),
    Case("rigid_body_constraint_convert", constraint, [({"keep_constraints": True}, places)]),
    Case(
        "scene_import",
        robot,
        [
            ({"base": "fixed"}, body_values),
            ({"nested": True}, parents),
            ({"bare_limits": "free"}, settings),
            ({"packages": f"robo={ROBOT / 'robo'}"}, meshes),
        ],
        is_invoked=False,
        apart=frozenset(("filepath",)),
    ),
    Case(
        "scene_import",
        imported,
        [({"again": "DISCARD"}, places), ({"again": "NEW"}, names)],
        is_invoked=False,
        apart=frozenset(("filepath",)),
    ),
    Case(
        "scene_import",
        mujoco,
        [({"stacked": "combine"}, names), ({"planes": "box"}, body_values)],
        is_invoked=False,
        apart=frozenset(("filepath",)),
    ),
    Case(
        "scene_import",
        shift,
        [({"turn": "keep"}, places)],
        is_invoked=False,
        apart=frozenset(("filepath",)),
    ),
]
