"""Redo panel: what can be adjusted after an operator ran is asked for its poll once more."""

import contextlib
from typing import Any

import bpy
import pytest
from adjustable import CASES, Case
from adjustable_scenes import clear

from omi_joints_addon import operators
from omi_joints_addon.classes import classes_of


def undoable() -> dict[str, Any]:
    """Return the operators that leave an undo step and a redo panel, by name."""
    return {
        cls.bl_idname.removeprefix("omi."): cls
        for module in operators.MODULES
        for cls in classes_of(module)
        if {"REGISTER", "UNDO"} <= getattr(cls, "bl_options", set())
        and "INTERNAL" not in cls.bl_options
    }


def shown_values(name: str) -> set[str]:
    """Return the values that the redo panel of an operator can show."""
    properties = getattr(bpy.ops.omi, name).get_rna_type().properties
    return {each.identifier for each in properties if not each.is_hidden} - {"rna_type"}


def run(case: Case, values: dict[str, Any]) -> Any:
    """Run an operator from where its case starts; return whether it can be adjusted afterwards."""
    clear()
    first = case.start() or {}
    bpy.context.view_layer.update()
    operator = getattr(bpy.ops.omi, case.name)
    with contextlib.suppress(RuntimeError):  # values that it refuses have an effect, too
        operator("EXEC_DEFAULT", **(first | values))
    return operator.poll()


@pytest.mark.parametrize(
    "case", [case for case in CASES if not case.needs_mouse], ids=lambda case: case.name
)
def test_every_value_has_an_effect_and_the_operator_can_be_adjusted_again(case: Case) -> None:
    """What a scenario does by the redo panel of a window, without one."""
    values: dict[str, Any] = {}
    for changed, effect in case.changes:
        assert run(case, values), f"{case.name} cannot be adjusted after it ran"
        before = effect()
        values |= changed
        run(case, values)
        assert effect() != before, f"{changed} has no effect"


def test_every_value_of_every_operator_with_undo_is_adjusted() -> None:
    adjusted: dict[str, set[str]] = {}
    for case in CASES:
        names = {name for changed, _ in case.changes for name in changed}
        adjusted.setdefault(case.name, set()).update(names | case.apart)
    wanted = {name: shown_values(name) for name in undoable()}
    assert {name: values for name, values in wanted.items() if values} == adjusted


def test_buttons_can_be_drawn_without_a_redraw() -> None:
    """Where a property has a callback, setting it for a button draws the window, without end."""
    for module in operators.MODULES:
        for cls in classes_of(module):
            kinds = [vars(each).get("__annotations__", {}) for each in cls.__mro__[:-1]]
            properties = {name: each for kind in kinds for name, each in kind.items()}
            found = [name for name, each in properties.items() if "update" in _keywords(each)]
            assert not found, cls.__name__


def _keywords(declared: Any) -> dict[str, Any]:
    return getattr(declared, "keywords", {})


def test_operators_are_named_after_their_folder_or_file() -> None:
    for module in operators.MODULES:
        folder, file = module.__name__.split(".")[-2:]
        for cls in classes_of(module):
            if not cls.__name__.startswith("OMI_OT"):
                continue
            name = cls.bl_idname.removeprefix("omi.")
            assert name == file or name.startswith(f"{folder}_"), module.__name__
            assert cls.__name__ == "OMI_OT_" + cls.bl_idname.removeprefix("omi.")
