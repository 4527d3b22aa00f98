"""Pairs of small files for rules of formats other than glTF: one breaks a rule, one does not."""
