# SPDX-License-Identifier: Apache-2.0
"""CoreMark's score from a run; a run with wrong answers has none. The run itself: `make coremark`."""

import pytest
from simulated_result import COUNTS, result

from nhg.coremark import VALIDATED, summary
from nhg.elf import Ended
from nhg.errors import NhgError
from nhg.result import compute, parse

RESULT = compute(parse(result({**COUNTS, "cycles": 2_000_000, "instret": 4_000_000, "branch_mispredicts": 6_000})))


def test_score() -> None:
    line = summary(Ended(0, RESULT, f"2K performance run\n{VALIDATED}. See README.md\n"), 10)
    assert "CoreMark 5.000 /MHz" in line and "IPC 2.000" in line and "1.50 mispredictions" in line


@pytest.mark.parametrize(("code", "console"), [(0, "[0]ERROR! list crc 0x1 - should be 0xe714\n"), (3, f"{VALIDATED}\n"), (0, "")])
def test_wrong_answers_have_no_score(code: int, console: str) -> None:
    with pytest.raises(NhgError, match="answers are wrong"):
        summary(Ended(code, RESULT, console), 10)
