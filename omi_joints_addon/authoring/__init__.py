"""What can be done to joints and bodies in Blender, as plain functions: the Python API.

A room (`rooms.py`): `authoring.joints.add_joint(...)` loads `joints` when it is first used.
"""

from typing import TYPE_CHECKING

from .. import rooms

if TYPE_CHECKING:
    from . import (
        active_ragdoll,
        applied,
        axes,
        beside,
        bodies,
        bone_bodies,
        bone_pairs,
        build,
        build_meshes,
        conditions,
        constraints,
        context,
        copies,
        documents,
        elements,
        ends,
        fixes,
        following,
        frames,
        joint_curves,
        joint_tracks,
        joints,
        loops,
        mirror,
        nesting,
        own_presets,
        patterns,
        pivot_pairs,
        pivots,
        portable,
        profiles,
        programs,
        ragdoll,
        ragdoll_parts,
        removal,
        report,
        rigid_body_preview,
        rigid_body_world,
        selection,
        self_collisions,
        sharing,
        skins,
        stiffness,
        symmetry,
        turning,
    )

__getattr__ = rooms.loader(__name__)
