"""Glue to Blender's own glTF exporter and importer."""

from . import rules as rules
