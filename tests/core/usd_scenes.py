"""Scenes and stages that tests of USD start from, and what OpenUSD itself says of them."""

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    MotionType,
    PhysicsMaterial,
)
from omi_joints_addon.core.model.pose import Pose, matrix_from_pose
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Cylinder, Sphere
from omi_joints_addon.io.formats.format import Read, Source, Target, Written
from omi_joints_addon.io.formats.usd import USD

ICE = PhysicsMaterial(
    name="Ice", static_friction=0.1, dynamic_friction=0.05, friction_combine="maximum"
)
GHOST = CollisionFilter(
    name="Ghosts", collision_systems=("ghost",), not_collide_with_systems=("ghost",)
)
SHAPES = (
    Sphere(radius=0.3),
    Capsule(height=0.5, radius_bottom=0.1, radius_top=0.1),
    Cylinder(height=0.4, radius_bottom=0.2, radius_top=0.2),
    Box(size=(0.1, 0.2, 0.3)),
)


def random_matrix(source: np.random.Generator) -> np.ndarray:
    rotation = source.normal(size=4)
    return matrix_from_pose(Pose(source.normal(size=3), rotation / np.linalg.norm(rotation)))


def chain(count: int = 11, *, nested: bool = False, **changes: Any) -> PhysicsScene:
    """Return a static base and bodies in a row with a joint of each preset, frames anywhere."""
    source = np.random.default_rng(7)
    names, parents, matrices = ["Base"], [-1], [random_matrix(source)]
    motions = {0: Motion(type=MotionType.STATIC)}
    colliders = {0: Collider(shape=Box(size=(1.0, 2.0, 0.5)))}
    joints, before = [], 0
    for number, preset in zip(range(count), list(Preset) * count, strict=False):
        body, frame = len(names), len(names) + 1
        names += [f"Link {number}", f"Joint {number}", f"Joint {number} Connected"]
        parents += [before if nested else -1, body, before]
        at = random_matrix(source)
        matrices += [random_matrix(source), at, at]
        motions[body] = Motion(
            mass=1.5 + number,
            center_of_mass=(0.1, 0.0, 0.2),
            inertia_diagonal=(0.1, 0.2, 0.3),
            linear_velocity=(0.0, 1.0, 0.3),
            angular_velocity=(0.1, 0.2, 0.3),
        )
        colliders[body] = Collider(
            shape=SHAPES[number % len(SHAPES)], material=ICE, collision_filter=GHOST
        )
        settings = preset_settings(preset)
        joints.append(Joint(node=frame, connected=frame + 1, settings=settings, place=names[frame]))
        before = body
    fields: dict[str, Any] = {
        "names": tuple(names),
        "parents": np.array(parents, dtype=np.intp),
        "matrices": np.array(matrices),
        "motions": motions,
        "joints": tuple(joints),
        "colliders": colliders,
    }
    return PhysicsScene(**fields | changes)


ARM = (Articulation(root=0, is_fixed=True),)


def written(scene: PhysicsScene, folder: Path, *, suffix: str = ".usda", **options: Any) -> Path:
    """Write a scene and return the file."""
    return write(scene, folder, suffix=suffix, **options)[0]


def write(
    scene: PhysicsScene, folder: Path, *, suffix: str = ".usda", **options: Any
) -> tuple[Path, Written]:
    path = folder / f"scene{suffix}"
    result = USD.write(scene, Target(path=path, options=options))
    path.write_bytes(result.files[path.name])
    return path, result


def read(path: Path) -> Read:
    return USD.read(Source(path=path))[0]


def read_text(text: str, folder: Path) -> Read:
    path = folder / "text.usda"
    path.write_text(f"#usda 1.0\n{text}", encoding="utf-8")
    return read(path)


def by_name(scene: PhysicsScene, other: PhysicsScene) -> list[int]:
    """Return the nodes of `other` that are called as the nodes of `scene`."""
    nodes = {name: node for node, name in enumerate(other.names)}
    return [nodes[name] for name in scene.names]


def validator_errors(path: Path) -> list[str]:
    """Return what OpenUSD's own validators find wrong with a file."""
    validation = pytest.importorskip("pxr.UsdValidation", reason="usd-core is not installed")
    from pxr import Usd

    registry = validation.ValidationRegistry()
    context = validation.ValidationContext(registry.GetOrLoadAllValidators())
    return [
        f"{error.GetName()}: {error.GetMessage()}"
        for error in context.Validate(Usd.Stage.Open(str(path)))
    ]


def parsed(path: Path) -> dict[str, tuple[int, int]]:
    """Return how many things of each kind OpenUSD's physics parser finds, and how many valid."""
    from pxr import Usd, UsdPhysics

    stage = Usd.Stage.Open(str(path))
    load = getattr(UsdPhysics, "UsdPhysicsLoadStageFromPrimRange", None)
    found = (load or UsdPhysics.LoadUsdPhysicsFromRange)(stage, ["/"])
    return {
        str(kind).rpartition(".")[2]: (len(paths), sum(desc.isValid for desc in descs))
        for kind, (paths, descs) in found.items()
    }


_WORDS = ("inf", "-inf", "nan", "1e40", '"X"', "</Nowhere>", "(0, 0, 0)", "None", "token", "[]")
_OTHERS = (
    'string {} = "X"',
    "token {}",
    "bool {} = true",
    "int64 {} = 9223372036854775807",
    "half {} = 0.1",
    "double {} = -inf",
    "timecode {} = 1e300",
    "float[] {} = [1, nan]",
    "float {}.timeSamples = {{ 1: 2, 2: None }}",
    "float2 {} = (1, 2)",
    "double3 {} = (1e300, -inf, nan)",
    "quatd {} = (0, 0, 0, 0)",
    "matrix4d {} = ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, nan))",
    'token[] {} = ["!resetXformStack!", "xformOp:scale", "X"]',
    "asset {} = @x.png@",
    "rel {} = </World>",
    "rel {} = [<.>, </World/Joints>, <..>]",
)
"""Properties of other types, by the name of one."""
_PROPERTY = re.compile(r"(\s*)(?:custom |uniform )*[\w\[\]]+ ([\w:]+) = ")


def damaged(lines: list[str], source: random.Random, spared: tuple[str, ...] = ()) -> list[str]:
    """Return the lines with some left out, doubled, exchanged, of other types, or of other words.

    Lines with a word of `spared` stay as they are.
    """
    changed = list(lines)
    for _ in range(source.randrange(1, 6)):
        at = source.randrange(2, len(changed))
        action = source.randrange(5)
        if any(word in changed[at] for word in spared):
            continue
        if action == 0:
            del changed[at]
        elif action == 1:
            changed.insert(at, source.choice(changed))
        elif action == 2:
            parts = changed[at].split(" = ")
            changed[at] = " = ".join((*parts[:-1], source.choice(_WORDS)))
        elif action == 3:
            changed[at] = changed[at].replace("Physics", source.choice(["Physx", "", "Fixed"]))
        elif found := _PROPERTY.match(changed[at]):
            changed[at] = found[1] + source.choice(_OTHERS).format(found[2])
    return changed
