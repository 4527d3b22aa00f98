"""A chain with a servo, a motor and a range beyond half a turn, beside its equations of motion.

PhysX runs it in `make oracles`.
"""

import pytest

from tests.oracles import chain

pytestmark = pytest.mark.slow

CLOSE = 0.003
"""[m]"""


@pytest.fixture(scope="module")
def expected():
    pytest.importorskip("scipy")
    return chain.truth()


@pytest.mark.parametrize("rate", [60.0, 240.0])
def test_our_solver_moves_it_as_the_equations_do(expected, rate):
    assert max(chain.gaps(chain.ours(rate=rate), expected)) < CLOSE


def test_mujoco_moves_what_we_write_as_the_equations_do(expected):
    pytest.importorskip("mujoco")
    assert max(chain.gaps(chain.in_mujoco(), expected)) < CLOSE


def test_its_third_joint_turns_beyond_half_a_turn(expected):
    assert expected[2] > 3.2
