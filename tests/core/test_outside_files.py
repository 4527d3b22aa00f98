"""Commands open no file outside the folders that may be read, whatever a document calls it.

The witness is strace: it sees what the process opens, in Python and in libraries.
"""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.io.formats.meshes.stl import stl_from_mesh
from tests.core.test_mesh_files import TETRAHEDRON

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")

URDF = (
    '<robot name="r"><link name="a"><collision><geometry>{}</geometry></collision></link></robot>'
)
MJCF = '<mujoco>{}<worldbody><body name="b"><joint type="hinge"/>{}</body></worldbody></mujoco>'
GEOM = '<geom type="mesh" mesh="s"/>'
REPEATED = (
    '<replicate count="2" offset="0 0 1"><body><joint/><geom size="0.1"/></body></replicate>{}'
)
"""What MuJoCo itself expands."""
USD = '#usda 1.0\n(\n defaultPrim = "Root"\n{}\n)\ndef Xform "Root" {{}}\n{}'


def _gltf(uri: str) -> str:
    mesh = {"primitives": [{"attributes": {"POSITION": 0}}]}
    accessor = {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}
    return json.dumps(
        {
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0}],
            "meshes": [mesh],
            "accessors": [accessor],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "buffers": [{"uri": uri, "byteLength": 36}],
            "images": [{"uri": uri}],
        }
    )


# Suffix, kind of the secret file and text of each document. ABOVE stands for the folder that holds
# the secrets, NAME for the last part of it, SECRET for the secret file without its suffix.
DOCUMENTS = {
    **{
        f"urdf {number}": ("urdf", "stl", URDF.format(f'<mesh filename="{uri}"/>'))
        for number, uri in enumerate(
            (
                "package://ABOVE/SECRET.stl",
                "package://NAME/SECRET.stl",
                "package://../SECRET.stl",
                "package://own/%2e%2e/SECRET.stl",
                "model://ABOVE/SECRET.stl",
                "file://ABOVE/SECRET.stl",
                "ABOVE/SECRET.stl",
                "../SECRET.stl",
                "..\\SECRET.stl",
                "link/SECRET.stl",
            )
        )
    },
    "urdf texture": (
        "urdf",
        "png",
        '<robot name="r"><material name="m"><texture filename="../SECRET.png"/></material>'
        '<link name="a"/></robot>',
    ),
    **{
        f"mjcf {number}": ("xml", "stl", MJCF.format(head, GEOM))
        for number, head in enumerate(
            (
                '<asset><mesh name="s" file="../SECRET.stl"/></asset>',
                '<asset><mesh name="s" file="ABOVE/SECRET.stl"/></asset>',
                '<asset><mesh name="s" file="package://ABOVE/SECRET.stl"/></asset>',
                '<asset><mesh name="s" file="link/SECRET.stl"/></asset>',
                '<compiler meshdir=".."/><asset><mesh name="s" file="SECRET.stl"/></asset>',
                '<compiler meshdir="ABOVE"/><asset><mesh name="s" file="SECRET.stl"/></asset>',
            )
        )
    },
    "mjcf include": ("xml", "xml", MJCF.format('<include file="../SECRET.xml"/>', "")),
    "mjcf height field": (
        "xml",
        "png",
        MJCF.format(
            '<asset><hfield name="h" size="1 1 1 1" file="../SECRET.png"/></asset>',
            '<geom type="hfield" hfield="h"/>',
        ),
    ),
    **{
        f"mjcf expanded {number}": ("xml", kind, MJCF.format(head, REPEATED.format(more)))
        for number, (kind, head, more) in enumerate(
            (
                ("xml", '<include file="../SECRET.xml"/>', ""),
                ("xml", '<include file="ABOVE/SECRET.xml"/>', ""),
                ("xml", '<asset><model name="m" file="../SECRET.xml"/></asset>', ""),
                ("xml", '<asset><model name="m" file="link/SECRET.xml"/></asset>', ""),
                ("stl", '<asset><mesh name="s" file="..\\SECRET.stl"/></asset>', GEOM),
                ("stl", '<asset><mesh name="s" file="link/SECRET.stl"/></asset>', GEOM),
                (
                    "stl",
                    '<compiler assetdir="ABOVE"/><asset><mesh name="s" file="SECRET.stl"/></asset>',
                    GEOM,
                ),
                (
                    "stl",
                    '<compiler meshdir="ABOVE" strippath="true"/>'
                    '<asset><mesh name="s" file="x/y/SECRET.stl"/></asset>',
                    GEOM,
                ),
                ("png", '<asset><texture type="cube" fileup="../SECRET.png"/></asset>', ""),
                ("stl", "", '<flexcomp name="f" type="mesh" file="../SECRET.stl"/>'),
                ("xml", '<asset><model name="m" file="part.xml"/></asset>', ""),
            )
        )
    },
    **{
        f"gltf {number}": ("gltf", "bin", uri)
        for number, uri in enumerate(
            (
                "../SECRET.bin",
                "ABOVE/SECRET.bin",
                "file://ABOVE/SECRET.bin",
                "%2e%2e/SECRET.bin",
                "link/SECRET.bin",
            )
        )
    },
    **{
        f"usd {number}": ("usda", "usda", text)
        for number, text in enumerate(
            (
                USD.format(" subLayers = [@../SECRET.usda@]", ""),
                USD.format("", 'def "A" (references = @ABOVE/SECRET.usda@) {{}}'),
                USD.format("", 'def "A" (payload = @link/SECRET.usda@) {{}}'),
            )
        )
        if find_spec("pxr") or find_spec("bpy")
    },
}

RUN = """
import sys
from omi_joints_addon.cli.main import main
named = sys.argv.pop()
for path in sys.argv[1:]:
    convert = ["convert", path, path + ".glb", "-f", "--verify"]
    for command in (["check", path], ["show", path], convert):
        try:
            main(command)
        except SystemExit:
            pass
    if path.endswith(".urdf"):
        main(["convert", path, path + ".glb", "-f", "-o", "package=" + named])
"""


def _written(folder: Path) -> dict[str, Path]:
    """Write each document into a folder of its own below one of secrets; return the secrets."""
    secrets = {}
    own = folder / "own"
    (own / "named").mkdir(parents=True)
    (own / "link").symlink_to(folder)
    (own / "part.xml").write_text(f'<mujoco><include file="{folder}/secret_of_part.xml"/></mujoco>')
    secrets["mjcf part"] = folder / "secret_of_part.xml"
    secrets["mjcf part"].write_bytes(_content("xml"))
    for number, (title, (suffix, kind, text)) in enumerate(DOCUMENTS.items()):
        secret = folder / f"secret_{number}.{kind}"
        content = _gltf(text) if suffix == "gltf" else text
        for mark, place in (("ABOVE", folder), ("NAME", folder.name), ("SECRET", secret.stem)):
            content = content.replace(mark, str(place))
        (own / f"document_{number}.{suffix}").write_text(content)
        secret.write_bytes(_content(kind))
        secrets[title] = secret
    return secrets


def _content(kind: str) -> bytes:
    if kind == "stl":
        return stl_from_mesh(TETRAHEDRON)
    if kind == "usda":
        return USD.format("", "").encode()
    return b"<mujoco/>" if kind == "xml" else np.zeros(9, np.float32).tobytes()


@pytest.mark.slow
def test_no_document_makes_a_command_open_a_file_elsewhere(tmp_path: Path, repository: Path):
    folder = tmp_path.resolve() / "secrets"
    secrets = _written(folder)
    documents = sorted(str(path) for path in (folder / "own").glob("document_*"))
    log = tmp_path / "log"
    strace = ["strace", "-f", "-s", "4096", "-e", "trace=open,openat,openat2", "-o", str(log)]
    command = [sys.executable, "-c", RUN, *documents, str(folder / "own" / "named")]
    subprocess.run([*strace, *command], check=True, cwd=repository, capture_output=True)
    opened = log.read_text(errors="replace")
    assert all(Path(document).name in opened for document in documents)
    assert [title for title, secret in secrets.items() if secret.name in opened] == []
