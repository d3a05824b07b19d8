# SPDX-License-Identifier: Apache-2.0
"""A simulated board, fresh for each test. NHG_BOARD_SIM names another simulator than build/board/board-sim."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "sim/tests")]

from nhg import paths  # noqa: E402
from nhg.board.simulated import SimulatedBoard  # noqa: E402


@pytest.fixture
def access(request):
    """The link; a test that wants PCIe is parametrized indirectly."""
    program = Path(os.environ.get("NHG_BOARD_SIM", paths.BOARD_SIMULATOR))
    with SimulatedBoard(program, getattr(request, "param", "jtag")) as link:
        yield link
