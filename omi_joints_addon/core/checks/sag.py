"""Check of soft locks: how far they sag under the weight they hold."""

from collections.abc import Iterator

from ..findings.finding import WARNING, Finding, rule
from ..meaning.sag import NOTABLE_SAG, scene_sags
from ..model.scene import PhysicsScene

SAGS = rule(
    "OMI-P006",
    WARNING,
    "the soft locked axes sag by {sag} m under the weight they carry; increase the stiffness or "
    "make the limit rigid",
    reason="OMI_physics_joint: stiffness is in N/m. Files that use a unitless softness fall apart.",
)


def check_sag(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield a finding for each joint whose soft locks sag by more than a centimeter."""
    for number, sag in scene_sags(scene).items():
        if sag > NOTABLE_SAG:
            yield SAGS(scene.joint_place(number), sag=f"{sag:.3g}")
