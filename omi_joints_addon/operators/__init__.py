"""Operators, one folder per topic."""

from types import ModuleType

from .body import body, lists, mass
from .check import check
from .joint import add, constraint, ends, frame_place, limits, remove, select, settings
from .preview import bake, preview, rigid_body
from .preview import limits as preview_limits

MODULES: tuple[ModuleType, ...] = (
    body,
    lists,
    mass,
    check,
    add,
    ends,
    frame_place,
    limits,
    remove,
    select,
    settings,
    preview,
    bake,
    preview_limits,
    rigid_body,
    constraint,
)
