"""Colors of meshes by their materials."""

from ....core.model.mesh import Visual
from ....core.model.plain import JsonObject
from .document_nodes import objects_of

_WHITE = (1.0, 1.0, 1.0, 1.0)


def looks_of_meshes(document: JsonObject, count: int) -> list[Visual]:
    """Return color and material of the first `count` meshes: those of their first primitives.

    The base color is linear; a texture is named by its image.
    """
    materials = objects_of(document, "materials", [])
    meshes = objects_of(document, "meshes", [])
    found = [_look(document, materials, mesh) for mesh in meshes[:count]]
    return found + [Visual()] * (count - len(found))


def _look(document: JsonObject, materials: list[JsonObject], mesh: JsonObject) -> Visual:
    primitives = mesh.get("primitives")
    first = primitives[0] if isinstance(primitives, list) and primitives else {}
    number = first.get("material") if isinstance(first, dict) else None
    if type(number) is not int or not 0 <= number < len(materials):
        return Visual()
    material = materials[number]
    surface = material.get("pbrMetallicRoughness")
    surface = surface if isinstance(surface, dict) else {}
    name = material.get("name")
    return Visual(
        color=_color(surface.get("baseColorFactor", _WHITE)),
        material=name if isinstance(name, str) else "",
        texture=_texture(document, surface.get("baseColorTexture")),
    )


def _color(value: object) -> tuple[float, float, float, float]:
    parts = [*value] if isinstance(value, list | tuple) else []
    if len(parts) != 4 or not all(type(part) in (int, float) and 0 <= part <= 1 for part in parts):
        return _WHITE
    red, green, blue, alpha = map(float, parts)
    return red, green, blue, alpha


def _texture(document: JsonObject, info: object) -> str:
    """Return the name of the image of a texture, its file or else its own name; empty for none."""
    textures, images = (objects_of(document, name, []) for name in ("textures", "images"))
    number = info.get("index") if isinstance(info, dict) else None
    if type(number) is not int or not 0 <= number < len(textures):
        return ""
    source = textures[number].get("source")
    if type(source) is not int or not 0 <= source < len(images):
        return "texture"
    uri, name = images[source].get("uri"), images[source].get("name")
    if isinstance(uri, str) and not uri.startswith("data:"):
        return uri
    return name if isinstance(name, str) and name else "texture"
