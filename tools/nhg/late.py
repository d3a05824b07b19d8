# SPDX-License-Identifier: Apache-2.0
"""Runs whose far memory did not keep the latency that was set, and why.

Either the memory behind the delayer gave answers after their time (record: far_late), or reads took longer on average although each was released in time,
since they waited for something else (far_limit): 512 reads of 64 bytes in flight need 1,024 cycles of a port that carries 32 bytes a cycle, whatever
latency is set. They are measured all the same, in the simulator as on the board; every table says so, and figures mark the late ones.
"""

from collections.abc import Iterable

from nhg.record import Record

MARK = "*"  # behind a number of a run with late answers
TOLERANCE = 1.02  # mean latency over the one set
PORT_FULL = 0.8  # of the busy cycles, in which a region begins and ends with none
LIMITS = {
    "port": "the 32-byte port, which was full",
    "core": "the core, which did not take answers",
    "bandwidth": "the bandwidth that is set",
    "slots": "the number of reads that the delayer holds",
    "room": "the delayer's room for data",
    "memory": "the memory, which took no further address",
    "late": "the memory, which answered late",
}


def limit(record: Record) -> str:
    """What made far reads take longer on average than was set, one of LIMITS; empty if they did not."""
    mean = record.far_read_mean_ns
    if mean is None or mean <= TOLERANCE * (record.latency_ns + record.jitter_ns):
        return ""
    if record.far_port_use.get("read", 0) >= PORT_FULL:
        return "port"
    waited = {cause: record.far_stalls.get(f"read_{cause}", 0) for cause in LIMITS}
    longest = max(waited, key=lambda cause: waited[cause])
    return longest if waited[longest] else "port"


def took(record: Record) -> str:
    """The mean latency of far reads beside the one set, and what the limit was; empty without reads."""
    mean = record.far_read_mean_ns
    if mean is None:
        return ""
    why = f"; the limit was {LIMITS[record.far_limit]}" if record.far_limit else ""
    return f"far reads took {mean:,.0f} ns on average, {record.latency_ns:g} ns are set{why}"


def note(record: Record) -> str:
    """What is to be said of a run; empty if the latency set was kept."""
    if not record.far_late:
        return ""
    accesses = (record.far_reads or 0) + (record.far_writes or 0)
    said = f"{MARK} {record.far_late:,} of {accesses:,} far accesses were answered later than the {record.latency_ns:g} ns set"
    return "; ".join(part for part in (said, took(record)) if part)


def lines(records: Iterable[Record | None]) -> list[str]:
    """One line for each such run."""
    return [f"{record.bench}/{record.variant} at {record.latency_ns:g} ns: {note(record)}" for record in records if record and record.far_late]
