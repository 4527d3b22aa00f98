"""Command line, by `python -m omi_joints_addon` and by `blender --command omi_joints`.

A command is a module of its name, with a docstring that its `--help` prints, `arguments(parser)`
and `run(options)`, which returns the exit code. Only the command that is run is imported, and what
it needs beyond that, numpy and Blender among it, when it runs.
"""
