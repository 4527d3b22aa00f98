"""The joint model and its meaning: plain values, no Blender, no file access."""
