"""OMI_physics_gravity: the gravity of a scene, on the document. SI units.

Volumes with a gravity of their own, on nodes, are kept and named (`unread`).
"""

EXTENSION = "OMI_physics_gravity"
