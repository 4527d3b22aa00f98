"""The page of all checks says what the code does."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

import omi_joints
from examples.rules.pair import Pair, all_pairs
from omi_joints_addon.cli.explain import examples
from omi_joints_addon.cli.rule_list import all_rules


def _tool(repository: Path, name: str = "checks_page") -> Any:
    spec = importlib.util.spec_from_file_location(name, repository / "tools" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_are_up_to_date(repository: Path) -> None:
    docs = repository / "docs"
    files = [docs / "checks.md", *(docs / "checks").iterdir()]
    kept = {path.relative_to(docs).as_posix(): path.read_text("utf-8") for path in files}
    assert kept == _tool(repository).pages(), "run tools/checks_page.py"


def test_pages_have_every_rule_once(repository: Path) -> None:
    text = "\n".join(_tool(repository).pages().values())
    codes = re.findall(r"^## (OMI-\w+)$", text, re.MULTILINE)
    assert sorted(codes) == sorted(all_rules())


@pytest.mark.slow
def test_examples_are_up_to_date(repository: Path) -> None:
    tool = _tool(repository, "rule_examples")
    assert tool.FILE.read_text("utf-8") == tool.text(), "run tools/rule_examples.py"
    kept = {path.name: path.read_text("utf-8") for path in tool.PAIRS.iterdir()}
    assert kept == tool.pair_files(), "run tools/rule_examples.py"


def test_example_is_the_part_of_a_file_that_breaks_the_rule(repository: Path) -> None:
    """Each value is what the file has at its place."""
    of_gltf = {code: each for code, each in examples().items() if "parts" in each}
    for code, example in of_gltf.items():
        document = json.loads((repository / example["file"]).read_text("utf-8"))
        assert example["parts"], code
        for part in example["parts"]:
            assert _at(document, part["place"]) == part["value"], (code, part["place"])


@pytest.mark.slow
def test_each_file_breaks_the_rule_that_it_is_an_example_of(repository: Path) -> None:
    codes: dict[str, set[str]] = {}
    for code, example in examples().items():
        if "parts" in example:
            codes.setdefault(example["file"], set()).add(code)
    for file, expected in codes.items():
        found = {each.code for each in omi_joints.check(repository / file, engine="any")}
        assert expected <= found, file


@pytest.mark.slow
@pytest.mark.parametrize("pair", list(all_pairs()), ids=lambda pair: pair.code)
def test_pairs_differ_by_the_finding_that_they_are_an_example_of(
    pair: Pair, repository: Path
) -> None:
    folder = repository / "examples" / "rules" / "files"
    if pair.suffix == ".usda":
        pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
    bad, cured = (
        {found.code for found in omi_joints.check(folder / name, engine=pair.engine)}
        for name in (pair.bad_name, pair.cured_name)
    )
    assert bad - cured == {pair.code, *pair.also}


def _at(document: Any, pointer: str) -> Any:
    """Return what is at a JSON pointer, None where nothing is."""
    for word in pointer.split("/")[1:]:
        document = document.get(word) if isinstance(document, dict) else document[int(word)]
    return document


OF_SCENES = {
    *("OMI-B069", "OMI-B070", "OMI-J025", "OMI-J306", "OMI-S008"),
    *("OMI-B011", "OMI-B014", "OMI-B044", "OMI-B045", "OMI-B046", "OMI-B047", "OMI-B048"),
    *("OMI-B049", "OMI-B050", "OMI-J001", "OMI-J002", "OMI-J003", "OMI-J004", "OMI-J019"),
    *("OMI-B051", "OMI-B052", "OMI-B053", "OMI-B054"),
    *("OMI-J020", "OMI-J022", "OMI-J026", "OMI-U053", "OMI-B058", "OMI-B059", "OMI-J463"),
}
"""Rules of what Blender scenes hold."""
OF_WRITING = {
    *("OMI-J440", "OMI-J441", "OMI-J442", "OMI-J443", "OMI-J445", "OMI-J448", "OMI-J452"),
    *("OMI-J453", "OMI-J457", "OMI-J458", "OMI-J459", "OMI-J488", "OMI-J489", "OMI-J495"),
    *("OMI-J491", "OMI-J492", "OMI-J493", "OMI-J496", "OMI-M009"),
    *("OMI-J460", "OMI-S005", "OMI-S006", "OMI-S007"),
}
"""Rules of imports, exports and comparisons."""
OF_BYTES = {"OMI-J410", "OMI-J413", "OMI-J415", "OMI-J420", "OMI-J425"}
"""Rules of binary containers, encodings, nesting, numbers of findings, and no JSON at all."""


def test_every_rule_that_a_text_can_break_has_an_example() -> None:
    without = {code for code in all_rules() if code not in examples()}
    of_simulation = {code for code in without if code.startswith("OMI-P0")}
    assert without == OF_SCENES | OF_WRITING | OF_BYTES | of_simulation
