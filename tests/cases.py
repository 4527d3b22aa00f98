"""How many random cases a test runs: few in every run, OMI_FUZZ_CASES in `make fuzz`."""

import os

MANY = int(os.environ.get("OMI_FUZZ_CASES", "0"))
"""Cases of each test that draws its own; 0 is as few as the test says."""
EXAMPLES = 20 if MANY == 0 else max(20, MANY // 20)
"""Examples of each property that hypothesis draws."""


def cases(few: int) -> int:
    """Return how many cases a test runs, `few` of them in every run."""
    return MANY or few
