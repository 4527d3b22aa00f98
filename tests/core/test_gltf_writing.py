"""Scenes into documents: what is not physics stays byte by byte, new documents say all there is.

Numbers of the new documents are worked out by hand, files are read by `pygltflib` or `json`.
"""

import base64
import copy
import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.findings.loss import How
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import Collider, CollisionFilter, Motion, PhysicsMaterial
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.mesh import Mesh, MeshData, Visual
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Convex
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Read, Source, Target, UnwritableError
from omi_joints_addon.io.formats.gltf import GLTF
from tests.core.documents import BODY, DOOR, JOINT, door

KHR = "KHR_physics_rigid_bodies"
HALF = 0.5**0.5
POINTS = np.array([(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)], float)
TRIANGLES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], np.intp)


def read(path: Path) -> Read:
    (found,) = GLTF.read(Source(path=path))
    return found


def converted(source: Path, target: Path, *options: str) -> dict[str, Any]:
    assert main(["convert", str(source), str(target), *options]) == 0
    return document_of(target)


def document_of(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    if path.suffix == ".glb":
        length, _ = struct.unpack_from("<II", data, 12)
        return json.loads(data[20 : 20 + length])
    return json.loads(data)


def rich_door() -> dict[str, Any]:
    """Return a document with all that must survive: extras, order, odd numbers, default members."""
    document = door()
    document["extras"] = {"z": 1, "a": [0.1, 1e-300, -0.0, 12345678901234567]}
    document["nodes"][2]["extensions"][BODY] = {
        "collider": {"shape": 1, "physicsMaterial": 1},
        "motion": {"mass": 1, "type": "dynamic", "extras": {"mine": True}, "gravityFactor": 1},
    }
    document["nodes"][2]["extensions"]["VENDOR_thing"] = {"x": 0.30000000000000004}
    document["extensions"][BODY] = {
        "physicsMaterials": [{"restitution": 0}, {"staticFriction": 0.6}, {"name": "unused"}]
    }
    document["extensions"]["OMI_physics_shape"] = {
        "shapes": [{"type": "box"}, {"type": "capsule", "capsule": {"height": 1, "radiusTop": 0.5}}]
    }
    document["extensionsUsed"] += ["OMI_physics_shape", "VENDOR_thing"]
    return document


def test_a_document_that_says_the_scene_stays_as_it_is(tmp_path: Path) -> None:
    source = tmp_path / "door.gltf"
    source.write_text(json.dumps(rich_door()))
    document = converted(source, tmp_path / "out.gltf")
    assert json.dumps(document) == json.dumps(rich_door())


def test_only_what_has_changed_is_written_anew(tmp_path: Path) -> None:
    source = tmp_path / "door.gltf"
    source.write_text(json.dumps(rich_door()))
    scene = read(source).scene
    (joint,) = scene.joints
    limits = (*joint.settings.limits[:2], replace(joint.settings.limits[2], max=0.75))
    changed = replace(joint, settings=replace(joint.settings, limits=limits))
    written = GLTF.write(replace(scene, joints=(changed,)), Target(path=tmp_path / "x.gltf"))
    document = json.loads(written.files["x.gltf"])
    expected = rich_door()
    before = expected["extensions"][JOINT]["physicsJoints"]
    assert document["extensions"][JOINT]["physicsJoints"][0] == before[0]
    assert document["extensions"][JOINT]["physicsJoints"][1]["limits"][2]["max"] == 0.75
    assert document["nodes"][3]["extensions"][JOINT]["joint"] == 1
    document["extensions"][JOINT]["physicsJoints"].pop()
    document["nodes"][3]["extensions"][JOINT]["joint"] = 0
    assert json.dumps(document, sort_keys=True) == json.dumps(expected, sort_keys=True)


def test_there_and_back_between_dialects_says_the_same(tmp_path: Path) -> None:
    source = tmp_path / "door.gltf"
    source.write_text(json.dumps(rich_door()))
    converted(source, tmp_path / "khr.gltf", "-d", "khr")
    converted(tmp_path / "khr.gltf", tmp_path / "omi.gltf", "-d", "omi")
    one, other = read(source).scene, read(tmp_path / "omi.gltf").scene
    assert one.motions == other.motions
    assert [joint.settings for joint in one.joints] == [joint.settings for joint in other.joints]
    assert {n: c.shape for n, c in one.colliders.items()} == {
        n: c.shape for n, c in other.colliders.items()
    }


def test_numbers_beyond_doubles_are_written_as_json(tmp_path: Path) -> None:
    source = tmp_path / "door.gltf"
    text = json.dumps(rich_door()).replace('"z": 1', '"z": 1e400')
    source.write_text(text)
    converted(source, tmp_path / "out.gltf")
    assert "Infinity" not in (tmp_path / "out.gltf").read_text()
    assert document_of(tmp_path / "out.gltf")["extras"]["z"] == 1.7976931348623157e308


def meshes(*, uri: bool) -> tuple[dict[str, Any], bytes]:
    """Return a document with one triangle in its second buffer, and that buffer."""
    data = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], "<f4").tobytes()
    encoded = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document = door() | {
        "buffers": [
            {"byteLength": 3, "uri": "data:application/octet-stream;base64,AQID"},
            {"byteLength": len(data), "uri": "triangle%20data.bin" if uri else encoded},
        ],
        "bufferViews": [{"buffer": 1, "byteOffset": 0, "byteLength": len(data)}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    }
    document["nodes"][0]["mesh"] = 0
    return document, data


@pytest.mark.parametrize("uri", [True, False])
def test_gltf_becomes_glb_and_comes_back(tmp_path: Path, uri: bool) -> None:
    document, data = meshes(uri=uri)
    source = tmp_path / "door.gltf"
    source.write_text(json.dumps(document))
    if uri:
        (tmp_path / "triangle data.bin").write_bytes(data)
    packed = converted(source, tmp_path / "door.glb")
    assert packed["buffers"] == [{"byteLength": 4 + len(data)}]
    assert packed["bufferViews"] == [{"buffer": 0, "byteOffset": 4, "byteLength": len(data)}]
    (tmp_path / "triangle data.bin").unlink(missing_ok=True)
    folder = tmp_path / "back"
    folder.mkdir()
    back = converted(tmp_path / "door.glb", folder / "door.gltf")
    assert back["buffers"] == [{"byteLength": 4 + len(data), "uri": "door.bin"}]
    assert (folder / "door.bin").read_bytes()[4:] == data
    for path in (tmp_path / "door.glb", folder / "door.gltf"):
        points = read(path).scene.meshes[0].read().points
        # Y up becomes Z up.
        assert points.tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 1]]


def test_missing_buffer_is_told_and_costs_only_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, _ = meshes(uri=True)
    source = tmp_path / "door.gltf"
    source.write_text(json.dumps(document))
    packed = converted(source, tmp_path / "door.glb")
    assert [buffer.get("uri") for buffer in packed["buffers"]] == [None, "triangle%20data.bin"]
    assert packed["bufferViews"][0]["buffer"] == 1
    assert "changed: buffer (buffer 1): triangle data.bin: No such file" in capsys.readouterr().err
    with pytest.raises(ValueError, match="No such file"):
        read(source).scene.meshes[0].read()


@pytest.mark.parametrize("uri", ["../secret.bin", "/etc/passwd", "%2e%2e/secret.bin", "link.bin"])
def test_files_outside_the_folder_are_not_read(tmp_path: Path, uri: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(36))
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    document, _ = meshes(uri=True)
    document["buffers"][1]["uri"] = uri
    (folder / "door.gltf").write_text(json.dumps(document))
    with pytest.raises(ValueError, match="outside"):
        read(folder / "door.gltf").scene.meshes[0].read()
    target = folder / "door.blend"
    assert main(["convert", str(folder / "door.gltf"), str(target)]) == 2
    assert main(["picture", str(folder / "door.gltf"), str(folder / "x.png")]) == 2
    assert not target.exists()


def bare_scene() -> PhysicsScene:
    """Return a scene of no file: a box and a tetrahedron on a hinge, the box turned and moved."""
    turned = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], float)
    frame = turned.copy()
    frame[:3, 3] = (1, 2, 2.5)
    hinge = JointSettings(
        name="Hinge",
        limits=(
            JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
            JointLimit(angular_axes=(0, 1), min=0.0, max=0.0),
            JointLimit(angular_axes=(2,), min=-0.5, max=1.0),
        ),
    )
    return PhysicsScene(
        name="Model",
        names=("Box", "Tetrahedron", "Frame"),
        parents=np.array([-1, -1, 0]),
        matrices=np.array([turned, np.eye(4), frame]),
        motions={
            0: Motion(mass=2.0, center_of_mass=(0.1, 0.2, 0.3), inertia_diagonal=(1.0, 2.0, 2.5)),
            1: Motion(type="static"),
        },
        colliders={
            0: Collider(
                shape=Box(size=(1.0, 2.0, 3.0)),
                material=PhysicsMaterial(name="Ice", static_friction=0.1),
                collision_filter=CollisionFilter(collision_systems=("things",)),
            ),
            1: Collider(shape=Convex(mesh=0)),
        },
        joints=(Joint(node=2, connected=1, settings=hinge, enable_collision=True, place="Frame"),),
        meshes=(Mesh(name="Tetra", read=lambda: MeshData(POINTS, TRIANGLES)),),
        visuals={
            0: Visual(shape=Capsule(height=1.0), color=(1.0, 0.5, 0.0, 0.5)),
            1: Visual(mesh=0),
        },
    )


def write_bare(scene: PhysicsScene, path: Path, **options: Any) -> Any:
    written = GLTF.write(scene, Target(path=path, options=options))
    write_files(path.parent, written.files)
    return written


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("dialect", ["omi", "khr", "omi,khr"])
def test_scene_of_no_file_becomes_a_document_and_comes_back(
    tmp_path: Path, suffix: str, dialect: str
) -> None:
    path, scene = tmp_path / f"new{suffix}", bare_scene()
    written = write_bare(scene, path, dialect=dialect)
    assert written.losses == ()
    back = read(path)
    assert back.findings == ()
    assert back.scene.names[:3] == scene.names
    # The static body is a frame and more, so its frame is a node of its own.
    (joint,) = back.scene.joints
    assert back.scene.names[joint.node] == "Frame"
    assert back.scene.names[joint.connected or 0] == "Tetrahedron Joint Frame"
    assert joint.settings == scene.joints[0].settings
    assert joint.enable_collision
    np.testing.assert_allclose(back.scene.matrices[:3], scene.matrices, atol=1e-15)
    np.testing.assert_allclose(back.scene.matrices[joint.connected or 0], np.eye(4), atol=1e-15)
    expected = (
        scene.motions if "omi" in dialect else {0: scene.motions[0], 1: Motion(type="static")}
    )
    assert back.scene.motions == expected
    assert back.scene.colliders[0] == scene.colliders[0]
    mesh = back.scene.meshes[back.scene.colliders[1].shape.mesh].read()  # type: ignore[union-attr]
    np.testing.assert_array_equal(mesh.points, POINTS)
    np.testing.assert_array_equal(mesh.triangles, TRIANGLES)


def test_document_by_hand(tmp_path: Path) -> None:
    write_bare(bare_scene(), tmp_path / "new.gltf")
    document = document_of(tmp_path / "new.gltf")
    box, tetrahedron, frame, extra = document["nodes"]
    # Blender's (1, 2, 3) is (1, 3, -2) in Y up; a quarter turn about Z is one about Y.
    assert box["translation"] == [1.0, 3.0, -2.0]
    assert box["rotation"] == pytest.approx([0, HALF, 0, HALF])
    assert box["children"] == [2]
    assert box["extensions"][BODY]["motion"]["centerOfMass"] == [0.1, 0.3, -0.2]
    assert box["extensions"][BODY]["motion"]["inertiaDiagonal"] == [1.0, 2.5, 2.0]
    assert document["extensions"]["OMI_physics_shape"]["shapes"][0]["box"]["size"] == [
        1.0,
        3.0,
        2.0,
    ]
    # A frame keeps the names of its axes: its Z is still up, where the box's node has Y.
    assert frame["translation"] == [0.0, -0.5, 0.0]
    assert frame["rotation"] == pytest.approx([-HALF, 0, 0, HALF])
    assert frame["extensions"][JOINT] == {"joint": 0, "connectedNode": 3, "enableCollision": True}
    assert extra["rotation"] == pytest.approx([-HALF, 0, 0, HALF])
    assert tetrahedron["children"] == [3]
    assert document["scenes"] == [{"name": "Model", "nodes": [0, 1]}]
    assert document["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] == [1, 0.5, 0, 0.5]
    assert document["materials"][0]["alphaMode"] == "BLEND"


def test_what_gltf_cannot_say_is_told(tmp_path: Path) -> None:
    def fail() -> MeshData:
        raise ValueError("the file is missing")

    scene = bare_scene()
    joint = replace(scene.joints[0], attributes=JointAttributes(break_force=50.0))
    scene = replace(
        scene,
        joints=(joint, replace(joint, connected=None)),
        meshes=(Mesh(name="Tetra", read=fail),),
        excluded_pairs=((0, 1),),
    )
    written = write_bare(scene, tmp_path / "new.glb")
    assert {(loss.place, loss.noun) for loss in written.losses if loss.how == How.LOST} == {
        ("Frame", "joint"),
        ("Tetra", "mesh"),
        ("Tetrahedron", "shape"),
    }
    assert {(loss.place, loss.noun) for loss in written.losses if loss.how == How.CARRIED} == {
        ("Frame", "break force"),
        ("Box", "excluded pair"),
    }


def test_unknown_options_are_refused(tmp_path: Path) -> None:
    for options in ({"nonsense": 1}, {"dialect": "godot"}, {"dialect": 7}):
        with pytest.raises(UnwritableError):
            GLTF.write(bare_scene(), Target(path=tmp_path / "x.glb", options=options))


def test_independent_reader_reads_new_documents(tmp_path: Path) -> None:
    pygltflib = pytest.importorskip("pygltflib")
    for suffix in (".glb", ".gltf"):
        path = tmp_path / f"new{suffix}"
        write_bare(bare_scene(), path, dialect="omi,khr")
        document = pygltflib.GLTF2().load(str(path))
        assert [node.name for node in document.nodes[:3]] == ["Box", "Tetrahedron", "Frame"]
        assert {BODY, JOINT, KHR} <= set(document.extensionsUsed)
        assert set(document.nodes[2].extensions) >= {JOINT, KHR}
        (primitive,) = document.meshes[document.nodes[1].mesh].primitives
        blob = document.binary_blob() if suffix == ".glb" else (tmp_path / "new.bin").read_bytes()
        assert len(blob) >= document.buffers[0].byteLength
        found = {}
        for name, index, kind, width in (
            ("points", primitive.attributes.POSITION, "<f4", 3),
            ("triangles", primitive.indices, "<u4", 3),
        ):
            accessor = document.accessors[index]
            view = document.bufferViews[accessor.bufferView]
            assert view.byteOffset % 4 == 0
            part = blob[view.byteOffset : view.byteOffset + view.byteLength]
            found[name] = np.frombuffer(part, kind).reshape(-1, width)
        x, y, z = POINTS.T
        np.testing.assert_array_equal(found["points"], np.stack((x, z, -y), axis=1))
        np.testing.assert_array_equal(found["triangles"], TRIANGLES)
        accessor = document.accessors[primitive.attributes.POSITION]
        assert (accessor.min, accessor.max) == ([0, 0, -2], [1, 3, 0])


def test_the_scene_read_is_not_changed_by_writing(tmp_path: Path) -> None:
    source = tmp_path / "door.gltf"
    source.write_text(json.dumps(DOOR))
    scene = read(source).scene
    document = copy.deepcopy(scene.carried["gltf"].read.document)
    for suffix, dialect in ((".gltf", "khr"), (".glb", "omi,khr")):
        GLTF.write(scene, Target(path=tmp_path / f"x{suffix}", options={"dialect": dialect}))
    assert scene.carried["gltf"].read.document == document
