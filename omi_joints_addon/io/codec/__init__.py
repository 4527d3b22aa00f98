"""Document JSON to core values and back, one module per format; no Blender."""
