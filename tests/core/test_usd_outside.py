"""Layers outside of the folder of a stage are not read, however they are called."""

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from omi_joints_addon.cli.main import main

pytest.importorskip("pxr")
BODY = 'def Sphere "{name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {{}}\n'


def layer(path: Path, name: str, head: str = "", more: str = "") -> None:
    path.parent.mkdir(exist_ok=True)
    body = f'def Xform "Root" {{ {BODY.format(name=name)} }}\n'
    path.write_text(f'#usda 1.0\n(defaultPrim = "Root"\n{head})\n{body}{more}')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    layer(tmp_path / "secret.usda", "Secret")
    layer(tmp_path / "in" / "near.usda", "Near")
    return tmp_path / "in"


def shown(*arguments: Any) -> int:
    return main([str(argument) for argument in arguments])


SECRET = "@../secret.usda@"
VARIANTS = """def "A" (
    variants = { string v = "a" }
    prepend variantSets = "v"
) {
    variantSet "v" = {
        "a" (references = @../secret.usda@) {
        }
    }
}"""
WAYS = {
    "sublayer": (f"subLayers = [{SECRET}]", ""),
    "reference": ("", f'def "A" (references = {SECRET}) {{}}'),
    "payload, absolute": ("", 'def "A" (payload = @ABOVE/secret.usda@) {}'),
    "detour": ("", 'def "A" (references = @./sub/../../secret.usda@) {}'),
    "link": ("", 'def "A" (references = @./link.usda@) {}'),
    "variant": ("", VARIANTS),
    "expression": (
        'expressionVariables = { string X = "secret" }',
        'def "A" (references = @`"../${X}.usda"`@) {}',
    ),
    "variables of another layer": (
        'expressionVariables = { string X = "secret" }',
        'def "A" (references = @./variable.usda@) {}',
    ),
    "of another layer": ("", 'def "A" (references = @./middle.usda@) {}'),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_outside_is_left_out(way, folder, capsys):
    head, more = (text.replace("ABOVE", str(folder.parent)) for text in WAYS[way])
    (folder / "link.usda").symlink_to("../secret.usda")
    layer(folder / "middle.usda", "Middle", f"subLayers = [{SECRET}]")
    variable = 'def "A" (references = @`"../${X}.usda"`@) {}'
    layer(folder / "variable.usda", "Middle", more=variable)
    layer(folder / "x.usda", "Own", head, f'{more}\ndef "B" (references = @near.usda@) {{}}')
    assert shown("check", folder / "x.usda") == 0
    assert "is not read: it is outside the folders" in capsys.readouterr().out
    assert shown("show", folder / "x.usda") == 0
    told = capsys.readouterr().out
    assert "Own" in told
    assert "Near" in told
    assert "Secret" not in told


def test_a_folder_that_is_named_is_read(folder, capsys):
    layer(folder / "x.usda", "Own", "", 'def "A" (references = @../secret.usda@) {}')
    target = folder / "x.glb"
    assert shown("convert", folder / "x.usda", target, "-o", f"package=all={folder.parent}") == 0
    assert "outside" not in capsys.readouterr().err
    assert b"Secret" in target.read_bytes()


@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usdz"])
def test_every_form_is_known_by_its_content(suffix, folder, monkeypatch, capsys):
    """On standard input, and in a file of another name."""
    target = folder / f"x{suffix}"
    assert shown("convert", folder / "near.usda", target) == 0
    capsys.readouterr()
    other = target.rename(folder / "x.bin")
    assert shown("show", other) == 0
    assert "Near" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(other.read_bytes())))
    assert shown("show", "-") == 0
    assert "Near" in capsys.readouterr().out
