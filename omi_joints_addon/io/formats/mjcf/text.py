"""Text of an MJCF file to elements: includes, macros."""

import posixpath
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from ....core.findings.finding import Finding
from ....core.findings.sentence import Sentence
from ...files import real
from ..beside import path_beside, problem_beside
from ..format import Source, UnreadableError
from .expanding import MACROS, UnexpandedError, expanded
from .parsing import parsed
from .rules import MISSING_FILE, NEEDS_MUJOCO


def model_of(source: Source, findings: list[Finding], files: dict[str, bytes]) -> ET.Element:
    """Return the root of a model with its includes in place; raises `UnreadableError`.

    `files` gets the texts by their paths relative to the folder of the model.
    """
    files[source.path.name] = source.text()
    root = parsed(files[source.path.name])
    if root.tag == "robot":
        raise UnreadableError("is a URDF file, not MJCF")
    if root.tag != "mujoco":
        raise UnreadableError(
            Sentence("is not an MJCF model: its root is {tag!r}, not 'mujoco'", tag=root.tag)
        )
    _include(root, source, findings, files)
    macros = sorted({element.tag for element in root.iter() if element.tag in MACROS})
    if not macros:
        return root
    try:
        return expanded(root, source)
    except (UnexpandedError, UnreadableError) as error:
        findings.append(NEEDS_MUJOCO("", names=", ".join(macros), problem=str(error)))
        return root


def _include(
    root: ET.Element, source: Source, findings: list[Finding], files: dict[str, bytes]
) -> None:
    """Put the children of included files in the place of `include` elements, each file once."""
    seen: set[Path] = {real(source.path)}
    while holders := list(_including(root)):
        for holder in holders:
            children: list[ET.Element] = []
            for child in holder:
                if child.tag == "include":
                    children += _included(child.get("file", ""), source, seen, findings, files)
                else:
                    children.append(child)
            holder[:] = children


def _including(root: ET.Element) -> Iterator[ET.Element]:
    for element in root.iter():
        if element.find("include") is not None:
            yield element


def _included(
    name: str,
    source: Source,
    seen: set[Path],
    findings: list[Finding],
    files: dict[str, bytes],
) -> list[ET.Element]:
    key = posixpath.normpath(name.replace("\\", "/"))
    path = source.path.parent / key if key in source.texts else path_beside(source, name)
    problem = problem_beside(source, name) if path is None else ""
    if path is not None and real(path) in seen:
        problem = "it has already been included"
    elif path is not None:
        seen.add(real(path))
        try:
            text = source.texts.get(key)
            if text is None:
                text = Source(path=path, largest=source.largest).text()
            children = list(parsed(text))
        except UnreadableError as error:
            problem = f"it {error}"
        else:
            files[key] = text
            return children
    findings.append(MISSING_FILE("", name=name[:80], problem=problem))
    return []
