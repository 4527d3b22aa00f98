"""Names of files, nodes and members are only read, whatever prints them.

They may hold what steers terminals, turns the direction of text, is a command of a build server, or
markup.
"""

import json
import re
import unicodedata
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from omi_joints_addon.cli.file_report import FileReport, Reported
from omi_joints_addon.cli.main import main
from omi_joints_addon.cli.reports import REPORTS
from omi_joints_addon.cli.terminal import Painter, json_text, printable
from omi_joints_addon.core.findings.finding import Severity
from tests.core.documents import door

NAMES = (
    "esc\x1b[31mred\x1b]0;title\x07",
    "nul\0del\x7fbell\x07back\b\b\bover",
    "line\nend\r\x0bmore\x85and\u2028too",
    "csi\x9b31m",
    "bidi\u202egpj.exe\u2066\u200f",
    "lone\ud800half",
    "::stop-commands::token",
    "  ::add-mask::error",
    "a ##[stop-commands]token",
    "##[set-output name=x;]y",
    "<script>alert(1)</script>&amp;\"'",
    "]]><!-- x --><![CDATA[",
    "[link](javascript:alert(1)) **bold** `code` | cell |",
    "%0A::error::x",
    "${jndi:x} $(touch x) `touch x`",
)
"""Each is a name of a file or in one."""
FILE_NAMES = tuple(
    name for name in NAMES if "\0" not in name and "/" not in name and "\ud800" not in name
)


class Options:
    color = "never"


def assert_harmless(text: str, *, has_commands: bool = False) -> None:
    """Assert that a text steers neither a terminal nor a build server."""
    for char in text:
        assert char in "\n" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
    for line in text.splitlines():
        if has_commands and re.match(r"::(error|warning|notice) file=[^:]*::", line):
            # The runner takes the first command of a line, and nothing behind it.
            continue
        assert not line.lstrip().startswith("::"), line
        assert "##[" not in line, line


def path_called(name: str) -> Path:
    """Return a path of a name; what is not UTF-8 in it is half a character for Python."""
    return Path(name.replace("\0", "0").replace("\ud800", "\udcff"))


def reported(name: str) -> FileReport:
    findings = (
        Reported("OMI-J102", Severity.WARNING, name, name, 3),
        Reported(f"KHR-{name}", Severity.ERROR, f"/nodes/{name}", f"is called {name!r} or {name}"),
    )
    return FileReport(path=path_called(name), format="gltf", findings=findings)


@pytest.mark.parametrize("kind", REPORTS)
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_no_report_prints_what_steers(name: str, kind: str) -> None:
    report: Any = REPORTS[kind](least=Severity.INFO, level=Severity.ERROR)
    files = [reported(name), FileReport(path=Path("x"), problem=f"{name} is broken")]
    painter: Any = Painter(Options())  # type: ignore[arg-type]
    lines = [line for each in files for line in report.lines(each, painter)]
    text = "\n".join([*lines, *report.whole(files), *report.summary(files)])
    assert_harmless(text.encode(errors="backslashreplace").decode(), has_commands=kind == "github")
    if kind in ("json", "sarif"):
        assert json.loads(text) is not None
    if kind == "junit":
        assert ElementTree.fromstring(text).tag == "testsuites"
    if kind == "github":
        assert len(lines) == 3


def test_json_says_the_same() -> None:
    assert json.loads(json_text(list(NAMES))) == list(NAMES)


def test_what_is_harmless_is_printed_as_it_is() -> None:
    for text in ("door", "C::arm", "a:b", "# [x]", "Gürtel — 腕", "/nodes/0"):
        assert printable(text) == text


def hostile(name: str) -> dict[str, Any]:
    """Return a sound document with the name in every place that is printed, and faults."""
    document = door()
    for node in document["nodes"]:
        node["name"] = f"{name}{node.get('name', '')}"
    document["scenes"] = [{"name": name, "nodes": list(range(len(document["nodes"])))}]
    document["extensionsUsed"].append(name.replace("\ud800", ""))
    settings = document["extensions"]["OMI_physics_joint"]["physicsJoints"][0]
    settings["limits"][0][name] = 1
    document["buffers"] = [{"byteLength": 1, "uri": f"../{name}"}]
    return document


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_no_command_prints_what_steers(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.gltf").write_text(json.dumps(hostile(name)))
    paths = ["a.gltf"]
    if name in FILE_NAMES:
        paths += [f"{name}.gltf", f"{name}.glb"]
        Path(paths[1]).write_text(json.dumps(hostile(name)))
        Path(paths[2]).write_bytes(b"glTF")
    for path in paths:
        for options in (
            *(["check", "--format", kind] for kind in REPORTS),
            *(["check", "--with-validator"], ["show"], ["show", "--format", "json"]),
            ["simulate", "--seconds", "0.02", "--csv", "o.csv", "--force"],
        ):
            main([*options, "--", path])
            captured = capfd.readouterr()
            assert_harmless(captured.out + captured.err, has_commands="github" in options)
        for target in ("o.urdf", "o.xml"):
            for report in ("text", "json"):
                main(["convert", "--force", "--report", report, "--", path, target])
                captured = capfd.readouterr()
                assert_harmless(captured.out + captured.err)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILE_NAMES, ids=range(len(FILE_NAMES)))
def test_entries_of_packages_are_harmless(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
    with zipfile.ZipFile(tmp_path / "a.usdz", "w") as package:
        package.writestr(f"{name}.usda", '#usda 1.0\ndef Xform "A" (references = @../x@) {}\n')
    for kind in REPORTS:
        main(["check", "--format", kind, str(tmp_path / "a.usdz")])
        captured = capfd.readouterr()
        assert_harmless(captured.out + captured.err, has_commands=kind == "github")


def test_pages_of_the_site_hold_no_script(repository: Path) -> None:
    """What rules quote of files becomes part of pages."""
    for path in (repository / "docs").rglob("*.md"):
        text = path.read_text("utf-8")
        shown = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
        assert not re.search(r"<script|javascript:|\son\w+\s*=", shown, re.IGNORECASE), path
        assert all(
            char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf") for char in text
        )
