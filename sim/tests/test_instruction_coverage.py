# SPDX-License-Identifier: Apache-2.0
"""Reading a commit log for coverage: operands by class of value, traps by cause, and the list of legal instructions."""

import pytest
from instruction_coverage import fp_class, integer_class, legal, read_log

LOG = """         1 pc=0080000000 inst=00100293 x5=0000000000000001
         2 pc=0080000004 inst=fff00313 x6=ffffffffffffffff
         3 pc=0080000008 inst=006283b3 x7=0000000000000000
         4 pc=008000000c inst=0062a023 mem=1
         5 pc=0080000010 inst=ffffffff trap cause=2 tval=ffffffff
         6 pc=0080000014 inst=0000929a trap interrupt=7
         6 pc=0080000014 inst=0000929a x5=0000000000000000
         7 pc=0080000016 inst=000300e7 x1=000000008000001a
         8 pc=4000000000 inst=12340000 trap cause=1 tval=4000000000
"""


def test_log() -> None:
    seen = read_log(LOG.splitlines())
    assert seen.counts == {"addi": 2, "add": 1, "sw": 1, "illegal": 1, "c.add": 1, "jalr": 1}
    assert seen.operands["add", 0] == {"1": 1} and seen.operands["add", 1] == {"-1": 1}
    assert seen.operands["sw", 0] == {"-1": 1} and seen.operands["sw", 1] == {"1": 1}
    assert seen.operands["c.add", 0] == {"1": 1} and seen.causes == {("illegal", 2): 1}
    assert seen.operands["jalr", 0] == {"-1": 1} and ("jalr", 1) not in seen.operands


@pytest.mark.parametrize(
    ("value", "fmt", "expected"),
    [
        (0x8000000000000000, "d", "-0"),
        (0x0000000000000001, "d", "+subnormal"),
        (0x7FF0000000000000, "d", "+infinity"),
        (0xFFF8000000000000, "d", "quiet NaN"),
        (0x7FF0000000000001, "d", "signalling NaN"),
        (0xFFFFFFFFBF800000, "s", "-normal"),
        (0x000000003F800000, "s", "not boxed"),
    ],
)
def test_floating_point_classes(value: int, fmt: str, expected: str) -> None:
    assert fp_class(value, fmt) == expected


def test_integer_classes() -> None:
    values = [0, 1, 2**64 - 1, 2**63, 2**63 - 1, 7, 2**40, 2**63 + 1]
    assert [integer_class(value) for value in values] == ["0", "1", "-1", "least", "greatest", "32 bits", "positive", "negative"]


def test_legal_instructions() -> None:
    names = legal()
    assert {"add", "c.add", "amoadd.w.aqrl", "fmadd.d", "sh3add.uw", "czero.nez", "prefetch.w", "aload", "bafin", "mret"} <= names
    assert not names & {"vadd.vv", "fadd.h", "clmul", "unknown"}
