"""Operators of joints."""
