"""Gravity of a scene through glTF and back."""

import bpy
import pytest

from tests.roundtrip.bodies import block, export, make_rigid
from tests.roundtrip.documents import import_file, write

EXTENSION = "OMI_physics_gravity"


@pytest.mark.parametrize(
    ("gravity", "declared"),
    [
        ((0.0, 0.0, -1.62), {"gravity": pytest.approx(1.62)}),
        ((0.0, 0.0, 0.0), {"gravity": 0.0}),
        (
            (3.0, -4.0, 0.0),
            {"gravity": pytest.approx(5.0), "direction": pytest.approx([0.6, 0.0, 0.8])},
        ),
    ],
)
def test_that_of_the_scene_is_written_and_read(tmp_path, gravity, declared):
    make_rigid(block("Crate"))
    bpy.context.scene.gravity = gravity
    document = export(tmp_path)
    assert document["extensions"][EXTENSION] == declared
    assert EXTENSION in document["extensionsUsed"]
    import_file(write(tmp_path, document))
    assert tuple(bpy.context.scene.gravity) == pytest.approx(gravity)


def test_a_scene_whose_gravity_is_off_is_written_without(tmp_path):
    make_rigid(block("Crate"))
    bpy.context.scene.use_gravity = False
    document = export(tmp_path)
    assert document["extensions"][EXTENSION] == {"gravity": 0.0}


def test_that_of_earth_needs_no_words(tmp_path):
    make_rigid(block("Crate"))
    document = export(tmp_path)
    assert EXTENSION not in document["extensions"]
    bpy.context.scene.gravity = (0.0, 0.0, -3.0)
    assert bpy.ops.import_scene.gltf(filepath=str(write(tmp_path, document))) == {"FINISHED"}
    assert bpy.context.scene.gravity[2] == -3.0


def test_z_up_stays(tmp_path):
    make_rigid(block("Crate"))
    bpy.context.scene.gravity = (0.0, 0.0, -1.62)
    document = export(tmp_path, export_yup=False)
    declared = document["extensions"][EXTENSION]
    assert declared["direction"] == [0.0, 0.0, -1.0]
