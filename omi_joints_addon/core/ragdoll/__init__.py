"""Ragdolls: which bones of an armature are bodies, their shapes, masses, and the limits between."""
