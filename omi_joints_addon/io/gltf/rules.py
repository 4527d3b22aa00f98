"""Rules about exporting to and importing from glTF in Blender."""

from ...core.findings.finding import ERROR, WARNING, rule

TRIGGER_NODE_ELSEWHERE = rule(
    "OMI-B008",
    WARNING,
    "node {index} of the compound trigger is no node below it; it is ignored",
    reason="OMI_physics_body: nodes of a trigger are descendants of its node.",
)
TRIGGER_IN_CIRCLE = rule(
    "OMI-B009",
    WARNING,
    "node {index} of the compound trigger leads back to it; it is ignored",
    reason="A trigger that is part of itself has no volume.",
)
NODE_WITHOUT_TRIGGER = rule(
    "OMI-B010",
    WARNING,
    "node {index} of the compound trigger has no trigger; it adds nothing",
    reason="OMI_physics_body: nodes of a trigger have a trigger of their own.",
)
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
NO_SUCH_CONNECTED_NODE = rule(
    "OMI-J442",
    WARNING,
    "there is no node {index} in the file to be connected to; set the connected object",
    reason="node.OMI_physics_joint: connectedNode is an index into the document's nodes.",
)
SETTINGS_WITHOUT_LIMITS = rule(
    "OMI-J443",
    WARNING,
    "the joint settings {index} have no limits; the joint is free",
    reason="A joint without limits allows every motion.",
)
UNIT_SCALE = rule(
    "OMI-J445",
    WARNING,
    "the unit scale of the scene is {scale:g}: Blender imports positions {factor:g} times as "
    "large, and lengths of joints with them; forces and masses stay",
    reason="Blender's importer divides positions by the unit scale, its exporter writes them "
    "as is.",
)
NO_SUCH_MESH = rule(
    "OMI-S004",
    WARNING,
    "the {type} shape refers to mesh {mesh}, which is none of the file; the node has no shape",
    reason="OMI_physics_shape: convex and trimesh refer to a mesh by index.",
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
