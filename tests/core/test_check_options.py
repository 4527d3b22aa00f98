"""Options of `check`: reports of every format, rules that count, settings of a project."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from omi_joints_addon.cli import checked_files
from omi_joints_addon.cli.checked_files import Wanted, reports
from omi_joints_addon.cli.file_report import FileReport
from omi_joints_addon.cli.main import COMMANDS, commands, main
from omi_joints_addon.cli.project_settings import KNOWN_SETTINGS
from omi_joints_addon.cli.reports import REPORTS
from omi_joints_addon.cli.reports.json_report import REPORT_SCHEMA
from omi_joints_addon.cli.rule_choice import RuleChoice
from omi_joints_addon.cli.rule_list import all_rules
from omi_joints_addon.cli.tool import version
from tests.core.documents import door, joint, limit

WARNING = "OMI-J102"
ERROR = "OMI-J401"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a sound file, one with a warning, one with an error, one of no use."""
    (tmp_path / "sound.gltf").write_text(json.dumps(door()))
    (tmp_path / "warning.gltf").write_text(json.dumps(limit(min=None, max=None), indent=2))
    (tmp_path / "error.gltf").write_text(json.dumps(joint(connectedNode=99)))
    (tmp_path / "broken.glb").write_bytes(b"glTF")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _checked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["check", *words])
    return code, capsys.readouterr().out


def _codes(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    _, text = _checked(capsys, "--format", "json", *words)
    return [found["code"] for file in json.loads(text)["files"] for found in file["findings"]]


ALL = ("broken.glb", "error.gltf", "sound.gltf", "warning.gltf")


class TestReports:
    def test_text_ends_with_a_summary(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, text = _checked(capsys, *ALL)
        assert text.splitlines()[-1] == "4 files checked: 1 error, 1 warning, 1 unreadable"
        _, text = _checked(capsys, "sound.gltf")
        assert text == "1 file checked: no findings\n"
        _, text = _checked(capsys, "--least", "error", "warning.gltf")
        assert text == "1 file checked: 1 warning (1 hidden)\n"

    def test_quiet_leaves_findings_only(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert _checked(capsys, "--quiet", "sound.gltf") == (0, "")
        _, text = _checked(capsys, "-q", "warning.gltf")
        assert text.count("\n") == 1

    def test_json_follows_its_schema(self, capsys: pytest.CaptureFixture[str], files: Path) -> None:
        _, text = _checked(capsys, "--format", "json", *ALL)
        report = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(REPORT_SCHEMA)
        jsonschema.validate(report, REPORT_SCHEMA, jsonschema.Draft202012Validator)
        assert report["tool"] == {"name": "omi-joints", "version": version()}
        broken, error, *_ = report["files"]
        digest = subprocess.run(
            ["sha256sum", "error.gltf"], check=True, capture_output=True, text=True, cwd=files
        )
        assert error["sha256"] == digest.stdout.split()[0]
        assert (error["format"], error["dialects"]) == ("gltf", ["omi"])
        assert (broken["format"], broken["sha256"]) == (None, None)

    def test_sarif_names_rules_files_and_lines(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, text = _checked(capsys, "--format", "sarif", *ALL)
        assert code == 2
        (run,) = json.loads(text)["runs"]
        rules = run["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == [WARNING, ERROR]
        (notification,) = run["invocations"][0]["toolExecutionNotifications"]
        assert not run["invocations"][0]["executionSuccessful"]
        assert "cut off" in notification["message"]["text"]
        result = run["results"][1]
        assert (result["ruleId"], result["level"]) == (WARNING, "warning")
        assert rules[result["ruleIndex"]]["id"] == WARNING
        place = result["locations"][0]["physicalLocation"]
        assert run["artifacts"][place["artifactLocation"]["index"]]["location"] == {
            "uri": "warning.gltf"
        }
        assert place["region"]["startLine"] == _line_of_third_limit()

    def test_github_annotations_have_lines_and_escapes(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shutil.move("warning.gltf", "a,b%.gltf")
        _, text = _checked(capsys, "--format", "github", "a,b%.gltf", "broken.glb")
        first, second, *_ = text.splitlines()
        assert first.startswith(
            f"::warning file=a%2Cb%25.gltf,line={_line_of_third_limit()},title={WARNING}::/ext"
        )
        assert second.startswith("::error file=broken.glb,line=1,title=unreadable::")

    def test_junit_has_a_test_for_each_file(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, text = _checked(capsys, "--format", "junit", *ALL)
        (suite,) = ElementTree.fromstring(text)
        assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["4", "1", "1"]
        kinds = {case.get("name"): [part.tag for part in case] for case in suite}
        assert kinds == {
            "broken.glb": ["error"],
            "error.gltf": ["failure"],
            "sound.gltf": [],
            "warning.gltf": ["system-out"],
        }
        _, text = _checked(capsys, "--format", "junit", "--fail-on", "warning", "warning.gltf")
        (case,) = ElementTree.fromstring(text)[0]
        assert case[0].get("type") == WARNING

    @pytest.mark.parametrize("name", REPORTS)
    def test_every_report_of_nothing_is_well_formed(self, name: str) -> None:
        report = REPORTS[name](least="info", level=None)
        empty = FileReport(path=Path("a.gltf"))
        texts = [*report.whole([empty]), *report.summary([empty])]
        assert "".join(texts)


def _line_of_third_limit() -> int:
    """Return the line of the value of the limit with the warning, counted by hand from its keys."""
    lines = Path("warning.gltf") if Path("warning.gltf").exists() else Path("a,b%.gltf")
    texts = lines.read_text().splitlines()
    start = next(number for number, text in enumerate(texts) if '"limits": [' in text)
    opened = [n for n, text in enumerate(texts) if n > start and text == " " * 12 + "{"]
    return opened[2] + 1


class TestChoice:
    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (["--select", "J1"], [WARNING]),
            (["--select", "omi-j4,OMI-J1"], [ERROR, WARNING]),
            (["--ignore", "J102"], [ERROR]),
            (["--ignore", "J"], []),
            (["--select", "J", "--ignore", "J4"], [WARNING]),
        ],
    )
    def test_rules_are_chosen_by_the_start_of_their_codes(
        self, options: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert _codes(capsys, "error.gltf", "warning.gltf", *options) == expected

    def test_a_code_that_no_rule_has_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        for option in ("--select", "--ignore"):
            assert main(["check", option, "Z9", "sound.gltf"]) == 2
            assert "no rule has a code that starts with OMI-Z9" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (["warning.gltf"], 0),
            (["warning.gltf", "--fail-on", "warning"], 1),
            (["warning.gltf", "--fail-on", "info", "--least", "error"], 1),
            (["error.gltf", "--fail-on", "never"], 0),
            (["error.gltf", "--ignore", "J401"], 0),
            (["warning.gltf", "--severity", "J1=error"], 1),
            (["error.gltf", "--severity", "J=error", "--severity", "J401=info"], 0),
            (["broken.glb", "--fail-on", "never"], 2),
        ],
    )
    def test_exit_code(
        self, options: list[str], expected: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert _checked(capsys, *options)[0] == expected

    def test_a_severity_that_does_not_exist_is_refused(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit):
            main(["check", "--severity", "J1=fatal", "sound.gltf"])
        assert "CODE=SEVERITY (error, warning, info)" in capsys.readouterr().err


class TestProjectSettings:
    @pytest.mark.parametrize(
        ("name", "head"), [("omi-joints.toml", ""), ("pyproject.toml", "[tool.omi-joints]\n")]
    )
    def test_settings_of_a_folder_above(
        self,
        name: str,
        head: str,
        files: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        text = 'ignore = ["J401"]\nfail-on = "warning"\nseverity = {J102 = "info"}\n'
        (files / name).write_text(head + text)
        (files / "below").mkdir()
        monkeypatch.chdir(files / "below")
        paths = [f"../{file}" for file in ("error.gltf", "warning.gltf")]
        code, report = _checked(capsys, *paths)
        assert code == 0
        assert report.splitlines()[-1] == "2 files checked: 1 info"
        assert _checked(capsys, *paths, "--no-config")[0] == 1
        assert _checked(capsys, *paths, "--severity", "J102=warning")[0] == 1

    def test_settings_of_each_kind(self, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
        text = 'select = ["E"]\nengine = "godot"\nexclude = ["broken*"]\nleast = "error"\n'
        (files / "other.toml").write_text(text)
        codes = _codes(capsys, "--config", "other.toml", "--recursive", ".")
        assert codes
        assert all(code.startswith("OMI-E1") for code in codes)

    def test_rules_are_ignored_in_some_files(
        self, files: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (files / "omi-joints.toml").write_text('[ignore-in]\n"err*" = ["J4"]\n"x/*" = ["J1"]\n')
        assert _codes(capsys, "error.gltf", "warning.gltf") == [WARNING]

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("ingore = []", "unknown settings ingore (choose from select, ignore"),
            ('ignore = "J1"', "ignore must be a list of codes"),
            ('severity = {J1 = "fatal"}', "severity must be a table of codes, each error or"),
            ("fail-on = 3", "fail-on must be error or warning or info or never"),
            ('engine = "quake"', "engine must be the name of an engine"),
            ("jobs = 2", "settings start no processes; use the option --jobs"),
            ("ignore = [", "is not valid TOML"),
            ("ignore = " + "[" * 5000, "is nested too deeply"),
            ("#" * (2**20 + 1), "is larger than 1 MiB"),
            ('ignore = ["Z9"]', "no rule has a code that starts with OMI-Z9"),
        ],
    )
    def test_what_is_wrong_with_settings(
        self, text: str, words: str, files: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (files / "omi-joints.toml").write_text(text)
        assert main(["check", "sound.gltf"]) == 2
        error = capsys.readouterr().err
        assert words in error
        assert error.count("\n") == 1

    def test_settings_choose_what_is_reported_and_nothing_else(self) -> None:
        """SECURITY.md promises that this is the whole list."""
        promised = re.findall(r"`([a-z-]+)`", _promise_of_settings())
        assert sorted(promised) == sorted(KNOWN_SETTINGS)

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_a_link_out_of_the_folder_is_not_followed(
        self, files: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        project = files / "project"
        project.mkdir()
        (files / "secret.toml").write_text("token = 1\n")
        (project / "omi-joints.toml").symlink_to(files / "secret.toml")
        with contextlib.chdir(project):
            assert main(["check", "../sound.gltf"]) == 2
        error = capsys.readouterr().err
        assert "is a link out of its folder; name it with --config" in error
        assert "token" not in error

    def test_a_named_file_must_have_settings(
        self, files: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (files / "pyproject.toml").write_text("[project]\nname = 'x'\n")
        assert main(["check", "--config", "pyproject.toml", "sound.gltf"]) == 2
        assert "has no table [tool.omi-joints]" in capsys.readouterr().err
        assert main(["check", "--config", "none.toml", "sound.gltf"]) == 2
        assert "No such file" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such device")
def test_a_device_is_no_file_of_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--config", "/dev/zero", "sound.gltf"]) == 2
    assert "is not a regular file" in capsys.readouterr().err


def _promise_of_settings() -> str:
    """Return the sentence of SECURITY.md that lists the settings."""
    text = (Path(__file__).parents[2] / "SECURITY.md").read_text("utf-8")
    return text.partition("can have: ")[2].partition(".")[0]


class Fatal(type(Path())):  # type: ignore[misc]
    """A path that ends the process that it is sent to, as the file at it might."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (9,)


class TestJobs:
    @pytest.mark.slow
    def test_a_process_that_dies_costs_its_file_only(self) -> None:
        names = ["sound.gltf", "warning.gltf", "fatal.gltf", "error.gltf", "sound.gltf"]
        paths = [Fatal(name) if name == "fatal.gltf" else Path(name) for name in names]
        found = list(reports(paths, Wanted(choice=RuleChoice(), max_size=1), jobs=2))
        assert [report.path.name for report in found] == names
        assert [report.problem for report in found] == [
            *["", ""],
            "ended the process that checked it",
            *["", ""],
        ]
        assert [[each.code for each in report.findings] for report in found] == [
            *[[], [WARNING], []],
            *[[ERROR], []],
        ]

    def test_a_process_that_dies_after_all_others_costs_its_file_only(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Then no file is left for a new pool."""

        def pool(paths: list[Path], *_: object) -> Iterator[tuple[Path, FileReport]]:
            assert paths, "a pool without files"
            yield from ((path, FileReport(path=path)) for path in paths if path.name != "fatal")

        monkeypatch.setattr(checked_files, "_reports_of_pool", pool)
        paths = [Path("fatal"), Path("sound"), Path("warning")]
        found = list(reports(paths, Wanted(choice=RuleChoice(), max_size=1), jobs=2))
        assert [report.path for report in found] == paths
        assert [bool(report.problem) for report in found] == [True, False, False]

    def test_processes_report_the_same_in_the_same_order(
        self, files: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for number in range(6):
            shutil.copy("warning.gltf", f"{number}.gltf")
        alone = _checked(capsys, "--recursive", ".", "--format", "json")
        assert _checked(capsys, "--recursive", ".", "--format", "json", "--jobs", "3") == alone

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("-1", "-1 is not between 0 and 256"),
            ("1e3", "'1e3' is not a whole number"),
            ("9" * 99, f"{'9' * 20} is not between"),
        ],
    )
    def test_a_number_of_jobs_is_refused_in_words(
        self, text: str, words: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit):
            main(["check", f"--jobs={text}", "sound.gltf"])
        assert words in capsys.readouterr().err

    def test_no_files_is_reported_in_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check"]) == 2
        assert capsys.readouterr().err.endswith("check: name the files to check\n")


class TestRules:
    def test_all_rules_are_listed(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "--list-rules"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[0] for line in lines] == sorted(all_rules())

    def test_rules_are_explained(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "j102"]) == 0
        text = capsys.readouterr().out
        assert text.startswith("OMI-J102 (warning): limit {number} has neither")
        assert "Why: OMI_physics_joint: at least one of min and max" in text
        assert "In Blender: Remove Limit" in text
        assert "Example: neither min nor max (conformance/faults/limit_without_bounds.gltf)" in text
        assert '/limits/2: {"angularAxes": [2]}' in text

    def test_rules_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        def rules(*words: str) -> list[dict[str, Any]]:
            assert main([*words, "--format", "json"]) == 0
            found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rules"]
            return found

        assert len(rules("check", "--list-rules")) == len(all_rules())
        assert [rule["code"] for rule in rules("explain", "J10", "J102")] == [
            f"OMI-J10{number}" for number in range(1, 10)
        ]

    def test_unknown_codes_are_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "J999"]) == 2
        assert "no rule has a code that starts with OMI-J999" in capsys.readouterr().err


class TestCompletion:
    def test_every_option_is_completed(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert set(commands()) == set(COMMANDS)
        for shell in ("bash", "zsh", "fish"):
            assert main(["completion", shell]) == 0
            text = capsys.readouterr().out
            for word in (*COMMANDS, "fail-on", "list-rules", "rigid-locks", "sarif", "junit"):
                assert word in text

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            (["ch"], {"check"}),
            (["check", "--fail-o"], {"--fail-on"}),
            (["check", "--format", "s"], {"sarif"}),
            (["check", "warn"], {"warning.gltf"}),
        ],
    )
    def test_bash_completes(
        self, words: list[str], expected: set[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        bash = shutil.which("bash")
        if bash is None:
            pytest.skip("no bash")
        main(["completion", "bash"])
        line = ["omi-joints", *words]
        code = (
            f"{capsys.readouterr().out}\nCOMP_WORDS=({' '.join(line)}); COMP_CWORD={len(words)}\n"
            '_omi_joints; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        run = subprocess.run(
            [bash, "-c", code], check=True, capture_output=True, text=True, env=dict(os.environ)
        )
        assert set(run.stdout.split()) == expected


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chek",), "did you mean 'check'?"),
        (("check", "--fail-on", "eror"), "(choose from 'error', 'warning', 'info', 'never')"),
        (("check", "--engine", "godt"), "did you mean 'godot'?"),
    ],
)
def test_a_word_that_is_unknown_is_one_line_with_what_was_meant(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    usage, message = capsys.readouterr().err.splitlines()
    assert usage.startswith("usage: see ")
    assert words in message


def test_listed_rules_are_those_that_are_selected(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--list-rules", "--select", "J4", "--ignore", "J41"]) == 0
    lines = capsys.readouterr().out.splitlines()
    codes = {line.split()[0] for line in lines}
    assert "OMI-J401" in codes
    assert all(code.startswith("OMI-J4") and not code.startswith("OMI-J41") for code in codes)
    assert not [line for line in lines if "{" in line]


def test_stages_in_a_folder_are_skipped_without_openusd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from omi_joints_addon.cli import sources

    monkeypatch.setattr(sources, "is_usd_here", lambda: False)
    folder = tmp_path / "stages"
    folder.mkdir()
    (folder / "stage.usda").write_text("#usda 1.0\n")
    (folder / "empty.gltf").write_text('{"asset": {"version": "2.0"}}')
    assert main(["check", "--recursive", str(folder)]) == 0
    said = capsys.readouterr()
    assert "USD files skipped, because they require OpenUSD (pip install usd-core): 1" in said.err
    assert said.out.endswith("1 file checked: no findings\n")
