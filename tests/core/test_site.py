"""The built manual loads nothing from other hosts; `make release` builds it and asks the same."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def site(repository: Path) -> Any:
    spec = importlib.util.spec_from_file_location("site_tool", repository / "tools" / "site.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<script src="https://cdn.example/shim.js"></script>', ["https://cdn.example/shim.js"]),
        ('<link rel="stylesheet" href="//cdn.example/a.css">', ["//cdn.example/a.css"]),
        ('<a href="https://openusd.org">OpenUSD</a><img src="a.png">', []),
        ('<svg xmlns="http://www.w3.org/2000/svg"></svg>', []),
    ],
)
def test_what_pages_load_from_elsewhere(site: Any, html: str, expected: list[str]) -> None:
    assert site.loaded_from_elsewhere(html) == expected


def test_search_needs_no_script_of_another_host(repository: Path) -> None:
    settings = (repository / "mkdocs.yml").read_text("utf-8")
    assert "polyfills:" in settings
    assert (repository / "docs" / "javascripts" / "iframe-worker.js").is_file()
