"""Glue to Blender's own glTF exporter and importer."""
