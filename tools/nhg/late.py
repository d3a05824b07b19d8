# SPDX-License-Identifier: Apache-2.0
"""Runs whose far memory did not keep the latency that was set: answers that the memory behind the delayer gave after their time (record: far_late).

They are measured all the same, since a port that is full makes answers late, too, in the simulator as on the board; but every table and figure says so.
"""

from collections.abc import Iterable

from nhg.record import Record

MARK = "*"  # behind a number of such a run


def note(record: Record) -> str:
    """What is to be said of a run; empty if the latency set was kept."""
    if not record.far_late:
        return ""
    accesses = (record.far_reads or 0) + (record.far_writes or 0)
    mean = record.far_read_latency_ns.get("mean")
    took = "" if mean is None else f"; reads took {mean:,.0f} ns on average"
    return f"{MARK} {record.far_late:,} of {accesses:,} far accesses were answered later than the {record.latency_ns:g} ns set{took}"


def lines(records: Iterable[Record | None]) -> list[str]:
    """One line for each such run."""
    return [f"{record.bench}/{record.variant} at {record.latency_ns:g} ns: {note(record)}" for record in records if record and record.far_late]
