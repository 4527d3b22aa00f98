"""What MuJoCo makes of bodies that touch; what it makes of joints, losses of MJCF say.

Measured with MuJoCo 4.0.0 at the steps of the files that are written.
"""

from collections.abc import Iterator

from ..findings.finding import INFO, WARNING, Finding, rule
from ..meaning.recognition import joint_kind
from ..model.scene import PhysicsScene
from ..model.shape import Trimesh
from . import names
from .animated import NOT_KNOWN
from .engine import Engine
from .meshes import is_convex, is_flat, mesh_data

_MEASURED = "Measured with MuJoCo 4.0.0."

SOFT_CONTACTS = rule(
    "OMI-E801",
    INFO,
    "MuJoCo: contacts are damped springs; what strikes rebounds by up to an eighth of its speed, "
    "what lies on a slope creeps by 2 mm/s",
    reason="A door that met a post at 1 rad/s came back at 0.12, a block with a friction of 0.5 "
    f"went 5 mm down 20° in 3 s. {_MEASURED}",
)
NO_BOUNCE = rule(
    "OMI-E802",
    WARNING,
    "MuJoCo: the restitution of {restitution:g} is not used; nothing bounces",
    reason=f"A ball with 0.9 that fell by a meter did not leave the floor. {_MEASURED}",
)
ONE_HULL = rule(
    "OMI-E803",
    WARNING,
    "MuJoCo: the mesh is held as its convex hull, and what starts inside that is pushed out of it; "
    "make it of boxes or convex parts",
    reason=f"Of a room, the hull is solid: a crate in it was 42 m away after 2 s. {_MEASURED}",
)

FIRST_ORDER = rule(
    "OMI-E804",
    INFO,
    "MuJoCo: its steps of 2 ms are of first order in a scene without joints; what falls is 1 cm "
    "too far down after a second",
    reason=f"A body fell by 2.410 m in 0.7 s instead of 2.403. {_MEASURED}",
)


def _check_scene(scene: PhysicsScene) -> Iterator[Finding]:
    solid = sorted(scene.colliders)
    if solid and scene.are_dynamic().any():
        yield SOFT_CONTACTS(scene.place_of(solid[0]))
    if any(scene.gravity) and scene.are_dynamic().any() and not scene.joints:
        yield FIRST_ORDER()
    for node, collider in scene.colliders.items():
        place, shape, material = scene.place_of(node), collider.shape, collider.material
        if material is not None and material.restitution > 0.0:
            yield NO_BOUNCE(place, restitution=material.restitution)
        data = mesh_data(scene, shape.mesh) if isinstance(shape, Trimesh) else None
        if data is not None and not (is_flat(data) or is_convex(data)):
            yield ONE_HULL(place)


MUJOCO = Engine(
    **names.MUJOCO._asdict(),
    becomes=lambda settings: joint_kind(settings).label,
    check_settings=lambda _settings: (),
    check_scene=_check_scene,
    animated=(NOT_KNOWN,),
)
