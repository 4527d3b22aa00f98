"""Every test of this layer starts from an empty file with the add-on enabled."""

import pytest


@pytest.fixture(autouse=True)
def _fresh(empty_scene: None) -> None:
    pass
