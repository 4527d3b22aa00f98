"""A scene read as core values says what the file says that is exported of it, shape by shape.

The file is read by hand here: node worlds from its JSON, sizes from its shapes.
"""

import bpy
import numpy as np
import pytest
from mathutils import Quaternion, Vector

from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Cylinder, Sphere
from omi_joints_addon.scene.reading import scene_to_core
from tests.roundtrip.bodies import block, collide, export, make_rigid
from tests.roundtrip.documents import BODY, Y_UP, add, add_door

SHAPE = "OMI_physics_shape"
Z_UP = np.linalg.inv(Y_UP)


def file_volumes(document, part):
    """Return by node name the world matrix in Blender's axes and the node's `part`."""
    nodes, found = document["nodes"], {}
    parents = {child: i for i, node in enumerate(nodes) for child in node.get("children", ())}

    def world(index):
        node = nodes[index]
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        local = np.eye(4)
        local[:3, :3] = np.array(Quaternion((w, x, y, z)).to_matrix()) * node.get(
            "scale", (1, 1, 1)
        )
        local[:3, 3] = Vector(node.get("translation", (0, 0, 0)))
        return world(parents[index]) @ local if index in parents else local

    for index, node in enumerate(nodes):
        body = node.get("extensions", {}).get(BODY, {})
        if part in body:
            found[node["name"]] = (Z_UP @ world(index) @ Y_UP, body[part])
    return found


def file_sizes(document, volume):
    """Return type and sizes of the shape of a volume of the file, a box's in Blender's axes."""
    shape = document["extensions"][SHAPE]["shapes"][volume["shape"]]
    sizes = dict(shape.get(shape["type"], {}))
    if "size" in sizes:
        sizes["size"] = [sizes["size"][i] for i in (0, 2, 1)]
    return shape["type"], sizes


def core_sizes(shape):
    """Return what `file_sizes` does of a core shape, radii that are equal once."""
    if isinstance(shape, Box):
        return "box", {"size": list(shape.size)}
    if isinstance(shape, Sphere):
        return "sphere", {"radius": shape.radius}
    kind = "capsule" if isinstance(shape, Capsule) else "cylinder"
    sizes = {"height": shape.height, "radiusBottom": shape.radius_bottom}
    return kind, sizes | {"radiusTop": shape.radius_top}


def assert_equal_volumes(document, core, part):
    volumes = core.colliders if part == "collider" else core.triggers
    written = file_volumes(document, part)
    assert {core.names[node] for node in volumes} == set(written)
    for node, volume in volumes.items():
        matrix, value = written[core.names[node]]
        np.testing.assert_allclose(core.matrices[node], matrix, atol=1e-5)
        if volume.shape is None or isinstance(volume.shape, Convex):
            continue
        kind, sizes = core_sizes(volume.shape)
        file_kind, found = file_sizes(document, value)
        assert kind == file_kind
        if "radius" in found and kind != "sphere":
            found["radiusBottom"] = found["radiusTop"] = found.pop("radius")
        assert {name: pytest.approx(size, rel=1e-6) for name, size in found.items()}.items() <= (
            sizes.items()
        )


def test_shapes_stand_where_the_file_has_them(tmp_path):
    body = add("Body", location=(1, 2, 3), rotation_euler=(0.3, -0.4, 0.5), scale=(2, 2, 2))
    body.omi_body.motion_type = "DYNAMIC"
    collide(body, "BOX", size=(1, 2, 3), offset=(0.5, 0, 0))
    upright = add("Upright", parent=body, location=(0, 1, 0))
    collide(upright, "CAPSULE", height=2.0, radius_bottom=0.2, radius_top=0.3, up="X")
    uneven = add("Uneven", location=(5, 0, 0), scale=(1, 2, 3), rotation_euler=(0, 0, 1))
    collide(uneven, "CYLINDER", height=1.5, radius_bottom=0.5, radius_top=0.5)
    plain = add("Plain", location=(-5, 0, 0))
    collide(plain, "SPHERE", radius=0.75)
    rigid = block("Rigid", low=(-1, -1, 0), high=(1, 1, 4))
    make_rigid(rigid, collision_shape="BOX")
    hull = block("Hull", location=(9, 0, 0))
    collide(hull, "CONVEX")
    document = export(tmp_path)
    core, findings = scene_to_core(bpy.context.scene)
    assert [(found.code, found.place) for found in findings] == [("OMI-S005", "Uneven")]
    assert_equal_volumes(document, core, "collider")
    assert isinstance(core.colliders[core.names.index("Uneven Shape")].shape, Cylinder)


def test_compound_triggers_name_the_nodes_of_their_parts(tmp_path):
    gate = add("Gate")
    gate.omi_body.trigger.enabled = True
    parts = [add(f"Part {n}", parent=gate, location=(n, 0, 0)) for n in range(2)]
    for part in parts:
        part.omi_body.trigger.enabled = True
        part.omi_body.trigger.shape.type = "SPHERE"
        gate.omi_body.trigger.nodes.add().node = part
    parts[1].omi_body.trigger.shape.offset = (0, 0, 1)
    document = export(tmp_path)
    core, _ = scene_to_core(bpy.context.scene)
    assert_equal_volumes(document, core, "trigger")
    (compound,) = [trigger for trigger in core.triggers.values() if trigger.nodes]
    assert {core.names[node] for node in compound.nodes} == {"Part 0", "Part 1 Trigger"}
    written = file_volumes(document, "trigger")["Gate"][1]
    assert {document["nodes"][node]["name"] for node in written["nodes"]} == {
        "Part 0",
        "Part 1 Trigger",
    }


def test_meshes_are_read_when_asked_for():
    hull = block("Hull", low=(0, 0, 0), high=(1, 2, 3))
    collide(hull, "CONVEX")
    shown = block("Shown")
    shown.data = hull.data
    core, _ = scene_to_core(bpy.context.scene)
    (mesh,) = core.meshes
    assert core.colliders[0].shape == Convex(mesh=0)
    assert [visual.mesh for visual in core.visuals.values()] == [0, 0]
    data = mesh.read()
    assert data.points.max(axis=0).tolist() == [1, 2, 3]
    assert len(data.triangles) == 12
    a, b, c = np.moveaxis(data.points[data.triangles], 1, 0)
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 == pytest.approx(6.0)
    bpy.data.objects.remove(hull)
    bpy.data.objects.remove(shown)
    with pytest.raises(ValueError, match="removed"):
        mesh.read()


def test_modifiers_count_where_a_graph_evaluates_them():
    wide = block("Wide")
    collide(wide, "CONVEX")
    modifier = wide.modifiers.new("Row", "ARRAY")
    modifier.count, modifier.relative_offset_displace = 3, (1, 0, 0)
    bpy.context.view_layer.update()
    for graph, width in ((None, 2.0), (bpy.context.evaluated_depsgraph_get(), 6.0)):
        core, _ = scene_to_core(bpy.context.scene, depsgraph=graph)
        points = core.meshes[0].read().points
        assert np.ptp(points[:, 0]) == pytest.approx(width)


def test_materials_filters_and_carried_members_are_read():
    floor = add("Floor")
    collide(floor, "BOX")
    collider = floor.omi_body.collider
    collider.material.use_material, collider.material.static_friction = True, 0.9
    collider.collision_filter.use_filter = True
    collider.collision_filter.systems.add().system = "ground"
    collider.carried = '{"extras":1}'
    floor.omi_body.carried = '{"extras":2}'
    bpy.context.scene.omi_physics.bodies_carried = '{"extras":3}'
    _wall, _door, joint, _connected = add_door()
    joint.omi_joint.carried = '{"extras":4}'
    core, _ = scene_to_core(bpy.context.scene)
    read = core.colliders[core.names.index("Floor")]
    assert read.material.static_friction == 0.9
    assert read.collision_filter.collision_systems == ("ground",)
    assert read.carried == '{"extras":1}'
    node = core.names.index("Floor")
    assert core.carried["gltf"] == {"bodies": '{"extras":3}', "node_bodies": {node: '{"extras":2}'}}
    assert core.joints[0].carried == '{"extras":4}'


def test_a_shape_beside_a_joint_that_has_its_own_node_is_none_on_the_joint():
    _wall, _door, joint, _connected = add_door()
    collide(joint, "BOX", offset=(1, 0, 0))
    core, _ = scene_to_core(bpy.context.scene)
    assert "collider" not in core.carries.get(core.names.index("Joint"), ())
    assert core.carries[core.names.index("Joint Shape")] == {"collider"}
