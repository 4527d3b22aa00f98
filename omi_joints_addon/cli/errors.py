"""What stops a command."""


class CommandError(Exception):
    """Input that a command cannot work with; the text says why in one line."""
