"""A stand-in for UILayout that records what is drawn and refuses what Blender only complains about.

Checks names of properties, operators, icons, and functions with their parameters.
"""

from typing import Any

import bpy

_LAYOUT = bpy.types.UILayout.bl_rna
_ICONS = _LAYOUT.functions["label"].parameters["icon"].enum_items


class RecordingLayout:
    """Records calls as tuples: ("prop", name), ("operator", idname), ("label", text)."""

    def __init__(self, drawn: list[tuple[str, str]] | None = None) -> None:
        self.__dict__["drawn"] = [] if drawn is None else drawn

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _LAYOUT.properties:
            raise AttributeError(f"UILayout has no property {name!r}")

    def __getattr__(self, name: str) -> Any:
        if name in _LAYOUT.properties:
            return True
        if name not in _LAYOUT.functions:
            raise AttributeError(f"UILayout has no function {name!r}")

        def call(*arguments: Any, **named: Any) -> Any:
            known = _LAYOUT.functions[name].parameters
            if unknown := named.keys() - known.keys():
                raise TypeError(f"UILayout.{name} has no parameters {unknown}")
            if "icon" in named and named["icon"] not in _ICONS:
                raise TypeError(f"there is no icon {named['icon']!r}")
            return getattr(self, f"_{name}", self._nested)(*arguments, **named)

        return call

    def _nested(self, *_arguments: Any, **_named: Any) -> "RecordingLayout":
        return RecordingLayout(self.drawn)

    def _panel(self, *_arguments: Any, **_named: Any) -> tuple[Any, Any]:
        return self._nested(), self._nested()

    def _label(self, *, text: str = "", **_named: Any) -> None:
        assert text == "" or not text.endswith("."), text
        self.drawn.append(("label", text))

    def _prop(self, data: Any, name: str, **named: Any) -> None:
        if name not in data.bl_rna.properties:
            raise AttributeError(f"{data.bl_rna.identifier} has no property {name!r}")
        self.drawn.append(("prop", name))

    def _prop_search(self, data: Any, name: str, among: Any, names: str, **_named: Any) -> None:
        self._prop(data, name)
        assert names in among.bl_rna.properties

    def _operator(self, idname: str, **_named: Any) -> Any:
        module, name = idname.split(".")
        properties = getattr(getattr(bpy.ops, module), name).get_rna_type().properties
        self.drawn.append(("operator", idname))
        return _OperatorProperties(idname, properties)

    def _operator_menu_enum(self, idname: str, name: str, **named: Any) -> Any:
        properties = self._operator(idname)
        assert name in properties.known
        return properties

    def _menu(self, name: str, **_named: Any) -> None:
        assert hasattr(bpy.types, name), name
        self.drawn.append(("menu", name))

    def _template_list(
        self, name: str, _id: str, data: Any, items: str, active: Any, index: str, **_named: Any
    ) -> None:
        assert hasattr(bpy.types, name), name
        for group, prop in ((data, items), (active, index)):
            assert prop in group.bl_rna.properties, prop
        self.drawn.append(("list", name))
        drawer = list_drawer(name)
        for number, item in enumerate(getattr(data, items)):
            drawer.draw_item(bpy.context, self._nested(), data, item, 0, active, index, number)
            if number == 20:
                break


def list_drawer(name: str) -> Any:
    """Return a list by its name that draws without a window."""
    kind = getattr(bpy.types, name)
    shared = tuple(cls for cls in kind.__bases__ if cls is not bpy.types.UIList)
    return type(name, shared, dict(vars(kind)))()


class _OperatorProperties:
    def __init__(self, idname: str, known: Any) -> None:
        self.__dict__.update(idname=idname, known=known)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.known:
            raise AttributeError(f"{self.idname} has no property {name!r}")
        prop = self.known[name]
        if prop.type == "ENUM":
            assert value in prop.enum_items, value


def drawn(cls: Any, *, layout: Any = None) -> list[tuple[str, str]]:
    """Return what a panel, menu or operator class draws now; fails where its poll does."""
    layout = layout or RecordingLayout()
    assert not hasattr(cls, "poll") or cls.poll(bpy.context)
    instance = type(cls.__name__, (), dict(_members(cls)))()
    instance.layout = layout
    if hasattr(cls, "draw_header"):
        instance.draw_header(bpy.context)
    instance.draw(bpy.context)
    return layout.drawn


def _members(cls: Any) -> list[tuple[str, Any]]:
    """Return the Python members of a class and its bases, without Blender's own types."""
    return [
        (name, member)
        for base in reversed(cls.__mro__)
        if not base.__module__.startswith("bpy") and base is not object
        for name, member in vars(base).items()
        if not name.startswith("__")
    ]
