"""What can be done to joints and bodies in Blender, as plain functions: the Python API."""
