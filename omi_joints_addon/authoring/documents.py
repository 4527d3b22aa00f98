"""The text that a scene was read from, tied to the objects that were made of it."""

import bpy

from .. import scene as scenes
from ..core.model.origins import origins_of
from ..core.model.scene import PhysicsScene
from ..properties.body import body_data
from ..properties.document import KeptText, keep_digest, keep_origin, keep_text
from .build import Built, update_scene
from .context import present


def keep_document(built: Built, scene: PhysicsScene, text: KeptText) -> None:
    """Keep a text with the collection of what was made of the scene that it says."""
    keep_text(built.collection, text)
    names = scene.names
    for obj, key, name in zip(built.objects, origins_of(names), names, strict=True):
        keep_origin(obj, key, name)
    for node in scene.colliders:
        mesh = body_data(built.objects[node]).collider.shape.mesh
        if mesh is not None:
            keep_digest(mesh)


def updated(
    context: bpy.types.Context, scene: PhysicsScene, collection: bpy.types.Collection
) -> Built:
    """Bring the objects of an earlier import to a scene; those that it lacks are removed."""
    objects = list(collection.all_objects)
    given = scenes.documents.objects_of(objects, scene.names)
    tied = {objects[number] for number in scenes.documents.ties_of(objects).origins}
    data = present(context.blend_data)
    built = update_scene(context, scene, collection, given)
    for obj in tied.difference(built.objects):
        data.objects.remove(obj)
    return built
