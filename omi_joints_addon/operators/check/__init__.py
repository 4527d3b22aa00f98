"""Operators of findings."""
