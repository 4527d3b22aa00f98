"""Khronos' glTF-Validator, which judges all of a glTF file that is not physics.

It is a package of Node, `gltf-validator`, looked for in the folders of NODE_PATH and where Node
itself looks for the packages of all. Those of the working folder may be a stranger's.
"""

import functools
import json
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any

from ..core.findings.finding import ERROR, INFO, WARNING
from .errors import CommandError
from .file_report import Reported
from .rule_list import VALIDATOR

_SEVERITIES = (ERROR, WARNING, INFO, INFO)
_MISSING, _SECONDS = 9, 600
_SCRIPT = """
const fs = require("fs"), path = require("path");
const [missing] = process.argv.slice(1);
let validator;
try {
  validator = require(require.resolve("gltf-validator"));
} catch {
  process.exit(Number(missing));
}
function report(file) {
  const folder = path.dirname(file);
  async function beside(uri) {
    const found = path.resolve(folder, decodeURIComponent(uri));
    if (!found.startsWith(folder + path.sep)) throw new Error("outside of the file's folder");
    return new Uint8Array(await fs.promises.readFile(found));
  }
  return validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 1000,
    ignoredIssues: ["UNSUPPORTED_EXTENSION"],
    externalResourceFunction: beside,
  });
}
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", async (line) => console.log(JSON.stringify(await report(JSON.parse(line)))));
"""
"""Answers the path of each file, a line of JSON, with a line, until its input ends."""


def validated(file: Path) -> list[Reported]:
    """Return what the validator finds in a glTF file; raises `CommandError` where it is missing."""
    node = shutil.which("node")
    if node is None or not Path(node).is_absolute():
        raise CommandError("--with-validator requires Node, which is not installed")
    validator = _validator(node, os.environ.get("NODE_PATH"))
    timer = Timer(_SECONDS, validator.kill)
    timer.start()
    answer = _answer(validator, file.absolute())
    is_in_time = timer.is_alive()
    timer.cancel()
    if answer:
        return [_reported(issue) for issue in json.loads(answer)["issues"]["messages"]]
    _validator.cache_clear()
    problem = f"the validator did not end within {_SECONDS} s"
    raise CommandError(_problem(validator) if is_in_time else problem)


@functools.cache
def _validator(node: str, packages: str | None) -> subprocess.Popen[bytes]:
    """Return the process that judges files; to start one takes longer than to judge a file."""
    return subprocess.Popen(
        [node, "-e", _SCRIPT, "--", str(_MISSING)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(node).anchor,
    )


def _answer(validator: subprocess.Popen[bytes], file: Path) -> bytes:
    """Return what a process answers, nothing where it ended."""
    assert validator.stdin
    assert validator.stdout
    with suppress(OSError):
        validator.stdin.write(json.dumps(str(file)).encode() + b"\n")
        validator.stdin.flush()
    return validator.stdout.readline()


def _problem(validator: subprocess.Popen[bytes]) -> str:
    """Return why the process ended."""
    assert validator.stderr
    lines = validator.stderr.read().decode(errors="replace").strip().splitlines()
    code = validator.wait()
    if code == _MISSING:
        return (
            "--with-validator requires the package gltf-validator: npm install --global "
            "gltf-validator, with NODE_PATH set to what npm root --global prints"
        )
    return f"the validator failed: {lines[-1] if lines else code}"


def _reported(issue: dict[str, Any]) -> Reported:
    return Reported(
        code=VALIDATOR + issue["code"],
        severity=_SEVERITIES[issue["severity"]],
        place=issue.get("pointer", ""),
        message=issue["message"],
    )
