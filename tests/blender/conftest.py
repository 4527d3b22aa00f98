"""Every test of this layer starts from an empty file with the add-on enabled."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _fresh(empty_scene: None) -> None:
    pass


@pytest.fixture
def no_preview_left() -> Iterator[None]:
    """Stop the preview that a test leaves."""
    yield
    from omi_joints_addon.preview.session import stop

    stop()
