"""Run joints and contacts in our solver and other engines; write the tables of two pages.

oracles.py [PAGE ...]: docs/engines.md and docs/solver.md, or one of them. What is not installed is
a column without figures. Exit code 1 where a written file differs in its engine and nothing says
so, or where something says so and it does not differ.
"""

import importlib.util
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from omi_joints_addon.core.engines.engines import ENGINES  # noqa: E402 - found by the line above
from omi_joints_addon.core.findings.finding import Severity  # noqa: E402

# The tests are not typed.
probe_set: Any = importlib.import_module("tests.core.probes")
TOLERANCE: Any = importlib.import_module("tests.core.probe").TOLERANCE
blend: Any = importlib.import_module("tests.oracles.blend")
chain: Any = importlib.import_module("tests.oracles.chain")
contacts: Any = importlib.import_module("tests.oracles.contacts")
expected: Any = importlib.import_module("tests.oracles.expected")
files: Any = importlib.import_module("tests.oracles.files")
godot: Any = importlib.import_module("tests.oracles.godot")
havok: Any = importlib.import_module("tests.oracles.havok")
jolt: Any = importlib.import_module("tests.oracles.jolt")
mujoco: Any = importlib.import_module("tests.oracles.mujoco")
newton: Any = importlib.import_module("tests.oracles.newton")
physx: Any = importlib.import_module("tests.oracles.physx")
properties: Any = importlib.import_module("tests.oracles.properties")
ragdoll: Any = importlib.import_module("tests.oracles.ragdoll")
trees: Any = importlib.import_module("tests.oracles.trees")
truths: Any = importlib.import_module("tests.oracles.truths")

START, END = "<!-- table by tools/oracles.py -->", "<!-- end of the table -->"
FILES, FILES_END = "<!-- files by tools/oracles.py -->", "<!-- end of the files -->"
CONTACTS, CONTACTS_END = "<!-- contacts by tools/oracles.py -->", "<!-- end of the contacts -->"
CHAIN, CHAIN_END = "<!-- chain by tools/oracles.py -->", "<!-- end of the chain -->"
BONES, BONES_END = "<!-- bones by tools/oracles.py -->", "<!-- end of the bones -->"
TREES, TREES_END = "<!-- trees by tools/oracles.py -->", "<!-- end of the trees -->"
BLENDS, BLENDS_END = "<!-- blends by tools/oracles.py -->", "<!-- end of the blends -->"
PROPERTIES = "<!-- properties by tools/oracles.py -->"
PROPERTIES_END = "<!-- end of the properties -->"
TRUTHS, TRUTHS_END = "<!-- truths by tools/oracles.py -->", "<!-- end of the truths -->"
SKIN, SKIN_END = "<!-- skin by tools/oracles.py -->", "<!-- end of the skin -->"
PHYSX_RATES = (240, 960, 3840)
COLUMNS: tuple[Any, ...] = (
    mujoco.COLUMN,
    physx.COLUMN,
    newton.COLUMN,
    havok.COLUMN,
    godot.PLAIN,
    godot.TARGET,
    godot.TARGET_AT_DEFAULT,
)
PROBLEMS: list[str] = []
"""What differs and is not reported, or is reported and does not differ."""


def table() -> str:
    """Return the table: a row for each probe, with what each engine that is here makes of it."""
    probes = list(probe_set.PROBES.values())
    ours = [files.ours(one, (one.seconds,))[0] for one in probes]
    columns: dict[str, list[str]] = {"Ours": list(map(_shown, probes, ours))}
    if mujoco.is_here():
        columns["MuJoCo"] = [_shown(one, mujoco.measure(one)) for one in probes]
    if jolt.command():
        columns["Jolt"] = list(map(_shown, probes, jolt.measures(probes)))
    columns["Report: Bullet"] = [_codes(one, "bullet") for one in probes]
    return _table(probes, columns)


def files_table() -> str:
    """Return the table of what engines make of written files, with what is reported of each."""
    probes = list(probe_set.PROBES.values())
    columns: dict[str, list[str]] = {}
    for column in COLUMNS:
        columns[column.name] = ["" for _ in probes]
        if column.is_here():
            results = column.results(probes)
            columns[column.name] = list(map(_of_file, probes, results))
            for probe, result in zip(probes, results):
                PROBLEMS.extend(expected.problems(column.name, probe.name, result))
    return _table(probes, columns)


def _of_file(probe: Any, result: Any) -> str:
    value = result.values[-1]
    shown = "–" if value is None else _amount(probe, value)
    why = [*result.reported, *(result.converted if result.differs else ())]
    return f"**{shown}** {', '.join(why)}" if result.differs else shown


def properties_table() -> str:
    """Return the table of what each engine makes of each property that a file can carry."""
    rows = [["", "Property", "Is", "Ours"], ["---"] * 4]
    for row in properties.ROWS:
        shown = _property(row, value := properties.ours(row))
        rows.append([row.group, row.name, _property(row, row.expected), shown])
        if row.differs(value):
            PROBLEMS.append(f"Ours: {row.name} differs ({value})")
    return _beside_engines(rows, properties.ROWS, _property)


def truths_table() -> str:
    """Return the table of contacts with closed forms: what each engine makes of each scene."""
    rows = [["scene", "closed form", "here"], ["---"] * 3]
    for truth in truths.TRUTHS:
        value = properties.ours(truth.row)
        rows.append(
            [truth.row.name, _truth(truth.row, truth.row.expected), _truth(truth.row, value)]
        )
        if not abs(value - truth.row.expected) <= truth.exact:
            PROBLEMS.append(f"Ours: {truth.row.name} is off ({value})")
    return _beside_engines(rows, [truth.row for truth in truths.TRUTHS], _truth)


def _truth(row: Any, value: float) -> str:
    """Return a measured value, in bold where it is another one; what is small in millimeters."""
    if row.is_side or row.is_angular:
        return _property(row, value)
    shown = f"{1e3 * value:.2f} mm" if row.expected < 0.02 else f"{value:.4f} m"
    if abs(value) > 5.0:
        shown = f"{value:.0f} m"
    shown = shown.replace("-0.00 mm", "0.00 mm").replace("-0.0000 m", "0.0000 m")
    return f"**{shown}**" if row.differs(value) else shown


def _beside_engines(
    rows: list[list[str]], scenes: Sequence[Any], shown_of: Callable[[Any, float], str]
) -> str:
    """Return a table with two lines of head, with a column for what each engine makes of scenes."""
    for reader in properties.READERS:
        found = properties.cells(reader, scenes) if reader.is_here() else ()
        rows[0].append(reader.name)
        rows[1].append("---")
        for line in rows[2 + len(found) :]:
            line.append("")
        for line, row, cell in zip(rows[2:], scenes, found):
            why = ", ".join((*cell.reported, *cell.mentioned))
            shown = "–" if cell.value is None else shown_of(row, cell.value)
            line.append(f"{shown} {why}" if cell.differs else shown)
            PROBLEMS.extend(properties.problems(reader.name, row, cell))
    return "\n".join("| " + " | ".join(line) + " |" for line in rows)


def _property(row: Any, value: float) -> str:
    """Return a measured value, in bold where it is another one."""
    if row.is_side:
        shown = "stops" if value < 0.5 else "passes"
    else:
        shown = f"{math.degrees(value):.1f}°" if row.is_angular else f"{value:.3f} m"
    shown = shown.replace("-0.0°", "0.0°").replace("-0.000 m", "0.000 m")
    return f"**{shown}**" if row.differs(value) else shown


def contacts_table() -> str:
    """Return the table of what becomes of bodies above a floor in written files."""
    rows = [["Above a floor", "It"], ["---", "---"]]
    rows += [[one.name, _fate(one.rests)] for one in contacts.CONTACTS]
    for reader in contacts.READERS:
        found = contacts.outcomes(reader) if reader.is_here() else ()
        rows[0].append(reader.name)
        rows[1].append("---")
        for row in rows[2 + len(found) :]:
            row.append("")
        for row, contact, outcome in zip(rows[2:], contacts.CONTACTS, found):
            differs = outcome.rests != contact.rests
            shown = f"**{_fate(outcome.rests)}** {', '.join(outcome.reported)}"
            row.append(shown if differs else _fate(outcome.rests))
            if differs and not outcome.reported:
                PROBLEMS.append(f"{reader.name}: {contact.name} differs, and nothing says so")
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _fate(rests: bool) -> str:
    return "rests" if rests else "falls"


def _table(probes: Sequence[Any], columns: dict[str, list[str]]) -> str:
    rows: Iterator[Sequence[str]] = zip(*columns.values())
    head = ["Joint", "Closed form", *columns]
    lines = [head, ["---"] * len(head)]
    lines += [[one.name, _amount(one, one.expected), *row] for one, row in zip(probes, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def chain_table() -> str:
    """Return the table of the chain: how far each body is from where its equations have it."""
    found = {"Ours, 60 Hz": chain.ours(), "Ours, 240 Hz": chain.ours(rate=240.0)}
    if mujoco.is_here():
        found["MuJoCo, 2000 Hz"] = chain.in_mujoco()
    if physx.is_here():
        for is_articulation, form in ((True, "articulation"), (False, "joints one by one")):
            for rate in PHYSX_RATES:
                place = chain.in_physx(is_articulation=is_articulation, rate=rate)
                found[f"PhysX, {form}, {rate} Hz"] = place
    angles = chain.truth()
    lines = [["Solver", *(f"{name} [mm]" for name in chain.NAMES)], ["---"] * 4]
    for name, places in found.items():
        gaps = (1000.0 * gap for gap in chain.gaps(places, angles))
        lines.append([name, *(_millimeters(gap) for gap in gaps)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def trees_table() -> str:
    """Return the table of articulations: how far their bodies are from where they must be."""
    rows = [["Joints", "Ours [mm]"], ["---"] * 2]
    rows += [[tree.name, _millimeters(1e3 * gap)] for tree, gap in zip(trees.TREES, trees.ours())]
    for reader in trees.READERS:
        found = trees.outcomes(reader) if reader.is_here() else ()
        rows[0].append(f"{reader.name} [mm]")
        rows[1].append("---")
        for row in rows[2 + len(found) :]:
            row.append("")
        for row, tree, outcome in zip(rows[2:], trees.TREES, found):
            why = f" {', '.join(outcome.explained)}" if outcome.differs else ""
            row.append(_millimeters(1e3 * outcome.gap, most=1e3 * trees.TOLERANCE) + why)
            PROBLEMS.extend(trees.problems(reader.name, tree.name, outcome))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def bones_table() -> str:
    """Return the table of ragdolls in Godot: how far bones are from their bodies after a fall."""
    lines = [["Bodies", "`ragdoll_bones.gd`", "Bodies of bones", "Fall", "Bones are off by"]]
    lines.append(["---"] * 5)
    for fall in ragdoll.falls() if ragdoll.is_here() else ():
        off = f"{fall.gap:.4f} m"
        if fall.has_script and (fall.gap > 1e-4 or fall.travel < 1.0):
            PROBLEMS.append(f"Godot: {fall.file}: the bones do not move with the bodies")
        used = "used" if fall.has_script else "–"
        lines.append([fall.file, used, str(fall.bodies), f"{fall.travel:.2f} m", off])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def blends_table() -> str:
    """Return the table of Blender files that were saved in a Godot project."""
    lines = [
        ["The file is saved", "Joints", "Bodies without mesh", "Pushed open [°]", "Pushed shut [°]"]
    ]
    lines.append(["---"] * 5)
    for arrival in blend.arrivals() if blend.is_here() else ():
        found = sum(arrival.joints.values()), arrival.hidden, arrival.opened, arrival.closed
        lines.append([arrival.saving.name, *map(_beside, found, blend.EXPECTED)])
        if arrival.is_right != arrival.saving.is_right:
            PROBLEMS.append(
                f"Godot: a Blender file {arrival.saving.name} arrives otherwise than expected"
            )
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _beside(found: float, expected: float) -> str:
    """Return a number, in bold where it is not about what is expected."""
    shown = "–" if math.isnan(found) else str(round(found) + 0)
    return shown if abs(found - expected) < 1.0 else f"**{shown}**"


def skin_table() -> str:
    """Return the table of ragdolls in Havok: how far the skin is from its bodies after a swing."""
    lines = [["Bodies", "Bodies of bones", "The skin moved", "It is off its bodies by"]]
    lines.append(["---"] * 4)
    for swing in ragdoll.swings() if ragdoll.has_havok() else ():
        follows = swing.gap < 1e-4 and swing.travel > 0.5
        if not follows and not swing.reported:
            PROBLEMS.append(f"Havok: {swing.file}: the skin does not move with the bodies")
        off = f"{swing.gap:.4f} m"
        shown = off if follows else f"**{off}** {', '.join(swing.reported)}"
        lines.append([swing.file, str(swing.bodies), f"{swing.travel:.2f} m", shown])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _millimeters(gap: float, most: float = 3.0) -> str:
    return f"{gap:.2f}" if gap <= most else f"**{gap:.1f}**"


def _shown(probe: Any, value: "float | None") -> str:
    """Return a measured value, in bold where it differs from the closed form."""
    if value is None:
        return "–"
    close = abs(value - probe.expected) <= TOLERANCE[probe.is_angular]
    return _amount(probe, value) if close else f"**{_amount(probe, value)}**"


def _amount(probe: Any, value: float) -> str:
    shown = f"{math.degrees(value):.2f}°" if probe.is_angular else f"{value:.4f} m"
    return shown.replace("-0.00°", "0.00°").replace("-0.0000 m", "0.0000 m")


def _codes(probe: Any, name: str) -> str:
    """Return which rules say that the engine does not do as authored."""
    findings = ENGINES[name].report(probe.settings).findings
    codes = {item.code[4:] for item in findings if item.severity != Severity.INFO}
    return " ".join(sorted(codes)) or "as authored"


PAGES: dict[str, tuple[tuple[str, str, Callable[[], str]], ...]] = {
    "docs/engines.md": (
        (START, END, table),
        (FILES, FILES_END, files_table),
        (PROPERTIES, PROPERTIES_END, properties_table),
        (CONTACTS, CONTACTS_END, contacts_table),
        (CHAIN, CHAIN_END, chain_table),
        (TREES, TREES_END, trees_table),
        (BONES, BONES_END, bones_table),
        (SKIN, SKIN_END, skin_table),
        (BLENDS, BLENDS_END, blends_table),
    ),
    "docs/solver.md": ((TRUTHS, TRUTHS_END, truths_table),),
}
"""What makes the tables of each page, with the comments before and behind each."""


if __name__ == "__main__":
    for page in sys.argv[1:] or PAGES:
        target = ROOT / page
        tables = [(start, end, made()) for start, end, made in PAGES[page]]
        text = target.read_text(encoding="utf-8")
        for start, end, lines in tables:
            before, after = text.split(start)[0], text.split(end)[1]
            text = f"{before}{start}\n{lines}\n{end}{after}"
        target.write_text(text, encoding="utf-8")
    sys.stdout.writelines(f"{problem}\n" for problem in PROBLEMS)
    sys.exit(bool(PROBLEMS))
