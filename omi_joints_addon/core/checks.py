"""All checks of a scene of joints and bodies, from Blender or from a document."""

from collections.abc import Iterator

from .checks_bodies import check_bodies
from .checks_frames import check_frames
from .checks_settings import check_settings
from .checks_structure import check_structure
from .findings import Finding
from .scene import PhysicsScene


def check_scene(scene: PhysicsScene) -> list[Finding]:
    """Return what is wrong with joints and bodies of a scene, settings that several share once."""
    return [
        *check_structure(scene),
        *check_bodies(scene),
        *_check_all_settings(scene),
        *check_frames(scene),
    ]


def _check_all_settings(scene: PhysicsScene) -> Iterator[Finding]:
    seen: set[str] = set()
    for joint in scene.joints:
        place = joint.settings_place or joint.place
        if place not in seen:
            seen.add(place)
            yield from (found.at(place) for found in check_settings(joint.settings))
