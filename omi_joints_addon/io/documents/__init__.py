"""Texts, not physics: what an element of a document says, as data."""
