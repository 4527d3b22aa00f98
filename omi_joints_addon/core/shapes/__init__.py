"""Collision shapes: fitting, hulls, inertia, outlines."""
