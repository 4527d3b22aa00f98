"""KHR_physics_rigid_bodies and KHR_implicit_shapes: JSON to core values and back."""
