"""Joints of a Blender scene as GPU batches, for the viewport (`gizmos`) and for pictures (`io`)."""
