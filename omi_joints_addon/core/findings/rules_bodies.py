"""Rules about bodies (B0xx) and shapes (S0xx)."""

from .rule import Rule, Severity

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

BODY_RULES: dict[str, Rule] = {
    "OMI-B001": Rule(
        _WARNING,
        "the motion has no type; it is taken as {default!r}",
        "OMI_physics_body: type of a motion is required.",
    ),
    "OMI-B002": Rule(
        _WARNING,
        "the motion type {type!r} is none that is known; it is kept",
        "OMI_physics_body: type is static, kinematic or dynamic; other extensions may add more.",
    ),
    "OMI-B003": Rule(
        _WARNING,
        "the mass is {value}, it must be above zero; it is ignored",
        "OMI_physics_body: mass in kilograms; no engine can move a body without mass.",
    ),
    "OMI-B004": Rule(
        _WARNING,
        "the inertia orientation is no rotation, its length is {length:g}; it is ignored",
        "OMI_physics_body: inertiaOrientation is a quaternion, whose length is 1.",
    ),
    "OMI-B005": Rule(
        _WARNING,
        "the collision filter both allows and forbids systems; what it forbids is ignored",
        "OMI_physics_body: collideWithSystems and notCollideWithSystems exclude each other.",
    ),
    "OMI-B006": Rule(
        _WARNING,
        "the combine mode {word!r} is none that is known; it is kept",
        "OMI_physics_body: average, minimum, maximum or multiply.",
    ),
    "OMI-B007": Rule(
        _WARNING,
        "there is no {name} {index} in the file; the reference is ignored",
        "OMI_physics_body: references are indices into the document's arrays.",
    ),
    "OMI-B008": Rule(
        _WARNING,
        "node {index} of the compound trigger is no node below it; it is ignored",
        "OMI_physics_body: nodes of a trigger are descendants of its node.",
    ),
    "OMI-B009": Rule(
        _WARNING,
        "node {index} of the compound trigger leads back to it; it is ignored",
        "A trigger that is part of itself has no volume.",
    ),
    "OMI-B010": Rule(
        _WARNING,
        "node {index} of the compound trigger has no trigger; it adds nothing",
        "OMI_physics_body: nodes of a trigger have a trigger of their own.",
    ),
    "OMI-B011": Rule(
        _ERROR,
        "{problem}; the body is left out",
        "A value that JSON cannot hold must not reach the file.",
    ),
    "OMI-B012": Rule(
        _WARNING,
        "the node became a bone of an armature, which cannot be a body; its physics is left out",
        "Blender's importer makes bones of nodes that a skin refers to.",
    ),
    "OMI-B013": Rule(
        _WARNING,
        "the body is below the moving body {above!r}; an engine that keeps the tree of nodes, such "
        "as Godot, moves it along, so place it beside",
        "OMI_physics_body: a descendant with its own motion is an independent body.",
    ),
    "OMI-B014": Rule(
        _WARNING,
        "the mass of the dynamic body is {mass:g}, it must be above zero",
        "OMI_physics_body: mass in kilograms; no engine can move a body without mass.",
    ),
    "OMI-B015": Rule(
        _WARNING,
        "no body has the moments of inertia {moments}: the largest is more than the other two "
        "together; work them out from the shape",
        "Principal moments obey the triangle inequality.",
    ),
    "OMI-B041": Rule(
        _INFO,
        "the motion has no mass, an engine works it out from the colliders; "
        "it is {mass:g} kg until set",
        "KHR_physics_rigid_bodies: mass and inertia that are not provided should be calculated.",
    ),
    "OMI-B042": Rule(
        _WARNING,
        "the mass is 0, which stands for infinity; the body is read as kinematic",
        "KHR_physics_rigid_bodies: zero in mass is infinite, as for isKinematic; "
        "OMI_physics_body has no infinite mass.",
    ),
    "OMI-B043": Rule(
        _WARNING,
        "a moment of inertia is 0, which stands for infinity; lock the axis by a joint instead",
        "KHR_physics_rigid_bodies: zero in inertiaDiagonal is infinite; in OMI_physics_body the "
        "engine works it out.",
    ),
    "OMI-B044": Rule(
        _WARNING,
        "the Rigid Body Constraint is switched off or does not name two rigid bodies; it does "
        "nothing in Blender and is left out",
        "Blender simulates constraints between two rigid bodies.",
    ),
    "OMI-B045": Rule(
        _WARNING,
        "Blender limits several angles of the Rigid Body Constraint as Euler angles, the joint "
        "each by its own twist: the same for small angles only",
        "OMI_physics_joint: an angular limit on one axis bounds the rotation about it.",
    ),
    "OMI-B046": Rule(
        _WARNING,
        "the Rigid Body Constraint is breakable; a joint does not break",
        "OMI_physics_joint has no breaking force.",
    ),
    "OMI-B047": Rule(
        _WARNING,
        "the motor of the Rigid Body Constraint has its full force up to the target velocity; "
        "the drive has damping {damping:g}, full force up to a hundredth below it",
        "OMI_physics_joint: the force of a drive is damping times the missing velocity.",
    ),
    "OMI-B048": Rule(
        _WARNING,
        "the springs of the Rigid Body Constraint are those of Blender 2.7, whose damping is of "
        "another kind; set the damping of the drives",
        "Measured: springs of Blender 2.8 on have a damping in N·s/m.",
    ),
    "OMI-B049": Rule(
        _WARNING,
        "the angular springs of the Rigid Body Constraint are not exact in Blender: there the "
        "stiffness depends on how far the bodies are from the joint",
        "Measured: exact is a torque in N·m/rad, as that of a drive.",
    ),
    "OMI-S001": Rule(
        _WARNING,
        "the shape type {type!r} is none that is known; it is kept as it is",
        "OMI_physics_shape: box, sphere, capsule, cylinder, convex or trimesh.",
    ),
    "OMI-S002": Rule(
        _WARNING,
        "{name} is {value}, it must be above zero; the default is used",
        "OMI_physics_shape: sizes are positive.",
    ),
    "OMI-S003": Rule(
        _WARNING,
        "there is no shape {index} in the file; the node has none",
        "OMI_physics_shape: shapes are referred to by index.",
    ),
    "OMI-S004": Rule(
        _WARNING,
        "the {type} shape refers to mesh {mesh}, which is none of the file; the node has no shape",
        "OMI_physics_shape: convex and trimesh refer to a mesh by index.",
    ),
    "OMI-S005": Rule(
        _WARNING,
        "the {type} cannot take the uneven scale {scale}; it is written as large as the scaled one "
        "at its widest, so apply the scale",
        "OMI_physics_shape: spheres and capsules stay round.",
    ),
    "OMI-S006": Rule(
        _WARNING,
        "the {type} needs a mesh with triangles and has none; no shape is written",
        "OMI_physics_shape: the mesh of convex and trimesh has at least one triangle.",
    ),
    "OMI-S007": Rule(
        _WARNING,
        "the triangle mesh is part of a dynamic body; most engines want convex shapes there",
        "OMI_physics_shape: trimesh is for static bodies in most engines.",
    ),
    "OMI-S040": Rule(
        _WARNING,
        "there is no geometry here; the shapes of the nodes below count",
        "KHR_physics_rigid_bodies: a collider or trigger has a geometry.",
    ),
    "OMI-S041": Rule(
        _WARNING,
        "the geometry names no shape and no node with a mesh; there is no shape",
        "KHR_physics_rigid_bodies: a geometry has a shape, or a node that carries a mesh.",
    ),
}
