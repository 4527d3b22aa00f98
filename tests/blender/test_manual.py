"""Buttons and F1 open the page of the manual that belongs to what is under them."""

import re
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

from omi_joints_addon import manual
from omi_joints_addon.classes import classes_of
from omi_joints_addon.panels.places import Documented
from omi_joints_addon.registration import PARTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the extension have its manual, with an empty file for each page of the documentation."""
    for page in (ROOT / "docs").rglob("*.md"):
        file = tmp_path / page.relative_to(ROOT / "docs").with_suffix(".html")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    monkeypatch.setattr(manual, "_FOLDER", tmp_path)
    manual.address.cache_clear()
    yield tmp_path
    manual.address.cache_clear()


def opened_by_f1(name: str) -> str | None:
    """Return the address that Blender's own operator finds."""
    return bpy.types.WM_OT_doc_view_manual._lookup_rna_url(name, verbose=False)


def headings(page: str) -> set[str]:
    """Return the anchors of a page, as Markdown makes them of headings."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    titles = (line.lstrip("# ") for line in lines if line.startswith("#"))
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", t).strip().lower()) for t in titles}


def test_each_panel_has_its_page(released: Path) -> None:
    classes = [cls for part in PARTS for cls in classes_of(part)]
    panels = [cls for cls in classes if issubclass(cls, Documented)]
    assert len(panels) >= 6
    for panel in panels:
        assert manual.address(panel.page) == (released / f"{panel.page}.html").as_uri()


def test_f1_opens_the_operator(released: Path) -> None:
    found = opened_by_f1("bpy.ops.omi.joint_ends_swap")
    page, _, anchor = found.partition("#")
    assert page == (released / "reference" / "operators.html").as_uri()
    assert anchor in headings("reference/operators.md")


def test_f1_opens_the_property(released: Path) -> None:
    found = opened_by_f1("bpy.types.OMI_PG_joint_limit.stiffness")
    page, _, anchor = found.partition("#")
    assert page == (released / "reference" / "properties.html").as_uri()
    assert anchor in headings("reference/properties.md")


def test_every_place_that_f1_knows_exists(released: Path) -> None:
    _start, places = manual.references()
    for _pattern, place in places:
        page, _, anchor = place.partition("#")
        assert (released / page).exists()
        assert not anchor or anchor in headings(page.replace(".html", ".md")), place


def test_without_the_manual_the_page_on_the_web_opens() -> None:
    assert manual.address("preview") == manual.website()
    assert opened_by_f1("bpy.ops.omi.joint_ends_swap") == manual.website()


def test_blenders_own_manual_stays(released: Path) -> None:
    assert "docs.blender.org" in opened_by_f1("bpy.types.Object.location")
