"""The manual's pictures of the window show the panels that there are."""

import importlib.util
from pathlib import Path


def test_pictures_are_of_the_panels_of_today(repository: Path) -> None:
    """Names only: a panel that is new, gone or renamed has pictures taken again."""
    path = repository / "docs" / "pictures" / "panel_names.py"
    spec = importlib.util.spec_from_file_location("panel_names", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shown = module.FILE.read_text(encoding="utf-8")
    assert shown == module.panel_names(), "run make pictures, and look at each"
