# SPDX-License-Identifier: Apache-2.0
"""Reads a pipeline log and checks that it is one: `read`."""

from dataclasses import dataclass, field

INSTRUCTION, REQUEST, GROUP = range(3)


@dataclass
class Row:
    """An instruction, line request or group of the log; cycles as in the log."""

    number: int
    kind: int
    begin: int
    label: str = ""
    detail: str = ""
    stages: list[tuple[int, str]] = field(default_factory=list)
    arrows: list[tuple[int, "Row"]] = field(default_factory=list)  # (cycle, from)
    end: int | None = None
    retired: int | None = None  # its place among those that were; None: dropped

    @property
    def pc(self) -> int:
        return int(self.label.partition(":")[0], 16)

    def at(self, stage: str) -> int:
        """First cycle in a stage."""
        return next(cycle for cycle, name in self.stages if name == stage)


def read(text: str) -> list[Row]:
    """Rows in their order; an assertion fails where the log breaks a rule of the format."""
    assert text.endswith("\n")
    header, first, *lines = text.splitlines()
    assert header == "Kanata\t0004" and first.startswith("C=\t")
    cycle = int(first.split("\t")[1])
    assert cycle >= 0
    rows: list[Row] = []
    retired = {INSTRUCTION: 0, REQUEST: 0, GROUP: 0}
    for line in lines:
        command, argument, *rest = line.split("\t")
        if command == "C":
            assert int(argument) > 0, "time goes on"
            cycle += int(argument)
            continue
        if command == "I":
            assert int(argument) == len(rows), "numbers in their order"
            rows.append(Row(int(rest[0]), int(rest[1]), cycle))
            continue
        row = rows[int(argument)]
        assert row.end is None, f"{line}: the row has ended"
        if command == "L":
            assert rest[0] in "01"
            row.label, row.detail = (row.label + rest[1], row.detail) if rest[0] == "0" else (row.label, row.detail + rest[1])
        elif command == "S":
            assert rest[0] == "0" and (not row.stages or row.stages[-1][0] < cycle), f"{line}: a stage without a cycle"
            row.stages.append((cycle, rest[1]))
        elif command == "W":
            assert rest[1] == "0"
            row.arrows.append((cycle, rows[int(rest[0])]))
        else:
            assert command == "R" and rest[1] in "01", line
            row.end = cycle
            assert row.end > row.begin and int(rest[0]) == retired[row.kind]
            if rest[1] == "0":
                row.retired = retired[row.kind]
                retired[row.kind] += 1
    assert all(row.end is not None for row in rows), "every row ends"
    return rows
