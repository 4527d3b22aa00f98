"""Every place that a finding about a glTF document names is a JSON pointer that resolves."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.core.engines.engines import ENGINES
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.checking import check
from omi_joints_addon.io.formats.format import Source
from tests.cases import cases
from tests.hostile import Document, door_of_everything, sound_documents
from tests.mutation import damage
from tests.tally import Faults, Tally


def dangling(document: Any, path: Path) -> list[tuple[str, str]]:
    """Return code and place of the findings, of all engines, whose place does not resolve."""
    path.write_text(json.dumps(document), "utf-8")
    (read,) = registry.format_of(path).read(Source(path=path))
    found = {(each.code, each.place) for engine in ENGINES.values() for each in check(read, engine)}
    return sorted(pair for pair in found if not resolves(document, pair[1]))


def resolves(document: Any, pointer: str) -> bool:
    """Return whether a JSON pointer (RFC 6901) leads to something; empty is the document."""
    head, *parts = pointer.split("/")
    value = document
    for part in parts:
        key = part.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, TypeError, ValueError):
            return False
    return head == ""


def test_official_files(corpus: Path, tmp_path: Path) -> None:
    files = sorted(corpus.rglob("*.gltf"))
    assert files
    for file in files:
        assert dangling(json.loads(file.read_text("utf-8")), tmp_path / "a.gltf") == [], file


def test_shared_settings_are_reported_once(tmp_path: Path) -> None:
    document = door_of_everything()
    joint = document["nodes"][3]["extensions"]["OMI_physics_joint"]
    document["nodes"][9]["extensions"]["OMI_physics_joint"]["joint"] = joint["joint"]
    assert dangling(document, tmp_path / "a.gltf") == []
    (read,) = registry.format_of(tmp_path / "a.gltf").read(Source(path=tmp_path / "a.gltf"))
    for engine in ENGINES.values():
        of_settings = [each for each in check(read, engine) if "/physicsJoints/" in each.place]
        assert len(of_settings) == len(set(of_settings))


@pytest.mark.fuzz
def test_damaged_documents(corpus: Path, tmp_path: Path, tally: Tally) -> None:
    bases: list[Document] = sound_documents(corpus, tmp_path)
    faults = Faults()
    for case in range(cases(60, 2000)):
        seed = f"pointers {case}"
        source = random.Random(seed)
        document = copy.deepcopy(source.choice(bases))
        damage(document, source, times=source.randrange(1, 4))
        with faults.of(seed):
            assert dangling(document, tmp_path / "damaged.gltf") == []
        tally.add("places of findings in damaged documents", seed)
    faults.tell()
