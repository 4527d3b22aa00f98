"""OMI_physics_shape: what is read from documents and what is written."""

import json
import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    OtherShape,
    Shape,
    Sphere,
    Trimesh,
    unusable_sizes,
)
from omi_joints_addon.io.formats.gltf.khr import implicit_shapes as khr_implicit_shapes
from omi_joints_addon.io.formats.gltf.members import CodecError
from omi_joints_addon.io.formats.gltf.omi.shape import (
    ShapesDocument,
    document_from_json,
    document_to_json,
    shape_from_json,
    shape_to_json,
)

SIZES = st.floats(min_value=1e-9, max_value=1e9)
CARRIED = st.sampled_from(("", '{"extras": {"a": 1}}'))
COMMON = {"name": st.text(max_size=3), "carried": CARRIED, "geometry_carried": CARRIED}
UPRIGHT = COMMON | {"height": SIZES, "radius_bottom": SIZES, "radius_top": SIZES}
SHAPES = st.one_of(
    st.builds(Box, size=st.tuples(SIZES, SIZES, SIZES), **COMMON),
    st.builds(Sphere, radius=SIZES, **COMMON),
    st.builds(Capsule, **UPRIGHT),
    st.builds(Cylinder, **UPRIGHT),
    st.builds(Convex, mesh=st.integers(0, 9), **COMMON),
    st.builds(Trimesh, mesh=st.integers(0, 9), **COMMON),
    st.builds(OtherShape, type=st.just("VENDOR_torus"), name=st.text(max_size=3), carried=CARRIED),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ("type", "name", "box", "size", "capsule", "radius", "height", "mesh", "shapes")
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(SHAPES)
def test_a_written_shape_reads_as_itself(shape: Shape):
    text = json.dumps(shape_to_json(shape), allow_nan=False)
    assert shape_from_json(json.loads(text), "/s")[0] == shape


@given(JSON)
def test_any_json_reads_or_raises_the_codecs_own_error(value):
    for read in (shape_from_json, document_from_json):
        with suppress(CodecError):
            read(value, "/s")


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ({"type": "box"}, Box(size=(1.0, 1.0, 1.0))),
        ({"type": "sphere"}, Sphere(radius=0.5)),
        ({"type": "capsule"}, Capsule(height=1.0, radius_bottom=0.5, radius_top=0.5)),
        ({"type": "cylinder"}, Cylinder(height=2.0, radius_bottom=0.5, radius_top=0.5)),
        ({"type": "convex"}, Convex(mesh=None)),
        ({"type": "box", "box": {"size": [1, 2, 3]}}, Box(size=(1.0, 2.0, 3.0))),
    ],
)
def test_missing_sizes_take_the_defaults_of_the_specification(value, shape):
    assert shape_from_json(value, "/s") == (shape, [])


def test_one_radius_of_older_files_is_both_radii():
    shape, findings = shape_from_json(
        {"type": "capsule", "capsule": {"height": 0.5, "radius": 0.05}}, "/s"
    )
    assert shape == Capsule(height=0.5, radius_bottom=0.05, radius_top=0.05)
    assert findings == []


def test_a_radius_of_its_own_beats_the_older_common_one():
    value = {"type": "cylinder", "cylinder": {"radius": 2.0, "radiusTop": 1.0}}
    assert shape_from_json(value, "/s")[0] == Cylinder(radius_bottom=2.0, radius_top=1.0)


@pytest.mark.parametrize("type_", [Capsule, Cylinder])
def test_equal_radii_are_written_as_the_older_common_one_too(type_):
    # Godot's importer reads no other.
    value = shape_to_json(type_(height=0.5, radius_bottom=0.05, radius_top=0.05))
    assert value[value["type"]] == {
        "height": 0.5,
        "radius": 0.05,
        "radiusBottom": 0.05,
        "radiusTop": 0.05,
    }


def test_khr_has_no_common_radius():
    document = ShapesDocument(shapes=(Capsule(radius_bottom=0.1, radius_top=0.1),))
    (shape,) = khr_implicit_shapes.document_to_json(document)["shapes"]
    assert shape["capsule"] == {"height": 1.0, "radiusBottom": 0.1, "radiusTop": 0.1}


def test_a_cone_has_one_radius_of_zero():
    value = {"type": "cylinder", "cylinder": {"radiusBottom": 1.0, "radiusTop": 0.0}}
    shape, findings = shape_from_json(value, "/s")
    assert shape == Cylinder(radius_bottom=1.0, radius_top=0.0)
    assert findings == []
    assert shape_to_json(shape)["cylinder"] == {
        "height": 2.0,
        "radiusBottom": 1.0,
        "radiusTop": 0.0,
    }


@pytest.mark.parametrize(
    ("type_", "geometry", "place"),
    [
        ("box", {"size": [1, -2, 3]}, "/s/box/size"),
        ("box", {"size": [1, 0, 3]}, "/s/box/size"),
        ("sphere", {"radius": 0}, "/s/sphere/radius"),
        ("sphere", {"radius": -1}, "/s/sphere/radius"),
        ("capsule", {"height": 0}, "/s/capsule/height"),
        ("cylinder", {"height": -2}, "/s/cylinder/height"),
        ("cylinder", {"radiusBottom": 0, "radiusTop": 0}, "/s/cylinder/radiusBottom"),
        ("capsule", {"radiusTop": -0.5}, "/s/capsule/radiusTop"),
        ("sphere", {"radius": math.nan}, "/s/sphere/radius"),
        ("box", {"size": [1, math.nan, 3]}, "/s/box/size"),
        ("sphere", {"radius": "big"}, "/s/sphere/radius"),
        ("box", {"size": [1, 2]}, "/s/box/size"),
        ("trimesh", {"mesh": -3}, "/s/trimesh/mesh"),
        ("convex", {"mesh": "hull"}, "/s/convex/mesh"),
    ],
)
def test_an_unusable_size_is_a_finding_and_the_default_is_used(type_, geometry, place):
    shape, findings = shape_from_json({"type": type_, type_: geometry}, "/s")
    assert [finding.place for finding in findings] == [place]
    assert shape == shape_from_json({"type": type_}, "/s")[0]


def test_an_unknown_type_is_a_finding_and_comes_back_whole():
    value = {"type": "VENDOR_torus", "VENDOR_torus": {"radius": 1.5, "tube": [0, {}]}, "name": "T"}
    shape, findings = shape_from_json(value, "/s")
    assert [finding.code for finding in findings] == ["OMI-S001"]
    assert shape_to_json(shape) == value


def test_unknown_members_come_back_at_both_levels():
    value = {
        "type": "box",
        "box": {"size": [1.0, 2.0, 3.0], "extras": {"a": [1]}},
        "extensions": {"VENDOR_x": {"y": None}},
    }
    assert shape_to_json(shape_from_json(value, "/s")[0]) == value


def test_a_bad_shape_costs_no_other_shape():
    value = {"shapes": [{"type": "box"}, 7, {"box": {}}, {"type": "sphere"}], "extras": {"k": 1}}
    document, findings = document_from_json(value, "/e")
    assert document.shapes == (Box(), None, None, Sphere())
    assert [finding.place for finding in findings] == ["/e/shapes/1", "/e/shapes/2"]
    assert document_to_json(document)["extras"] == {"k": 1}


@pytest.mark.parametrize(
    "shape",
    [
        Box(size=(1.0, 0.0, 1.0)),
        Box(size=(1.0, math.nan, 1.0)),
        Sphere(radius=math.inf),
        Sphere(radius=-1.0),
        Capsule(height=0.0),
        Cylinder(radius_bottom=0.0, radius_top=0.0),
    ],
)
def test_no_unusable_size_is_ever_written(shape):
    assert unusable_sizes(shape)
    with pytest.raises(CodecError):
        shape_to_json(shape)


def test_a_mesh_shape_without_mesh_is_not_written():
    with pytest.raises(CodecError, match="no mesh"):
        shape_to_json(Trimesh())
