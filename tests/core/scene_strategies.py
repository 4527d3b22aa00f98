"""Random scenes with some of everything that a scene can hold."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.mesh import Mesh, Visual
from omi_joints_addon.core.model.pose import Pose, matrix_from_pose
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Cylinder, Sphere, Trimesh
from tests.core.strategies import limits, quaternions
from tests.core.test_mesh_files import TETRAHEDRON

sizes = st.floats(0.1, 5.0).map(lambda value: round(value, 3))
numbers = st.floats(-3.0, 3.0).map(lambda value: round(value, 3))
vectors = st.tuples(numbers, numbers, numbers)
matrices = st.builds(
    lambda place, turn: matrix_from_pose(Pose(np.array(place), turn)), vectors, quaternions
)
unlimited = st.just(float("inf")) | sizes
motions = st.builds(
    Motion,
    type=st.sampled_from(["static", "dynamic", "dynamic", "kinematic"]),
    mass=sizes,
    center_of_mass=st.just((0.0, 0.0, 0.0)) | vectors,
    inertia_diagonal=st.just((0.0, 0.0, 0.0)) | st.tuples(sizes, sizes, sizes),
    inertia_orientation=st.just((0.0, 0.0, 0.0, 1.0))
    | quaternions.map(lambda q: tuple(q.tolist())),
    linear_velocity=st.just((0.0, 0.0, 0.0)) | vectors,
    angular_velocity=st.just((0.0, 0.0, 0.0)) | vectors,
    gravity_factor=st.just(1.0) | sizes,
)
shapes = st.one_of(
    st.builds(Box, size=st.tuples(sizes, sizes, sizes)),
    st.builds(Sphere, radius=sizes),
    st.builds(Capsule, height=sizes, radius_bottom=sizes, radius_top=sizes),
    st.builds(lambda h, r: Capsule(height=h, radius_bottom=r, radius_top=r), sizes, sizes),
    st.builds(lambda h, r: Cylinder(height=h, radius_bottom=r, radius_top=r), sizes, sizes),
    st.builds(Cylinder, height=sizes, radius_bottom=sizes, radius_top=sizes),
    st.sampled_from([Convex(mesh=0), Trimesh(mesh=0)]),
)
materials = st.none() | st.builds(
    PhysicsMaterial,
    name=st.sampled_from(["", "ice"]),
    static_friction=sizes,
    dynamic_friction=sizes,
    restitution=st.floats(0.0, 1.0),
    friction_combine=st.sampled_from(["average", "minimum", "multiply"]),
)
filters = st.none() | st.builds(
    CollisionFilter,
    collision_systems=st.sampled_from([("a",), ("a", "b")]),
    not_collide_with_systems=st.none() | st.just(("c",)),
)
colliders = st.builds(Collider, shape=shapes, material=materials, collision_filter=filters)
attributes = st.builds(
    JointAttributes,
    enabled=st.booleans(),
    in_articulation=st.booleans(),
    break_force=unlimited,
    break_torque=unlimited,
    effort=unlimited,
    velocity=unlimited,
    friction=st.just(0.0) | sizes,
    armature=st.just(0.0) | sizes,
)
settings = st.sampled_from(Preset).map(preset_settings) | st.builds(
    JointSettings,
    limits=st.lists(
        limits(bounds=st.floats(-3.0, 3.0)).map(lambda limit: replace(limit, carried="")),
        max_size=3,
    ).map(tuple),
)
KINDS = ("frame", "collider", "visual", "trigger")


@st.composite
def scenes(draw: st.DrawFn) -> PhysicsScene:
    """Return a scene of up to five bodies."""
    bodies = draw(st.integers(1, 5))
    names, parents = [f"body{n}" for n in range(bodies)], [-1] * bodies
    places = [draw(matrices) for _ in range(bodies)]
    found: dict[str, list[int]] = {kind: [] for kind in (*KINDS, "joint")}

    def add(name: str, parent: int) -> int:
        names.append(name)
        parents.append(parent)
        places.append(draw(matrices))
        return len(names) - 1

    for number, kind in enumerate(draw(st.lists(st.sampled_from(KINDS), max_size=4))):
        found[kind].append(add(f"{kind}{number}", draw(st.integers(-1, bodies - 1))))
    joints = []
    for number in range(draw(st.integers(0, 4))):
        ends = [draw(st.integers(0, bodies - 1)), draw(st.integers(-1, bodies - 1))]
        node, connected = (
            add(f"{w}{number}", b) for w, b in zip(("joint", "end"), ends, strict=True)
        )
        if draw(st.booleans()):
            places[connected] = places[node]
        joints.append(
            Joint(
                node=node,
                connected=connected,
                settings=draw(settings),
                enable_collision=draw(st.booleans()),
                attributes=draw(st.just(JointAttributes()) | attributes),
                place=f"joint{number}",
            )
        )
    pair = st.tuples(*[st.integers(0, bodies - 1)] * 2).filter(lambda ends: ends[0] != ends[1])
    is_several = bodies > 1 and draw(st.booleans())
    couplings = [Coupling(joint=1, source=0, coefficients=(0.5, 2.0, 0.1))]
    return PhysicsScene(
        names=tuple(names),
        parents=np.array(parents, dtype=np.intp),
        matrices=np.array(places),
        motions={n: draw(motions) for n in range(bodies)},
        joints=tuple(joints),
        colliders={n: draw(colliders) for n in found["collider"]},
        triggers={n: Trigger(shape=draw(shapes)) for n in found["trigger"]},
        meshes=(Mesh(name="tetra", read=lambda: TETRAHEDRON),),
        visuals={
            n: Visual(mesh=0, color=draw(st.none() | st.just((0.2, 0.4, 0.6, 1.0))))
            for n in found["visual"]
        },
        articulations=tuple(draw(st.lists(st.just(Articulation(root=0)), max_size=1))),
        couplings=tuple(couplings) if len(joints) > 1 and draw(st.booleans()) else (),
        excluded_pairs=(draw(pair),) if is_several else (),
        name=draw(st.sampled_from(["", "model"])),
        gravity=draw(st.sampled_from([(0.0, 0.0, -9.81), (0.0, 0.0, 0.0), (0.1, 0.2, -1.6)])),
    )
