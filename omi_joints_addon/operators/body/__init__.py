"""Operators of bodies and their shapes."""
