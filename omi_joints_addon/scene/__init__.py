"""The live view of a Blender scene: read once, kept up to date by what changes."""

from types import ModuleType
from typing import TYPE_CHECKING

from .. import rooms
from . import data_version, watch

if TYPE_CHECKING:
    from . import (
        animation,
        body_findings,
        body_tracks,
        bone_leaders,
        check_rows,
        checks,
        columns,
        constraints,
        copied,
        dependence,
        disabled,
        documents,
        ends,
        engine_checks,
        findings,
        frame_findings,
        joint_keys,
        joint_rows,
        joint_tracks,
        keyed_bodies,
        listing,
        live,
        nodes,
        partial,
        pending,
        posed,
        preview_poses,
        reading,
        record,
        rigid_body_findings,
        rules,
        shown,
        solid_scene,
        solids,
        structure,
        updates,
        volumes,
        windows,
        witness,
        work,
    )

MODULES: tuple[ModuleType, ...] = (data_version, watch)

__getattr__ = rooms.loader(__name__)
