# SPDX-License-Identifier: Apache-2.0
"""Reading a commit log for coverage of modes: who changes a CSR, and from which mode a trap is taken."""

from mode_coverage import INTERRUPT, MACHINE, SUPERVISOR, USER, possible_causes, possible_changes, read_log, toggles

LOG = """         1 pc=0080000000 inst=00000013 ; mstatus=a00000000
         2 pc=0080000004 inst=30079073 ; mstatus=a00001800
         3 pc=0080000008 inst=30200073
         4 pc=0080000010 inst=00000073 trap cause=8 tval=0 ; mode=0 mstatus=a00000080
         5 pc=0080001000 inst=34029073 ; mode=3 mscratch=5 mepc=80000010 mcause=8
         6 pc=0080001004 inst=10229073 trap interrupt=1 ; mode=1
"""


def test_log() -> None:
    seen = read_log(LOG.splitlines())
    assert seen.causes == {(USER, 8): 1, (SUPERVISOR, INTERRUPT | 1): 1}
    assert seen.changes == {
        ("mstatus", "mpp", MACHINE): 2,  # by a CSR instruction, and by the mret
        ("mstatus", "mpie", MACHINE): 1,
        ("mscratch", "value", MACHINE): 1,
        ("mepc", "value", USER): 1,
        ("mcause", "value", USER): 1,
    }


def test_bits() -> None:
    seen = read_log(LOG.splitlines())
    assert (seen.rose["mstatus"], seen.fell["mstatus"]) == (1 << 11 | 1 << 12 | 1 << 7, 1 << 11 | 1 << 12)
    assert seen.rose["mscratch"] == 5 and not seen.fell["mscratch"]
    once = toggles(seen)
    seen.add(seen)
    assert toggles(seen) == once and "mscratch 126" in once


def test_what_is_possible() -> None:
    changes = possible_changes()
    assert {("mscratch", "value", MACHINE), ("mstatus", "spp", SUPERVISOR), ("stvec", "base", SUPERVISOR), ("mepc", "value", USER)} <= changes
    assert not {("mscratch", "value", SUPERVISOR), ("mstatus", "mpp", USER), ("mstatus", "mprv", USER), ("stvec", "base", USER)} & changes
    assert (USER, 8) in possible_causes() and (MACHINE, 8) not in possible_causes()
    assert (MACHINE, 13) in possible_causes() and (MACHINE, 12) not in possible_causes()
