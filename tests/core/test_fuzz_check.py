"""Damaged files through the checks: findings or a one-line refusal, never an exception."""

import copy
import json
import random
from pathlib import Path

import pytest

import omi_joints
from omi_joints_addon.core.engines.engines import ANY
from omi_joints_addon.io.formats.gltf.container import UnreadableError, read_gltf
from omi_joints_addon.io.formats.gltf.document import scene_from_document
from tests.cases import cases
from tests.core.documents import DOOR, check_document
from tests.mutation import containers, damage, mutated_bytes

CASES = cases(100, 2000)
BATCHES = 20


def _documents(corpus: Path) -> list[object]:
    files = [*sorted(corpus.rglob("*.gltf")), *sorted(corpus.rglob("*.glb"))]
    return [DOOR, *(read_gltf(file).document for file in files)]


@pytest.mark.fuzz
@pytest.mark.parametrize("batch", range(BATCHES))
def test_damaged_documents_are_checked(corpus: Path, batch: int) -> None:
    documents = _documents(corpus)
    for case in range(CASES // BATCHES):
        source = random.Random(f"document {batch} {case}")
        document = copy.deepcopy(source.choice(documents))
        damage(document, source, times=source.randrange(1, 9))
        for found in check_document(document):
            str(found).encode("utf-8")
        scene = scene_from_document(document).scene
        ANY.check(scene)


@pytest.mark.fuzz
@pytest.mark.parametrize("batch", range(BATCHES))
def test_damaged_bytes_are_read_or_refused(corpus: Path, tmp_path: Path, batch: int) -> None:
    files = [*sorted(corpus.rglob("*.gltf")), *sorted(corpus.rglob("*.glb"))]
    file = tmp_path / "damaged"
    for case in range(CASES // BATCHES):
        source = random.Random(f"bytes {batch} {case}")
        file.write_bytes(mutated_bytes(source.choice(files).read_bytes(), source))
        refusal = ""
        try:
            read = read_gltf(file)
        except UnreadableError as error:
            refusal = str(error)
        else:
            json.dumps([str(found) for found in check_document(read.document)])
        assert "\n" not in refusal


@pytest.mark.slow
@pytest.mark.parametrize("value", [[1, 2], {}, None, -1, "x", True], ids=repr)
def test_a_value_of_another_kind_at_any_place_is_read_or_refused(
    value: object, repository: Path, tmp_path: Path
) -> None:
    text = (repository / "conformance" / "omi" / "animated_limit.gltf").read_text("utf-8")
    file, count = tmp_path / "odd.gltf", len(list(containers(json.loads(text))))
    for number in range(count):
        document = json.loads(text)
        holder, key = list(containers(document))[number]
        holder[key] = copy.deepcopy(value)
        file.write_text(json.dumps(document))
        try:
            omi_joints.check(file)
            omi_joints.read(file)
        except UnreadableError as error:
            assert "\n" not in str(error)  # noqa: PT017 - most are read
