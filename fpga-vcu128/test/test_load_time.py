# SPDX-License-Identifier: Apache-2.0
"""Load times over JTAG: what is counted, and what is said of it."""

import load_time

from nhg.board.access import Access


class Nothing(Access):
    name = "nothing"

    def read(self, address, size):
        return bytes(size)

    def write(self, address, data):
        pass

    def pause(self):
        pass


def test_transfers_are_counted_as_the_link_cuts_them():
    link = load_time.Counted(Nothing())
    link.write(0x1800, bytes(0x1800))  # half a page, then two halves
    link.read(0x1000, 8)
    assert (link.transfers, link.words) == (4, 0x1800 // 8 + 1)


def test_the_extrapolation_is_labelled_and_grows_with_size():
    lines = load_time.report(transfers=512, words=131_072, cycles=1_000_000)
    assert lines[0].startswith("measured: 1,048,576 bytes in 512 transfers") and "0.020 s at 50 MHz" in lines[0]
    assert "extrapolated, never measured" in lines[2]
    assert lines[5] == "| 1 | 0.6 | 1.1 | 5.7 | 26.2 |" and lines[6].startswith("| 16 | 8.9 | 17.1 |")
