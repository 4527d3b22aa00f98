"""All checks of a scene of joints and bodies, from Blender or from a document."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ..findings.finding import ERROR, INFO, Finding, rule
from ..model.scene import PhysicsScene
from .alignment import check_alignment
from .animation import check_animation
from .bodies import check_bodies, check_shapes
from .frames import check_frames, check_transforms
from .sag import check_sag
from .settings import check_settings
from .springs import check_springs
from .structure import check_ends, check_groups, check_structure
from .velocities import check_velocities

_SHOWN = 1000
"""Findings of one rule."""


MORE_OF_THE_SAME = rule(
    "OMI-J413",
    INFO,
    "{count} more findings of rule {rule} are not shown",
    reason="Nobody can read a list that long.",
)


def check_scene(scene: PhysicsScene) -> list[Finding]:
    """Return what is wrong with joints and bodies of a scene, settings that several share once."""
    whole = (*check_groups(scene), *check_shapes(scene))
    of_settings = (*_check_all_settings(scene), *check_animation(scene))
    return [*check_places(scene), *whole, *of_settings]


def check_places(scene: PhysicsScene) -> list[Finding]:
    """Return what `check_scene` does but for settings, groups of bodies and their shapes.

    Each finding is about a joint or body, and depends on it, the nodes above, its ends and their
    bodies, and on the joints between the same two bodies or at the same frames.
    """
    return [
        *check_structure(scene),
        *check_alignment(scene),
        *check_bodies(scene),
        *check_frames(scene),
        *check_sag(scene),
        *check_springs(scene),
        *check_velocities(scene),
    ]


def check_errors(scene: PhysicsScene) -> list[Finding]:
    """Return the errors among `check_scene`, for which less has to be worked out."""
    found = (*check_ends(scene), *_check_all_settings(scene), *check_transforms(scene))
    return [item for item in found if item.severity == ERROR]


def _check_all_settings(scene: PhysicsScene) -> Iterator[Finding]:
    # Joints that share settings have one value.
    known = list({id(joint.settings): joint.settings for joint in scene.joints}.values())
    findings = dict(zip(map(id, known), check_settings(known), strict=True))
    seen: set[str] = set()
    for number, joint in enumerate(scene.joints):
        place = scene.settings_place(number)
        if findings[id(joint.settings)] and place not in seen:
            seen.add(place)
            for finding in findings[id(joint.settings)]:
                yield finding.at(place)


def capped(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings, of each rule so many that they can be read."""
    counts = Counter(item.code for item in findings)
    if not counts or max(counts.values()) <= _SHOWN:
        return list(findings)
    left = dict.fromkeys(counts, _SHOWN)
    shown = []
    for item in findings:
        left[item.code] -= 1
        if left[item.code] >= 0:
            shown.append(item)
    rest = {code: count - _SHOWN for code, count in counts.items() if count > _SHOWN}
    return shown + [MORE_OF_THE_SAME("", count=n, rule=code) for code, n in rest.items()]
