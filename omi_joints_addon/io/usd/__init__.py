"""Glue to Blender's own USD exporter and importer."""
