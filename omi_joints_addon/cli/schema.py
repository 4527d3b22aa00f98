"""Print the JSON schema of documents with physics, or of a report.

omi is for OMI_physics_joint, OMI_physics_body and OMI_physics_shape, khr for
KHR_physics_rigid_bodies and KHR_implicit_shapes, omi-2023 for joints in the form that the extension
had in 2023. They are JSON schemas (draft 2020-12) of whole glTF documents, which editors and other
validators can use, and allow anything that is not physics. report is what check --format json
prints. The command check also finds what a schema cannot express, such as bounds that contradict
each other.

examples:
  schema > omi-joints.schema.json
  schema khr > khr.schema.json
  schema report > report.schema.json
"""

import argparse
import json
import sys

_NAMES = ("omi", "khr", "omi-2023", "report")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "name", nargs="?", choices=_NAMES, default="omi", help="which schema (default: omi)"
    )


def run(options: argparse.Namespace) -> int:
    """Print the schema and return the exit code."""
    from ..io.formats.gltf.schemas import document_schema
    from .reports.json_report import REPORT_SCHEMA

    schema = REPORT_SCHEMA if options.name == "report" else document_schema(options.name)
    json.dump(schema, sys.stdout, indent=2)
    sys.stdout.write("\n")
    return 0
