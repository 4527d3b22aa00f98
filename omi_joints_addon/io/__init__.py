"""Exchange with files: codecs without Blender, and the glue to Blender's own glTF add-on."""
