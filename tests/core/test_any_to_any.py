"""Random robots from any format to any other: equal for the readers of the formats, or a line.

And no line where the files are equal. `tests.facts` reads both. What a file carries aside for this
program may come back in the next one, so the robot that a file came from counts as well.
"""

import itertools
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from omi_joints_addon.core.findings.loss import Loss, Noun
from omi_joints_addon.io import registry
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.keeping import kept_of, written_scene
from tests.cases import cases
from tests.facts import in_gltf, in_sdf, in_shift, in_urdf
from tests.facts.drawn import robot
from tests.facts.facts import Fact, File, differing, key

in_mujoco = pytest.importorskip("tests.facts.in_mujoco", reason="mujoco-core is not installed")
in_openusd = pytest.importorskip("tests.facts.in_openusd", reason="usd-core is not installed")

pytestmark = pytest.mark.fuzz
READERS = {
    "xml": in_mujoco.facts,
    "usda": in_openusd.facts,
    "urdf": in_urdf.facts,
    "sdf": in_sdf.facts,
    "gltf": in_gltf.facts,
    "json": in_shift.facts,
}
PAIRS = [*itertools.product(READERS, READERS)]
UNMEASURED = {"node"}
"""Nouns of which `tests.facts` knows nothing."""
ALSO = {
    "contact": (str(Noun.ENABLE_COLLISION), str(Noun.EXCLUDED_PAIR)),
    "collider": ("shape", "physics material"),
    "color": ("visual", "material"),
    "drive": ("targets",),
}
"""Nouns of lines about a fact, beside its own."""


def converted(source: Path, suffix: str) -> tuple[Path, list[Loss]]:
    """Write a file in another format, or anew in its own."""
    kind, target = registry.format_of(source), source.parent / suffix / f"robot.{suffix}"
    target.parent.mkdir(exist_ok=True)
    (wanted,) = (row for row in registry.FORMATS if f".{suffix}" in row.suffixes)
    read = kind.read(Source(path=source))[0]
    anew = {"source": "new"} if kind is wanted and suffix != "gltf" else {}
    kept, values = kept_of(kind, read, wanted, anew)
    written = written_scene(wanted, read.scene, Target(path=target, options=values, kept=kept))
    write_files(target.parent, written.files)
    return target, [*written.losses]


def unexplained(origin: File, one: File, two: File, losses: Iterable[Loss]) -> list[str]:
    """Return what differs without a line, and lines without a difference."""
    found, lasting = differing(one, two), differing(origin, two)
    lines = {(str(loss.noun), link_of(key(loss.place))) for loss in losses}
    nouns = {(noun, "") for noun, _ in lines}
    if any(noun == "joint" for noun, _ in found):
        # What hung on it is anywhere.
        found = {fact for fact in found if fact[0] != "pose"}
    silent = {
        fact
        for fact in found & lasting
        if not (nouns if "" in fact[1].split("|") else lines) & named(fact)
    }
    reasons = {
        line for fact in found | lasting | differing(origin, one) for line in named(fact)
    } | {(noun, place) for noun, place in lines if noun in UNMEASURED}
    noise = {line for line in lines if not {line, (line[0], "")} & reasons}
    return sorted(f"silent: {fact}" for fact in silent) + sorted(f"noise: {n}" for n in noise)


def link_of(place: str) -> str:
    """Return the link that a part is of."""
    return re.sub(r"_shape.*", "", place)


def named(fact: Fact) -> set[Fact]:
    """Return the lines that name a fact."""
    noun, place = fact
    links = place.split("|")
    places = {"", *links, *(f"joint_{link[-1:]}" for link in links)}
    return {(each, where) for each in (noun, *ALSO.get(noun, ())) for where in places}


class Robots:
    """Random robots, each with its files of all formats, and every conversion of these."""

    def __init__(self, new_folder: Callable[[str], Path]) -> None:
        self.origins: list[File] = []
        self._files: list[dict[str, Path]] = []
        for seed in range(cases(3, 60)):
            first = new_folder(f"robot{seed}-") / "robot.xml"
            first.write_text(robot(seed))
            self.origins.append(in_mujoco.facts(first))
            self._files.append({suffix: converted(first, suffix)[0] for suffix in READERS})
        self.results = cache(self._results)

    def _results(self, one: str, two: str) -> list[tuple[File, File, list[Loss]]]:
        """Return each robot before and after a conversion, with its report."""
        found = []
        for files in self._files:
            target, losses = converted(files[one], two)
            found.append((READERS[one](files[one]), READERS[two](target), losses))
        return found


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Robots:
    return Robots(tmp_path_factory.mktemp)


@pytest.mark.parametrize(("one", "two"), PAIRS, ids=[f"{one} to {two}" for one, two in PAIRS])
def test_a_robot_is_equal_or_a_line_names_it_and_no_other_line_is_there(robots, one, two) -> None:
    for seed, result in enumerate(robots.results(one, two)):
        assert unexplained(robots.origins[seed], *result) == [], f"robot {seed}, {one} to {two}"


def test_a_conversion_that_is_equal_in_meaning_prints_nothing(robots) -> None:
    """The law by itself; how many of them there are says that it is about something."""
    equal = 0
    for one, two in PAIRS:
        for origin, (before, after, losses) in zip(
            robots.origins, robots.results(one, two), strict=True
        ):
            if not differing(before, after) | differing(origin, before):
                assert [str(each) for each in losses if each.noun not in UNMEASURED] == []
                equal += 1
    assert equal >= 2 * len(robots.origins)
