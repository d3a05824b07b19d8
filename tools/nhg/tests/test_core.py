# SPDX-License-Identifier: Apache-2.0
"""The table of `make core` from what its programs print. The run itself: `make core`."""

import pytest

from nhg import core, coremark
from nhg.errors import NhgError

CONSOLES = {
    "loops": "integer loop, instructions a cycle     3.10\ndot product, FMA a cycle               0.90\n",
    "cache_latency": """cycles a load
L1D: 8 KiB of lines                         4.0
L2: 128 KiB of lines                       10.0
L3: 768 KiB of lines                       21.0
far memory                                327.0
far memory, 16 independent chases          22.0
""",
    "sequential_reads": "cycles a line   local   at first  far  at first\nevery word     31.5   108.6   29.9   29.8\nevery word, downwards   1.0 2.0 3.0 4.0\n",
    "sequential_writes": "cycles a line   L1D  L2  local  far\nevery word      4.1   4.0  10.4  14.3\n",
    "mode_changes": """cycles
two reads of cycle                          4.0
mret to U mode                             11.0
ecall in U mode to the handler             11.8
store to msip to the handler               19.0
csrs mip to the handler                    20.0
read of a CSR                               4.3
write of a CSR                              6.3
write of a CSR that decoding depends on     9.4
""",
    "page_walks": """cycles a load
a page that the TLB has                     4.1
a page that the L2 TLB has                  9.0
a walk, table in L1D                       19.0
a walk, table in L2                        13.0
a walk, table in L3                        28.1
a walk, table in far memory               329.0
sfence.vma                                 11.0
the first load behind it                   22.0
""",
    "stream_kernels": """GB/s kernel   counted  at memory cycles a line of each array
   3 copy          1.5        3.0      256
   3 add           1.6        3.0      386
   - copy         10.7       13.4       35
   - add          10.9       14.5       52
""",
}


def test_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "build_models", lambda *_, **__: None)
    monkeypatch.setattr(coremark, "measure", lambda iterations: f"CoreMark {iterations}")
    table = core.measure(CONSOLES.__getitem__)
    assert "| integer loop in L1D, instructions a cycle | 3.1 | ≥ 3 |  |" in table
    assert "| dot product, FMA a cycle | 0.9 | ≥ 0.95 | missed |" in table
    assert "| independent far misses in flight, of 16 | 14.9 | ≥ 14 |  |" in table
    assert "| every word of far memory at 100 ns, cycles a line | 29.9 | ≤ 50 |  |" in table
    assert "| every word of far memory at 100 ns written, cycles a line | 14.3 |  |  |" in table
    assert "| ecall in U mode to its handler, cycles | 11.8 |  |  |" in table
    assert "| write of a CSR, cycles | 6.3 |  |  |" in table
    assert "| load of a page that its TLB has, cycles | 4.1 | ≤ 4.1 |  |" in table
    assert "| load with a walk, its table in L2, cycles | 13 |  |  |" in table
    assert "CoreMark 10\n" in table
    assert table.endswith("| far memory, GB/s | copy | add |\n|---|---|---|\n| 3 | 1.5 (3.0) | 1.6 (3.0) |\n| unlimited | 10.7 (13.4) | 10.9 (14.5) |")


def test_a_kernel_that_is_missing_at_a_bandwidth_is_an_error() -> None:
    with pytest.raises(NhgError, match=r"stream_kernels.elf did not print every kernel at every bandwidth; its output: 3 copy"):
        core.stream_table(" 3 copy 1.5 3.0 256\n 3 add 1.5 3.0 256\n - copy 10.7 13.4 35\n")


def test_a_program_that_prints_something_else_is_named() -> None:
    with pytest.raises(NhgError, match=r"loops.elf did not print the number for 'integer loop in L1D, instructions a cycle'; its output: trap"):
        core.read(core.ROWS[0], "trap\n")
