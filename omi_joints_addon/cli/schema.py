"""Print the JSON schema of documents with joints.

The schema (JSON Schema, draft 2020-12) is what the checks hold the members of OMI_physics_joint
against, for editors and other validators. It describes a whole glTF document and leaves open what
is not about joints. Meaning that a schema cannot tell, such as bounds that contradict each other,
is checked by the command check.

example:
  schema > omi-joints.schema.json
"""

import argparse
import json
import sys

from ..io.formats.gltf.schema import DOCUMENT_SCHEMA


def arguments(_parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command: none."""


def run(_options: argparse.Namespace) -> int:
    """Print the schema and return the exit code."""
    json.dump(DOCUMENT_SCHEMA, sys.stdout, indent=2)
    sys.stdout.write("\n")
    return 0
