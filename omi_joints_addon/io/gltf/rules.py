"""Rules about exporting to and importing from glTF in Blender."""

from ...core.findings.finding import ERROR, WARNING, rule

BODY_LEFT_OUT = rule(
    "OMI-B011",
    ERROR,
    "{problem}; the body is left out",
    reason="A value that JSON cannot hold must not reach the file.",
)
BODY_ON_BONE = rule(
    "OMI-B012",
    WARNING,
    "the node became a bone of an armature, which cannot be a body; its physics is left out",
    reason="Blender's importer makes bones of nodes that a skin refers to.",
)
ANIMATED_FRAME = rule(
    "OMI-J440",
    WARNING,
    "the attachment frame is animated; the file has it where it is now, at rest",
    reason="OMI_physics_joint: changing attachment frames at runtime is not supported.",
)
UNIT_SCALE = rule(
    "OMI-J445",
    WARNING,
    "the unit scale of the scene is {scale:g}: Blender imports positions {factor:g} times as "
    "large, and lengths of joints with them; forces and masses stay",
    reason="Blender's importer divides positions by the unit scale, its exporter writes them "
    "as is.",
)
UNEVEN_SCALE = rule(
    "OMI-S005",
    WARNING,
    "the {type} cannot take the uneven scale {scale}; it is written as large as the scaled "
    "one at its widest, so apply the scale",
    reason="OMI_physics_shape: spheres and capsules stay round.",
)
MESH_WITHOUT_TRIANGLES = rule(
    "OMI-S006",
    WARNING,
    "the {type} needs a mesh with triangles and has none; no shape is written",
    reason="OMI_physics_shape: the mesh of convex and trimesh has at least one triangle.",
)
TRIANGLES_IN_MOTION = rule(
    "OMI-S007",
    WARNING,
    "the triangle mesh is part of a dynamic body; most engines want convex shapes there",
    reason="OMI_physics_shape: trimesh is for static bodies in most engines.",
)
