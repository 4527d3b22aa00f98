"""The scenes of docs/solver.md with closed forms, which other engines run in `make oracles`."""

import pytest

from tests.oracles import properties
from tests.oracles.truths import TRUTHS, Truth

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.row.name)
def test_contacts_meet_their_closed_forms(truth: Truth) -> None:
    assert properties.ours(truth.row) == pytest.approx(truth.row.expected, abs=truth.exact)
