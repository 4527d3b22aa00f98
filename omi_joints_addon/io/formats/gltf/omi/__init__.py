"""OMI_physics_joint, OMI_physics_body and OMI_physics_shape: JSON to core values and back."""
