"""Files that a model refers to beside those that it includes: meshes, textures, height fields."""

import xml.etree.ElementTree as ET
from pathlib import Path

from ..beside import path_beside
from ..format import Source

_FOLDERS = {"mesh": "meshdir", "skin": "meshdir", "texture": "texturedir", "hfield": "assetdir"}
"""Option of the compiler that names the folder of a kind of asset; else that of `assetdir`."""
SIDES = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
"""Attributes that name files."""


def asset_files(root: ET.Element, source: Source) -> tuple[Path, ...]:
    """Return the files of the assets of a model that are where the model may refer to them."""
    folders: dict[str, str] = {}
    for element in root.findall("compiler"):
        folders |= element.attrib
    found: dict[Path, None] = {}
    for element in root.iterfind("asset/*"):
        option = _FOLDERS.get(element.tag)
        folder = "" if option is None else folders.get(option, folders.get("assetdir", ""))
        for name in SIDES if option is not None else ():
            if file := element.get(name, ""):
                path = path_beside(source, f"{folder}/{file}" if folder else file)
                found |= {} if path is None else {path: None}
    return tuple(found)
