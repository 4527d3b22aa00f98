"""Carriers: used while what they complete stays as it is, by digests of this and older versions."""

import hashlib

import pytest

from omi_joints_addon.io.formats.carrier import (
    Carried,
    carried_of,
    carrier,
    digest,
    is_digest,
    json_text,
)

MEMBERS = {"b": 1.5, "a": [1, 2]}
TEXT = '{"a":[1,2],"b":1.5}'
SHA = hashlib.sha256(TEXT.encode()).hexdigest()


def test_digests_are_of_the_text_whatever_the_order_of_members():
    assert json_text(MEMBERS) == TEXT
    assert digest(TEXT) == SHA[:32]


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (SHA[:32], True),
        # URDF, and glTF for Godot, of version 0.1.0.
        (SHA[:16], True),
        (SHA[:15], False),
        ("", False),
        (SHA[1:33], False),
        (None, False),
    ],
)
def test_digests_of_older_files_are_shorter(value, fits):
    assert is_digest(value, TEXT) is fits


def test_a_carrier_counts_until_the_members_change():
    made = carrier({"kept": 5}, MEMBERS)
    assert carried_of(made, MEMBERS) == {"kept": 5}
    assert carried_of(made, MEMBERS | {"b": 2.0}) is None
    assert carried_of("text", MEMBERS) is None


def test_a_carried_value_is_none_where_it_is_absent_stale_or_damaged():
    number = Carried(int)
    assert number.read("5", is_unchanged=True) == 5
    assert number.read("5", is_unchanged=False) is None
    assert number.read(None, is_unchanged=True) is None
    assert number.read("five", is_unchanged=True) is None
