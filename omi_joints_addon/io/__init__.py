"""Exchange with files: codecs (no Blender) and the glue to Blender's own exporters and importers."""
