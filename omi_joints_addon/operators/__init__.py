"""Operators, one folder per topic."""

from types import ModuleType

from .body import body, lists, mass, nesting
from .check import check
from .exchange import scene_export, scene_import
from .joint import (
    add,
    axis,
    ends,
    frame_place,
    limits,
    limits_from_pose,
    mirror,
    portable,
    remove,
    select,
    settings,
)
from .preview import bake, preview
from .rigid_body import constraint
from .rigid_body import preview as rigid_body_preview

MODULES: tuple[ModuleType, ...] = (
    body,
    lists,
    mass,
    nesting,
    check,
    add,
    axis,
    ends,
    frame_place,
    limits,
    limits_from_pose,
    mirror,
    portable,
    remove,
    select,
    settings,
    preview,
    bake,
    rigid_body_preview,
    constraint,
    scene_import,
    scene_export,
)
