"""Exact changes of settings and scenes."""
