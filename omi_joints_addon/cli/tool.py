"""What this program calls itself in its reports."""

from pathlib import Path

NAME = "omi-joints"


def version() -> str:
    """Return the version, which only the extension's manifest has."""
    import tomllib

    manifest = Path(__file__).parents[1] / "blender_manifest.toml"
    return str(tomllib.loads(manifest.read_text("utf-8"))["version"])
