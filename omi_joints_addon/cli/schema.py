"""Print the JSON schema of documents with joints.

The checks validate the members of OMI_physics_joint against this schema (JSON Schema, draft
2020-12), which editors and other validators can use, too. It describes a whole glTF document and
allows anything that is not about joints. The command check also finds what a schema cannot
express, such as bounds that contradict each other.

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
