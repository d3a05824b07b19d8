# SPDX-License-Identifier: Apache-2.0
"""`make run TARGET=fpga BENCH=selftest`: the latencies of the region against the one set, from the delayer's histograms.

The program (software/selftest) takes the snapshot that is read here; session.run has set where the bins lie.
"""

from nhg import late, platform
from nhg.board.control import Board
from nhg.errors import NhgError
from nhg.far_memory import HISTOGRAM_SHIFT
from nhg.record import Record

NAME = "selftest"
CHARACTERS = 40  # of the longest bar


def rows(counts: list[int]) -> list[tuple[str, int]]:
    """What each bin that is not empty means, and its count. The first holds what came at the latency set, or sooner."""
    width_ns = (1 << HISTOGRAM_SHIFT) / platform.cycles_per_ns()
    names = ["as set", *(f"up to {width_ns * late:.0f} ns later" for late in range(1, len(counts) - 1)), "later still"]
    return [(name, count) for name, count in zip(names, counts, strict=True) if count]


def lines(kind: str, counts: list[int]) -> list[str]:
    """A histogram of the far reads or writes in characters."""
    total = sum(counts)
    return [f"far {kind}s, by latency:", *(f"  {name:>20} {count:>9,} {'#' * -(-CHARACTERS * count // total)}" for name, count in rows(counts))]


def report(board: Board, record: Record) -> None:
    """Print the histograms of the run that was just measured, and the mean beside what was set; raise if memory did not keep the latency."""
    for kind in ("read", "write"):
        name = f"{kind}_histogram"
        print("\n".join(lines(kind, list(board.words("far_control", name, platform.description()["registers"]["far_control"][name]["count"])))))
    print(late.took(record))
    if record.far_late:
        raise NhgError(f"{NAME}: far memory gave {record.far_late:,} answers after their time; docs/design/board.md, Is the set latency true?")
