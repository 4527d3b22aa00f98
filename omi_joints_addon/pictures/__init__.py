"""Pictures of scenes with their joints drawn, also without a window."""
