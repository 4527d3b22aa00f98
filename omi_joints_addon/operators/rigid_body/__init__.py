"""Operators that turn Blender's rigid bodies and constraints into joints and back."""
