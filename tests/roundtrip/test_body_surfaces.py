"""Materials, filters, triggers and compounds: to the file and back, and what is bad in files."""

import json

import bpy
import pytest

from tests.roundtrip.bodies import block, collide, export, export_again, import_document, make_rigid
from tests.roundtrip.body_meaning import body_of, meaning, shapes_of
from tests.roundtrip.documents import add


def materials_of(document):
    return document["extensions"]["OMI_physics_body"]["physicsMaterials"]


def filters_of(document):
    return document["extensions"]["OMI_physics_body"].get("collisionFilters", [])


def test_friction_and_bounciness_of_a_rigid_body_arrive(tmp_path):
    make_rigid(block("Body"), friction=0.3, restitution=0.7)
    document = export(tmp_path)
    # Blender multiplies the values of two bodies.
    assert materials_of(document) == [
        {
            "staticFriction": 0.3,
            "dynamicFriction": 0.3,
            "restitution": 0.7,
            "frictionCombine": "multiply",
            "restitutionCombine": "multiply",
        }
    ]
    assert body_of(document, "Body")["collider"]["physicsMaterial"] == 0


def test_a_material_of_its_own_beats_the_rigid_bodys(tmp_path):
    body = block("Body")
    make_rigid(body, friction=0.3)
    material = body.omi_body.collider.material
    material.use_material = True
    material.static_friction = 0.9
    material.friction_combine = "MAXIMUM"
    material.material_name = "Rubber"
    document = export(tmp_path)
    assert materials_of(document) == [
        {"name": "Rubber", "staticFriction": 0.9, "frictionCombine": "maximum"}
    ]
    assert meaning(export_again(tmp_path)) == meaning(document)


def test_identical_materials_are_written_once(tmp_path):
    make_rigid(*(block(f"Body {index}") for index in range(3)))
    assert len(materials_of(export(tmp_path))) == 1


def test_bodies_in_one_collision_collection_need_no_filter(tmp_path):
    make_rigid(block("A"), block("B"))
    document = export(tmp_path)
    assert filters_of(document) == []
    assert "collisionFilter" not in body_of(document, "A")["collider"]


def test_collision_collections_become_systems_with_the_users_names(tmp_path):
    make_rigid(block("Floor"), block("Ghost"), block("Both"))
    second = [index == 1 for index in range(20)]
    both = [index < 2 for index in range(20)]
    bpy.data.objects["Ghost"].rigid_body.collision_collections = second
    bpy.data.objects["Both"].rigid_body.collision_collections = both
    bpy.context.scene.omi_physics.system_2 = "Spirits"
    document = export(tmp_path)

    def filter_of(name):
        return filters_of(document)[body_of(document, name)["collider"]["collisionFilter"]]

    first = ["Collection 1"]
    assert filter_of("Floor") == {"collisionSystems": first, "collideWithSystems": first}
    assert filter_of("Ghost")["collisionSystems"] == ["Spirits"]
    assert filter_of("Both")["collideWithSystems"] == ["Collection 1", "Spirits"]
    for rigid_bodies in (False, True):
        again = export_again(tmp_path, rigid_bodies=rigid_bodies)
        assert meaning(again) == meaning(document)
    scene = bpy.context.scene
    spirits = [n for n in range(1, 21) if getattr(scene.omi_physics, f"system_{n}") == "Spirits"]
    ghost = bpy.data.objects["Ghost"].rigid_body.collision_collections
    assert [index + 1 for index, is_member in enumerate(ghost) if is_member] == spirits


@pytest.mark.parametrize(
    ("mode", "member"), [("ONLY", "collideWithSystems"), ("EXCEPT", "notCollideWithSystems")]
)
def test_a_filter_of_its_own(tmp_path, mode, member):
    body = add("Body")
    collide(body, "BOX")
    group = body.omi_body.collider.collision_filter
    group.use_filter, group.mode = True, mode
    group.systems.add().system = "player"
    group.other_systems.add().system = "a, b"
    document = export(tmp_path)
    assert filters_of(document) == [{"collisionSystems": ["player"], member: ["a, b"]}]
    assert meaning(export_again(tmp_path)) == meaning(document)


def test_collider_and_trigger_on_one_node_and_on_children(tmp_path):
    body = add("Body")
    body.omi_body.motion_type = "STATIC"
    collide(body, "BOX")
    body.omi_body.trigger.enabled = True
    body.omi_body.trigger.shape.type = "SPHERE"
    body.omi_body.trigger.shape.radius = 2.0
    collide(add("Child", parent=body), "SPHERE")
    document = export(tmp_path)
    assert set(body_of(document, "Body")) == {"motion", "collider", "trigger"}
    assert set(body_of(document, "Child")) == {"collider"}
    assert shapes_of(document)[body_of(document, "Body")["trigger"]["shape"]] == {
        "type": "sphere",
        "sphere": {"radius": 2},
    }
    assert meaning(export_again(tmp_path)) == meaning(document)


def add_trigger(obj, shape="BOX", *parts):
    trigger = obj.omi_body.trigger
    trigger.enabled = True
    trigger.shape.type = shape
    for part in parts:
        trigger.nodes.add().node = part
    return obj


def test_a_compound_trigger_names_the_nodes_below(tmp_path):
    whole = add("Whole")
    parts = [add_trigger(add(f"Part {index}", parent=whole)) for index in range(3)]
    add_trigger(whole, "NONE", *parts[1:])
    document = export(tmp_path)
    trigger = body_of(document, "Whole")["trigger"]
    names = [document["nodes"][index]["name"] for index in trigger["nodes"]]
    assert names == ["Part 1", "Part 2"]
    assert set(trigger) == {"nodes"}
    assert meaning(export_again(tmp_path)) == meaning(document)


def test_parts_that_cannot_form_a_trigger_are_findings(tmp_path, caplog):
    whole, aside = add("Whole"), add_trigger(add("Aside"))
    part = add_trigger(add("Part", parent=whole))
    plain = add("Plain", parent=whole)
    add_trigger(whole, "NONE", aside, plain, whole, part)
    document = export(tmp_path)
    (index,) = body_of(document, "Whole")["trigger"]["nodes"]
    assert document["nodes"][index]["name"] == "Part"
    assert caplog.text.count("OMI-B008 Whole") == 2
    assert "OMI-B010 Whole" in caplog.text


def test_blenders_compound_parent_and_its_children_are_one_body(tmp_path):
    parent = block("Parent")
    child = block("Child", parent=parent, location=(3, 0, 0))
    make_rigid(parent, child)
    parent.rigid_body.collision_shape = "COMPOUND"
    child.rigid_body.collision_shape = "SPHERE"
    document = export(tmp_path)
    assert set(body_of(document, "Parent")) == {"motion"}
    assert set(body_of(document, "Child")) == {"collider"}
    for rigid_bodies in (False, True):
        again = export_again(tmp_path, rigid_bodies=rigid_bodies)
        assert meaning(again) == meaning(document)
    parent, child = bpy.data.objects["Parent"], bpy.data.objects["Child"]
    assert parent.rigid_body.collision_shape == "COMPOUND"
    assert child.rigid_body.collision_shape == "SPHERE"


def test_a_body_with_its_shape_on_a_node_below_collides_in_blender_too(tmp_path):
    make_rigid(block("Door", low=(0, 0, 0), high=(1, 0.1, 2)), collision_shape="BOX")
    document = export(tmp_path)
    for rigid_bodies in (False, True):
        again = export_again(tmp_path, rigid_bodies=rigid_bodies)
        assert meaning(again) == meaning(document)
        assert len(again["nodes"]) == len(document["nodes"])
    assert bpy.data.objects["Door"].rigid_body.collision_shape == "BOX"


def test_a_collider_can_be_turned_off_beside_a_rigid_body(tmp_path):
    body = block("Body")
    make_rigid(body)
    body.omi_body.collider.source = "NONE"
    assert set(body_of(export(tmp_path), "Body")) == {"motion"}


def document_of(*nodes, shapes=(), **body):
    extensions = {"OMI_physics_shape": {"shapes": list(shapes)}, "OMI_physics_body": body}
    return {
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
        "extensions": {name: value for name, value in extensions.items() if value},
        "nodes": list(nodes),
        "scenes": [{"nodes": [0]}],
        "scene": 0,
    }


def node(name, *, children=(), **body):
    found = {"name": name, "extensions": {"OMI_physics_body": body}}
    return found | ({"children": list(children)} if children else {})


BOX = {"type": "box", "box": {"size": [1, 2, 3]}}
GOOD = node("Good", motion={"type": "static"}, collider={"shape": 0})


@pytest.mark.parametrize(
    ("bad", "code", "kept"),
    [
        ({"collider": {"shape": 7}}, "OMI-S003", {"collider": {"shape": -1}}),
        ({"collider": {"shape": 10**18}}, "OMI-S003", {"collider": {"shape": -1}}),
        ({"collider": {"shape": "x"}}, "OMI-J421", {"collider": {"shape": -1}}),
        (
            {"collider": {"shape": 0, "physicsMaterial": 3}},
            "OMI-B007",
            {"collider": {"shape": 0}},
        ),
        (
            {"collider": {"shape": 0, "collisionFilter": 3}},
            "OMI-B007",
            {"collider": {"shape": 0}},
        ),
        ({"collider": {"shape": 1}}, "OMI-S004", {"collider": {"shape": -1}}),
        ({"motion": {"type": "floating"}}, "OMI-B002", {"motion": {"type": "floating"}}),
        ({"motion": {"type": "dynamic", "mass": -2}}, "OMI-B003", {"motion": {"type": "dynamic"}}),
        ({"motion": {"type": "dynamic", "mass": 0}}, "OMI-B003", {"motion": {"type": "dynamic"}}),
        ({"trigger": {"nodes": [0]}}, "OMI-B009", {"trigger": {"shape": -1}}),
        ({"trigger": {"nodes": [1]}}, "OMI-B009", {"trigger": {"shape": -1}}),
        ({"trigger": {"nodes": [99]}}, "OMI-B008", {"trigger": {"shape": -1}}),
        ({"trigger": {"nodes": [2]}}, "OMI-B010", {"trigger": {"shape": -1}}),
    ],
)
def test_bad_input_is_a_finding_that_names_the_node_and_the_rest_arrives(
    tmp_path, caplog, bad, code, kept
):
    document = document_of(
        node("Top", children=[1, 3], trigger={"shape": 0}),
        node("Bad", children=[2], **bad),
        {"name": "Below"},
        GOOD,
        shapes=[BOX, {"type": "trimesh", "trimesh": {"mesh": 5}}],
    )
    import_document(tmp_path, document)
    assert f"{code}" in caplog.text
    assert "'Bad': " in caplog.text
    again = export(tmp_path)
    assert body_of(again, "Bad") == kept
    good = meaning(again)["Good"]
    assert good["motion"]["type"] == "static"
    assert good["collider"]["shape"] == BOX


@pytest.mark.parametrize(
    ("shape", "written"),
    [
        ({"type": "box", "box": {"size": [1, -1, 1]}}, {"type": "box", "box": {"size": [1, 1, 1]}}),
        (
            {"type": "sphere", "sphere": {"radius": 0}},
            {"type": "sphere", "sphere": {"radius": 0.5}},
        ),
    ],
)
def test_bad_sizes_are_findings_and_take_the_default(tmp_path, caplog, shape, written):
    import_document(tmp_path, document_of(node("Bad", collider={"shape": 0}), shapes=[shape]))
    assert "OMI-S002" in caplog.text
    assert shapes_of(export(tmp_path)) == [written]


def test_an_unknown_shape_type_is_kept_for_the_next_export(tmp_path, caplog):
    torus = {"type": "VENDOR_torus", "VENDOR_torus": {"radius": 1.5}, "name": "Ring"}
    import_document(tmp_path, document_of(node("Ring", collider={"shape": 0}), shapes=[torus]))
    assert "OMI-S001" in caplog.text
    assert shapes_of(export(tmp_path)) == [torus]


def test_what_nothing_refers_to_and_unknown_members_are_kept(tmp_path):
    document = document_of(
        node("Body", collider={"shape": 1, "extras": {"a": 1}}, trigger={"shape": 1}),
        shapes=[BOX, {"type": "sphere", "sphere": {"radius": 0.25, "extras": {"b": 2}}}],
        physicsMaterials=[{"name": "Ice", "staticFriction": 0.1, "extensions": {"X": {"y": 1}}}],
        extras={"c": 3},
    )
    import_document(tmp_path, document)
    again = export(tmp_path)
    assert meaning(again) == meaning(document)
    assert BOX in shapes_of(again)
    assert again["extensions"]["OMI_physics_body"] == document["extensions"]["OMI_physics_body"]


def test_an_array_of_a_wrong_type_costs_only_itself(tmp_path, caplog):
    document = document_of(node("Body", motion={"type": "static"}, collider={"shape": 0}))
    document["extensions"] = {
        "OMI_physics_shape": {"shapes": 7},
        "OMI_physics_body": {"physicsMaterials": {}},
    }
    import_document(tmp_path, document)
    assert caplog.text.count("OMI-J421") == 2
    assert body_of(export(tmp_path), "Body")["motion"] == {"type": "static"}


def test_two_files_in_one_run_keep_their_own_shapes(tmp_path):
    files = []
    for name, size in (("one", [1, 1, 1]), ("two", [2, 2, 2])):
        shapes = [{"type": "box", "box": {"size": size}}]
        file = tmp_path / f"{name}.gltf"
        document = document_of(node(name, collider={"shape": 0}), shapes=shapes)
        file.write_text(json.dumps({"asset": {"version": "2.0"}} | document))
        files.append({"name": file.name})
    bpy.ops.import_scene.gltf(directory=str(tmp_path), files=files)
    again = meaning(export(tmp_path))
    assert again["one"]["collider"]["shape"]["box"]["size"] == [1, 1, 1]
    assert again["two"]["collider"]["shape"]["box"]["size"] == [2, 2, 2]


def test_lengths_follow_the_unit_scale_as_the_nodes_do(tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.01
    import_document(tmp_path, document_of(node("Body", collider={"shape": 0}), shapes=[BOX]))
    size = tuple(bpy.data.objects["Body"].omi_body.collider.shape.size)
    # 1, 2, 3 m along glTF's x, y, z are 100, 300, 200 of Blender's centimetres along x, y, z.
    assert size == pytest.approx((100.0, 300.0, 200.0))
