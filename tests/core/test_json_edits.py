"""JSON texts edited in place, judged by json, which makes the same edits on the value."""

import json
import random
import re

import pytest

from omi_joints_addon.io.documents.json_edits import JsonEdits
from omi_joints_addon.io.documents.splices import UneditableError

TEXT = b"""{
  "name": "a \\"b\\" // no comment",
  "list": [1, 2.50, {"x": null, "y/z~": [true]}, []],
  "empty": {}, "last": -1e3
}
"""
LOOSE = b'{"a": 1, // one\n "b": [1, 2,], /* , */ "c": {"d": 4,},}\n'


def loose(data: bytes):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", data.decode(), flags=re.S)
    return json.loads(re.sub(r",(?=\s*[\]}])", "", text))


def pointers(value, path=""):
    yield path, value
    items = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else items
    for key, inner in items:
        yield from pointers(inner, f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}")


@pytest.mark.parametrize("data", [TEXT, LOOSE, b"[]", b'{"a":{"b":[[1]]}}', b"\xef\xbb\xbf{}"])
def test_text_without_edits_is_the_same_and_every_value_has_its_place(data):
    edits = JsonEdits(data)
    assert edits.result() == data
    body = data.removeprefix(b"\xef\xbb\xbf")
    value = loose(body) if data == LOOSE else json.loads(body)
    for path, inner in pointers(value):
        assert edits.span(f"{path}/unknown") is None
        start, end = edits.span(path)
        text = body.decode()[start:end].encode()
        assert (loose(text) if data == LOOSE else json.loads(text)) == inner


@pytest.mark.parametrize("seed", range(200))
def test_random_edits_are_those_that_json_makes(seed):
    chance = random.Random(seed)
    edits, value = JsonEdits(TEXT), json.loads(TEXT)
    path, old = chance.choice(list(pointers(value))[1:])
    if isinstance(old, dict) and chance.random() < 0.8:
        for name in ("new", "more"):
            edits.set(f"{path}/{name}", [1, {"a": "b"}])
            old[name] = [1, {"a": "b"}]
        assert json.loads(edits.result()) == value
        return
    edits.set(path, "changed")
    again = dict(pointers(json.loads(edits.result())))
    assert again[path] == "changed"
    kept = {p: v for p, v in pointers(value) if not path.startswith(p) and not p.startswith(path)}
    assert {p: again[p] for p in kept} == kept


def test_a_new_member_stands_as_the_last_one_does():
    edits = JsonEdits(TEXT)
    edits.set("/last", 5)
    edits.set("/new", {"a": 1})
    assert edits.result() == TEXT.replace(b"-1e3", b'5, "new": {"a": 1}')


@pytest.mark.parametrize("data", [b"", b"{", b'{"a" 1', b"[1", b"\xff", b"{1: 2}"])
def test_text_without_certain_places_is_refused(data):
    with pytest.raises(UneditableError):
        JsonEdits(data)
