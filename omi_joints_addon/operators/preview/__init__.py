"""Operators that preview joints."""
