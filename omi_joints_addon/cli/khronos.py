"""Khronos' glTF-Validator, which judges all of a glTF file that is not physics.

It is a package of Node, `gltf-validator`, looked for in the folders of NODE_PATH and where Node
itself looks for the packages of all. Those of the working folder may be a stranger's.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from ..core.findings.finding import ERROR, INFO, WARNING
from .errors import CommandError
from .file_report import Reported
from .rule_list import VALIDATOR

_SEVERITIES = (ERROR, WARNING, INFO, INFO)
_MISSING, _SECONDS = 9, 600
_SCRIPT = """
const fs = require("fs"), path = require("path");
const [file, missing] = process.argv.slice(1);
let place;
try {
  place = require.resolve("gltf-validator");
} catch {
  process.exit(Number(missing));
}
const folder = path.dirname(path.resolve(file));
async function beside(uri) {
  const found = path.resolve(folder, decodeURIComponent(uri));
  if (!found.startsWith(folder + path.sep)) throw new Error("outside of the file's folder");
  return new Uint8Array(await fs.promises.readFile(found));
}
require(place)
  .validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 1000,
    ignoredIssues: ["UNSUPPORTED_EXTENSION"],
    externalResourceFunction: beside,
  })
  .then((report) => process.stdout.write(JSON.stringify(report)));
"""


def validated(file: Path) -> list[Reported]:
    """Return what the validator finds in a glTF file; raises `CommandError` where it is missing."""
    node = shutil.which("node")
    if node is None or not Path(node).is_absolute():
        raise CommandError("--with-validator requires Node, which is not installed")
    command = [node, "-e", _SCRIPT, "--", str(file.absolute()), str(_MISSING)]
    outside = file.absolute().anchor
    try:
        run = subprocess.run(
            command, check=False, capture_output=True, timeout=_SECONDS, cwd=outside
        )
    except subprocess.TimeoutExpired as error:
        raise CommandError(f"the validator did not end within {_SECONDS} s") from error
    if run.returncode == _MISSING:
        raise CommandError(
            "--with-validator requires the package gltf-validator: npm install --global "
            "gltf-validator, with NODE_PATH set to what npm root --global prints"
        )
    if run.returncode:
        lines = run.stderr.decode(errors="replace").strip().splitlines()
        raise CommandError(f"the validator failed: {lines[-1] if lines else run.returncode}")
    return [_reported(issue) for issue in json.loads(run.stdout)["issues"]["messages"]]


def _reported(issue: dict[str, Any]) -> Reported:
    return Reported(
        code=VALIDATOR + issue["code"],
        severity=_SEVERITIES[issue["severity"]],
        place=issue.get("pointer", ""),
        message=issue["message"],
    )
