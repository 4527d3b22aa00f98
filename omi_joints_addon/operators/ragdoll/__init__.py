"""Operators of ragdolls on the bones of armatures."""
