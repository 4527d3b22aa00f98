"""Pages of the documentation lead to each other, and no picture is left over."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
LINK = re.compile(r"\]\(([^)\s]+)\)")
THEMES = {"only-light", "only-dark"}
"""Ends of addresses of pictures that the site shows in one theme."""
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """Return the file and the anchor of each link of a page into the repository."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if not link.startswith(("http:", "https:")):
            path, _, anchor = link.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as repositories and the site make them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[`*]|\]\([^)]*\)|\[", "", title).lower() for title in titles)
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for path, anchor in links(page):
        assert path.exists(), f"{page.name}: {path.relative_to(ROOT)} does not exist"
        if anchor in THEMES and path.suffix != ".md":
            continue
        assert not anchor or anchor in anchors(path), f"{page.name}: no #{anchor} in {path.name}"


def test_every_page_is_reached_from_the_index() -> None:
    reached, left = set(), [ROOT / "docs" / "index.md"]
    while left:
        page = left.pop()
        if page.suffix == ".md" and page not in reached:
            reached.add(page)
            left += [path for path, _ in links(page)]
    pages = set((ROOT / "docs").rglob("*.md")) - {ROOT / "docs" / "listing.md"}
    assert pages - reached == set()


def test_every_picture_is_shown() -> None:
    shown = {path for page in PAGES for path, _ in links(page)}
    kinds = {".png", ".svg", ".webp"}
    pictures = {path for path in (ROOT / "docs" / "pictures").iterdir() if path.suffix in kinds}
    assert pictures - shown == set()


def test_the_changelog_tells_each_change_once() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    changes = [" ".join(each.split()) for each in re.split(r"^(?:- |#+ )", text, flags=re.M)]
    assert [each for each, count in Counter(changes).items() if count > 1 and each] == []
