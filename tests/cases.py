"""How many random cases a test runs: few in every run, many in `make fuzz` and `make attack`.

Each test names its own many, by what a case costs and by how many it takes to find a rare fault.
OMI_CASES is the share of them that is run: 1 for all, 0.1 for a tenth, 0 in every other run.
"""

import os

SHARE = float(os.environ.get("OMI_CASES", "0"))
IS_LONG = SHARE > 0
"""Whether there is the patience for cases and courses that are long."""


def cases(few: int, many: int) -> int:
    """Return how many cases a test runs, `few` in every run."""
    return max(few, round(SHARE * many))


EXAMPLES = cases(20, 200)
"""Examples of each property that hypothesis draws."""
