"""Damaged URDF, MJCF, Shift and USD files through all commands, a sound door beside the damage.

As `test_fuzz_commands.py` for glTF. Each case also stays within bounds of memory and time, and
what was converted is converted again without a change.
"""

import copy
import json
import random
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.gltf.dialect import Dialect
from tests.cases import cases
from tests.core.documents import DOOR
from tests.core.test_fuzz_commands import Commands, assert_door
from tests.hostile import add_door, door_of_everything, in_dialects
from tests.mutation import SCALARS
from tests.tally import Faults, Tally

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
resource = pytest.importorskip("resource", reason="Windows does not say how much memory was used")
CASES = {"json": 2500, "urdf": 1600, "xml": 1600, "usda": 1200}
"""Cases of each format in `make fuzz`."""
MEMORY = 300_000
"""Kilobytes that one case may add to the process; files here have some thousand bytes."""
SECONDS = 30.0
"""Of the processor, for all commands of one case: far beyond what any takes."""
SOUND = "Sound"
WORDS = (
    *("", "0", "-1", "1 2", "nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "1e999", "x"),
    *("true", "fixed", "free", "../../etc/passwd", "package:///etc/passwd", "world", "{", "\u200b"),
)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return a sound file of each format by suffix: everything, and a door to be kept."""
    folder = tmp_path_factory.mktemp("sources")
    document = door_of_everything()
    add_door(document, in_dialects(DOOR, folder, Dialect.OMI))
    (folder / "sound.gltf").write_text(json.dumps(document))
    texts = {}
    for suffix in DAMAGE:
        path = folder / f"sound.{suffix}"
        assert main(["convert", str(folder / "sound.gltf"), str(path)]) == 0
        assert_door(path)
        texts[suffix] = path.read_text()
    return texts


def damaged_xml(text: str, source: random.Random) -> str:
    """Return an XML text with elements and attributes changed, taken out, repeated or moved."""
    root = ET.fromstring(text)
    above = {child: parent for parent in root.iter() for child in parent}
    for _ in range(source.randrange(1, 6)):
        spoiled = [each for each in root.iter() if each is not root and not _is_sound(each, above)]
        if spoiled:
            element = source.choice(spoiled)
            source.choice(_XML_ACTIONS)(element, above[element], root, source)
        above = {child: parent for parent in root.iter() for child in parent}
    return ET.tostring(root, encoding="unicode")


def _is_sound(element: ET.Element, above: dict[ET.Element, ET.Element]) -> bool:
    """Return whether the door is on, below or above an element, or refers to it."""
    if any(SOUND in value for each in element.iter() for value in each.attrib.values()):
        return True
    if element.get("name") in ("world", "mesh"):
        return True
    while element in above:
        element = above[element]
        if any(SOUND in value for value in element.attrib.values()):
            return True
    return False


def _change_value(element: Any, _parent: Any, _root: Any, source: random.Random) -> None:
    if element.attrib:
        element.set(source.choice(sorted(element.attrib)), source.choice(WORDS))


def _lose_value(element: Any, _parent: Any, _root: Any, source: random.Random) -> None:
    if element.attrib:
        del element.attrib[source.choice(sorted(element.attrib))]


def _lose(element: Any, parent: Any, _root: Any, _source: random.Random) -> None:
    parent.remove(element)


def _repeat(element: Any, parent: Any, _root: Any, _source: random.Random) -> None:
    parent.append(copy.deepcopy(element))


def _move(element: Any, parent: Any, root: Any, _source: random.Random) -> None:
    parent.remove(element)
    root.append(element)


def _rename(element: Any, _parent: Any, root: Any, source: random.Random) -> None:
    element.tag = source.choice([each.tag for each in root.iter()])


_XML_ACTIONS = (
    *(_change_value, _change_value, _change_value),
    *(_lose_value, _lose, _repeat, _move, _rename),
)


def damaged_json(text: str, source: random.Random) -> str:
    """Return a JSON text with values changed or taken out, but those of the door."""
    document = json.loads(text)
    for _ in range(source.randrange(1, 6)):
        places = [place for place in _loose_places(document) if place[0] is not document]
        if not places:
            break
        holder, key = source.choice(places)
        if source.random() < 0.3:
            del holder[key]
        else:
            holder[key] = source.choice([*SCALARS, [], {}, [1, 2]])
    return json.dumps(document)


def _loose_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield places in a document, as container and key, but those of what names the door."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    if any(isinstance(value[key], str) and SOUND in value[key] for key in keys):
        return
    is_above = SOUND in json.dumps(value)
    for key in keys:
        is_holder = isinstance(value[key], dict | list)
        if SOUND not in json.dumps(value[key]) and (is_holder or not is_above):
            yield value, key
        if is_holder:
            yield from _loose_places(value[key])


def damaged_usd(text: str, source: random.Random) -> str:
    """Return a USD text with numbers, names, targets and types changed, but those of the door."""
    lines = text.split("\n")
    loose = list(_loose_lines(lines))
    for _ in range(source.randrange(1, 6)):
        at = source.choice(loose)
        name, equals, _ = lines[at].partition(" = ")
        if not equals:
            continue
        word = source.choice(
            ("nan", "-inf", "1e308", "-1", "None", '"x"', "(0, 0, 0)", "</A>", "[]")
        )
        lines[at] = source.choice((f"{name} = {word}", ""))
    return "\n".join(lines)


def _loose_lines(lines: list[str]) -> Iterator[int]:
    """Yield the places of statements in prims that are neither the door's nor above it."""
    above: list[tuple[int, bool]] = []
    for number, line in enumerate(lines):
        statement, indent = line.strip(), len(line) - len(line.lstrip())
        if statement.startswith(("def ", "over ")):
            while above and indent <= above[-1][0]:
                above.pop()
            above.append((indent, SOUND in line))
        elif len(above) > 1 and not any(sound for _, sound in above) and SOUND not in line:
            yield number


DAMAGE: dict[str, Callable[[str, random.Random], str]] = {
    "urdf": damaged_xml,
    "xml": damaged_xml,
    "json": damaged_json,
    "usda": damaged_usd,
}


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("suffix", DAMAGE)
def test_sound_joints_survive_in_each_format(
    sources: dict[str, str],
    suffix: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    tally: Tally,
) -> None:
    commands, faults = Commands(tmp_path, capfd), Faults()
    commands.source = tmp_path / f"damaged.{suffix}"
    for case in range(cases(18, CASES[suffix])):
        seed = f"{suffix} {case}"
        source = random.Random(seed)
        commands.source.write_text(
            DAMAGE[suffix](sources[suffix], source), "utf-8", "surrogatepass"
        )
        outcome = "failed"
        with faults.of(seed), _bounded():
            code, written = commands.attack(case)
            outcome = "refused" if code == 2 else "read"
            if written is not None:
                assert_door(written)
                assert_written_alike(written, commands)
        tally.add(f"damaged .{suffix} files through all commands", seed, outcome)
    faults.tell()


@contextmanager
def _bounded() -> Iterator[None]:
    """Assert that a block stays within `MEMORY` and `SECONDS`."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    yield
    added = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    assert added < MEMORY, f"took {added} kB"
    assert time.process_time() - start < SECONDS


def assert_written_alike(written: Path, commands: Commands) -> None:
    """Assert that a file that we wrote is written again as it is."""
    again = written.with_stem("again")
    options = ("--dialect", "omi,khr") if written.suffix in (".gltf", ".glb") else ()
    first = written.with_stem("first")
    commands.run("convert", written, first, "--force", *options)
    commands.run("convert", first, again, "--force", *options)
    assert again.read_bytes() == first.read_bytes()
