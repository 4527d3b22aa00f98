"""Findings and the rules that they come from."""
