"""Formats of physics scenes, free of Blender, one room per format."""
