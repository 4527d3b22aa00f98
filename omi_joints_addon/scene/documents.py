"""Which objects of a scene stand for which elements of the text that they were imported from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import bpy

from ..core.model.origins import origins_of
from ..properties.body import body_data
from ..properties.document import Origin, is_as_imported, origin_of, text_of


@dataclass(frozen=True, slots=True)
class Ties:
    """How objects belong to a text, by their numbers among the objects that were asked for."""

    origins: Mapping[int, Origin]
    """Of those that stand for an element."""
    copies: Mapping[int, Origin]
    """Of copies of those, which stand for nothing in the text."""
    names: Mapping[int, str]
    """Names that the text has, of objects that were not renamed."""
    remeshed: frozenset[int]
    """Those whose meshes were edited."""


def collections_with_text(top: bpy.types.Collection) -> list[bpy.types.Collection]:
    """Return a collection and those below it that were imported from a text."""
    return [each for each in (top, *top.children_recursive) if text_of(each) is not None]


def objects_of(
    objects: Sequence[bpy.types.Object], names: Sequence[str]
) -> dict[int, bpy.types.Object]:
    """Return the objects that stand for nodes of a text, by the numbers of the nodes.

    One that was renamed in the text as well is found by its name.
    """
    ties = ties_of(objects)
    by_key = {origin.key: objects[number] for number, origin in ties.origins.items()}
    by_name = {obj.name: obj for obj in by_key.values()}
    found: dict[int, bpy.types.Object] = {}
    for node, key in enumerate(origins_of(names)):
        obj = by_key.get(key) or by_name.get(names[node])
        if obj is not None and obj not in found.values():
            found[node] = obj
    return found


def ties_of(objects: Sequence[bpy.types.Object]) -> Ties:
    """Return how objects belong to the text of one import."""
    found = {n: origin for n, obj in enumerate(objects) if (origin := origin_of(obj)) is not None}
    owners: dict[str, int] = {}
    for number, origin in sorted(found.items(), key=lambda item: _rank(objects[item[0]], item[1])):
        owners.setdefault(origin.key, number)
    own = set(owners.values())
    return Ties(
        origins={number: found[number] for number in sorted(own)},
        copies={number: origin for number, origin in found.items() if number not in own},
        names={
            number: origin.name
            for number, origin in found.items()
            if number in own and origin.is_name(objects[number].name)
        },
        remeshed=frozenset(number for number in found if _is_remeshed(objects[number])),
    )


def _rank(obj: bpy.types.Object, origin: Origin) -> int:
    """Return 0 for the object that was made first, more for what look like its copies."""
    if obj.name == origin.given:
        return 0
    return 1 if origin.is_name(obj.name) else 2


def _is_remeshed(obj: bpy.types.Object) -> bool:
    if any(modifier.show_viewport for modifier in obj.modifiers):
        return True
    return any(not is_as_imported(mesh) for mesh in _meshes(obj))


def _meshes(obj: bpy.types.Object) -> Iterator[bpy.types.Mesh]:
    if isinstance(obj.data, bpy.types.Mesh):
        yield obj.data
    mesh = body_data(obj).collider.shape.mesh
    if mesh is not None:
        yield mesh
