"""SARIF reports against the published schema of SARIF 2.1.0, which a package of Node has."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from omi_joints_addon.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = Path(os.environ.get("OMI_NODE_PACKAGES", ROOT / "build" / "node")) / "node_modules"
SCHEMAS = PACKAGES / "@microsoft" / "jest-sarif" / "lib" / "schemas"
FAULTS = ROOT / "conformance" / "faults"


@pytest.fixture
def schema() -> Any:
    files = list(SCHEMAS.glob("sarif-2.1.0*.json"))
    if not files:
        pytest.skip("no @microsoft/jest-sarif: tools/node_packages.sh install")
    return json.loads(files[0].read_text("utf-8"))


def _errors(schema: Any, report: Any) -> list[str]:
    form = jsonschema.Draft4Validator.FORMAT_CHECKER
    found = jsonschema.Draft4Validator(schema, format_checker=form).iter_errors(report)
    return [f"{list(error.absolute_path)}: {error.message}" for error in found]


def test_reports_follow_the_schema(
    schema: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All faults, a file that cannot be read, and names that need escapes in addresses."""
    (tmp_path / "cut off.glb").write_bytes(b"glTF\2\0\0\0")
    (tmp_path / "ä 100% #1.gltf").write_bytes((FAULTS / "limit_reversed.gltf").read_bytes())
    files = [str(FAULTS), str(tmp_path)]
    assert main(["check", "-r", "--no-config", "--format", "sarif", *files]) == 2
    report = json.loads(capsys.readouterr().out)
    assert len(report["runs"][0]["results"]) > 100
    assert _errors(schema, report) == []


def test_the_schema_finds_what_is_wrong(schema: Any) -> None:
    assert _errors(schema, {"version": "2.1.0", "runs": [{"results": [{"level": "bad"}]}]})
