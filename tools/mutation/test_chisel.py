# SPDX-License-Identifier: Apache-2.0
"""The campaign of the Chisel: its lists fit the sources, and ScalaTest's words are read right."""

import pytest

from mutation import __main__ as chisel
from mutation import campaign


def test_the_lists_of_core_and_amu_fit_their_sources():
    mutations = chisel.planned()
    assert len({mutation.name for mutation in mutations}) == len(mutations)
    for mutation in mutations:
        assert mutation.mutant() != (mutation.module / chisel.MAIN / mutation.file).read_text()
        assert chisel.source_of(mutation.test, mutation.module).exists(), f"{mutation.name}: no {mutation.test}"


FAILED = "- should hold *** FAILED *** (2 seconds)\n  5 did not equal 6 occupancy (ATest.scala:7)\n"


@pytest.mark.parametrize(
    ("output", "verdict"),
    [("All tests passed.\n", (False, "all tests passed")), (FAILED, (True, "5 did not equal 6 occupancy (ATest.scala:7)"))],
)
def test_verdict_of_scalatest(output, verdict):
    assert chisel.verdict("ATest", output) == verdict


@pytest.mark.parametrize(
    "output", ["No tests were executed.\n", "- should hold *** FAILED ***\n  firrtl.passes.CheckInitialization: x is not initialized\n", "Killed\n"]
)
def test_a_device_that_cannot_be_made_is_no_verdict(output):
    with pytest.raises(campaign.MutationError, match="ATest cannot be run"):
        chisel.verdict("ATest", output)
