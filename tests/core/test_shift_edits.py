"""Random edits of Shift files, judged by `json`: exactly what was edited is another value."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.io.formats.format import Kept, Source, Target
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.formats.shift import SHIFT
from tests.cases import cases
from tests.tally import Tally

Place = tuple[str | int, ...]
Edit = tuple[PhysicsScene, Place, Any]
"""Scene, where in the document, and what is there then."""
_ASSEMBLY = ("assemblies", 0)
MISSING = object()


def model(chance: random.Random) -> dict[str, Any]:
    """Return a chain of bodies whose values are all given, each in one of the ways there are."""
    bodies, joints, count = [], [], chance.randint(1, 4)
    for number in range(count):
        inertia = {name: round(chance.uniform(1.0, 1.5), 3) for name in ("Ixx", "Iyy", "Izz")}
        inertia |= dict.fromkeys(("Ixy", "Iyz", "Izx"), 0.0)
        mass = {"mass": round(chance.uniform(0.5, 5.0), 2)}
        own = {"inertia": mass | inertia} if chance.random() < 0.5 else None
        bodies.append(
            {
                "name": f"body {number}",
                **(own or {**mass, "moment_of_inertia": inertia}),
                "center_of_mass": [0.0, round(chance.uniform(-1, 1), 3), 0.25],
                "frames": [{"name": "top"}, {"name": "end", "T": [0.0, 0.0, -1.0]}],
                "mine": {"id": number},
            }
        )
        first = ["fixed", "post"] if number == 0 else [f"body {number - 1}", "end"]
        joints.append(
            {
                "name": f"joint {number}",
                "type": chance.choice(["Rx", "Ry", "Rz"]),
                "body_frame_pairs": [first, [f"body {number}", "top"]],
                "initial_displacement": round(chance.uniform(-0.5, 0.5), 3),
                "stiffness": [0.0, round(chance.uniform(1, 9), 3)],
                "damping": [0.0, round(chance.uniform(0.1, 0.9), 3)],
            }
        )
    return {
        "model_parameters": {"version": "0.2", "gravity": [0.0, 0.0, 9.81]},
        "fixed": {"frames": [{"name": "post", "T": [0.0, 0.0, 1.0]}]},
        "assemblies": [{"name": "chain", "bodies": bodies, "joints": joints}],
        "extras": [chance.random(), None, "ü"],
    }


def printed(document: Any, chance: random.Random) -> bytes:
    """Return a document with some white space, as somebody may have written it."""
    indent = chance.choice([None, 1, 2, 4, "\t"])
    between = chance.choice([(", ", ": "), (",", ":"), (" , ", " : ")])
    text = json.dumps(document, indent=indent, separators=between, ensure_ascii=False)
    return chance.choice([text, text + "\n", text.replace("\n", "\r\n")]).encode()


def edits(scene: PhysicsScene, document: dict[str, Any], chance: random.Random) -> Iterator[Edit]:
    """Yield one edit of each kind, of a body or joint by chance."""
    number = chance.randrange(len(scene.joints))
    body = document["assemblies"][0]["bodies"][number]
    node = next(n for n in scene.motions if scene.names[n].endswith(body["name"]))
    motion, here = scene.motions[node], (*_ASSEMBLY, "bodies", number)
    mass, holder = round(chance.uniform(6.0, 9.0), 2), ("inertia",) if "inertia" in body else ()
    motions = {**scene.motions, node: replace(motion, mass=mass)}
    yield replace(scene, motions=motions), (*here, *holder, "mass"), mass
    x, y, z = motion.center_of_mass
    motions = {**scene.motions, node: replace(motion, center_of_mass=(x, y + 0.5, z))}
    yield replace(scene, motions=motions), (*here, "center_of_mass", 1), y + 0.5
    there = (*_ASSEMBLY, "joints", number)
    for name in ("stiffness", "damping"):
        value = round(chance.uniform(10.0, 20.0), 2)
        yield _driven(scene, number, **{name: value}), (*there, name, 1), value
    off = _with_joint(
        scene, number, lambda j: replace(j, attributes=replace(j.attributes, enabled=False))
    )
    yield off, (*there, "active"), False


def _driven(scene: PhysicsScene, number: int, **values: float) -> PhysicsScene:
    def change(joint: Joint) -> Joint:
        (drive,) = joint.settings.drives
        return replace(joint, settings=replace(joint.settings, drives=(replace(drive, **values),)))

    return _with_joint(scene, number, change)


def _with_joint(scene: PhysicsScene, number: int, change: Callable[[Joint], Joint]) -> PhysicsScene:
    joints = list(scene.joints)
    joints[number] = change(joints[number])
    return replace(scene, joints=tuple(joints))


def differing(one: Any, other: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield where two values of JSON differ, and what the second has there."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*one, *(name for name in other if name not in one)]:
            pair = one.get(name, MISSING), other.get(name, MISSING)
            yield from differing(*pair, (*place, name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differing(*pair, (*place, number))
    elif one != other:
        yield place, other


@pytest.mark.fuzz
def test_an_edit_changes_its_value_alone(tmp_path: Path, tally: Tally) -> None:
    for case in range(cases(20, 1500)):
        chance = random.Random(f"shift edits {case}")
        document = model(chance)
        text, path = printed(document, chance), tmp_path / "model.json"
        path.write_bytes(text)
        (read,) = SHIFT.read(Source(path=path))
        kept = Kept(document=read.document, read=read)
        target = Target(path=path, kept=kept)
        assert written_scene(SHIFT, replace(read.scene), target).files["model.json"] == text, case
        for scene, place, value in edits(read.scene, document, chance):
            written = written_scene(SHIFT, scene, target)
            assert not written.losses, (case, place)
            found = list(differing(document, json.loads(written.files["model.json"])))
            assert [at for at, _ in found] == [place], case
            assert found[0][1] == pytest.approx(value, rel=1e-9), case
            tally.add("edits of Shift files", f"shift edits {case}")
