# SPDX-License-Identifier: Apache-2.0
"""Every link in turn."""

import pytest
from fake_board import FakeBoard
from stand_ins import LINKS

from nhg.board.access import Access


@pytest.fixture(params=LINKS)
def linked(request, tmp_path):
    """Opens a link of each kind to a fake board."""
    opened: list[Access] = []

    def open_link(board: FakeBoard) -> Access:
        opened.append(LINKS[request.param](board.path))
        return opened[-1]

    yield open_link
    for access in opened:
        access.close()
