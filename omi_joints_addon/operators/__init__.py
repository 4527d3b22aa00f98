"""Operators, one folder per topic."""

from types import ModuleType

from .body import body, following, lists, mass, nesting, pairs
from .check import check
from .exchange import example_add, positions_import, scene_export, scene_import, usd_layer_export
from .joint import (
    add,
    axis,
    bodies,
    chain,
    clipboard,
    ends,
    limits,
    limits_from_pose,
    loops,
    mirror,
    own_presets,
    portable,
    profiles,
    remove,
    select,
    settings,
    stiffness,
    table,
)
from .preview import bake, pose, preview, sliders
from .ragdoll import active, ragdoll
from .rigid_body import constraint
from .rigid_body import preview as rigid_body_preview

MODULES: tuple[ModuleType, ...] = (
    body,
    following,
    lists,
    mass,
    nesting,
    pairs,
    active,
    ragdoll,
    check,
    add,
    axis,
    bodies,
    chain,
    clipboard,
    ends,
    limits,
    limits_from_pose,
    loops,
    mirror,
    own_presets,
    portable,
    profiles,
    remove,
    select,
    settings,
    stiffness,
    table,
    preview,
    sliders,
    pose,
    bake,
    rigid_body_preview,
    constraint,
    scene_import,
    example_add,
    positions_import,
    scene_export,
    usd_layer_export,
)
