# SPDX-License-Identifier: Apache-2.0
"""The board against its bitstream's manifest, and commands that find no board."""

import json
import os
import subprocess
import sys

import pytest
from fake_board import COUNTERS, FakeBoard
from stand_ins import xdma_link

from nhg import paths
from nhg.board import link, manifest
from nhg.board.access import WrongBitstream
from nhg.errors import NhgError

GOOD = {"commit": "abcd1234", "core_khz": 50_000, "counters": list(COUNTERS), "violations": [], "outputs_sha256": {"vcu128_top.bit": "f" * 64}}


@pytest.fixture
def connect(tmp_path, monkeypatch):
    """Opens a fake board with BITSTREAM set to a manifest of this content; None: without one."""
    monkeypatch.setattr(manifest, "DEFAULT", tmp_path / "none.json")

    def connected(content: dict | str | None):
        if content is not None:
            file = tmp_path / "manifest.json"
            file.write_text(content if isinstance(content, str) else json.dumps(content))
            monkeypatch.setenv("NHG_BITSTREAM", str(file))
        with FakeBoard(tmp_path / "board") as board:
            monkeypatch.setattr(link, "open_link", lambda choice: xdma_link(board.path))
            return link.connected()

    link.connected.cache_clear()
    yield connected
    link.connected.cache_clear()


def test_the_right_bitstream_is_named_in_the_record(connect):
    assert connect(GOOD).bitstream_sha256 == "f" * 64


def test_without_a_manifest_the_board_is_believed(connect):
    assert connect(None).bitstream_sha256 == ""


def test_the_flows_own_folder_is_the_default(connect, tmp_path):
    (tmp_path / "none.json").write_text(json.dumps(GOOD | {"commit": "11111111"}))
    with pytest.raises(WrongBitstream, match="its commit is abcd1234, that of .*none.json is 11111111"):
        connect(None)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"commit": "11111111"}, "its commit is abcd1234, that of .*manifest.json is 11111111"),
        ({"core_khz": 40_000}, "its core clock in kHz is 50000, that of .* is 40000"),
        ({"counters": list(COUNTERS[:-1])}, f"number of counters is {len(COUNTERS)}, that of .* is {len(COUNTERS) - 1}"),
        ({"counters": ["ticks", *COUNTERS[1:]]}, "its counters is cycles, that of .* is ticks"),
        ({"violations": ["hold slack -0.1 ns", "x"]}, "lists hold slack -0.1 ns \\(2 in all\\)"),
    ],
)
def test_another_bitstream_is_refused(connect, changes, message):
    with pytest.raises(WrongBitstream, match=f"wrong bitstream for this host program: .*{message}") as error:
        connect(GOOD | changes)
    assert error.value.exit_code == 4 and "\n" not in str(error.value)


@pytest.mark.parametrize(("content", "message"), [("{", "is not a manifest"), ("{}", "KeyError: 'commit'"), ("[]", "is not a manifest")])
def test_an_unreadable_manifest(connect, content, message):
    with pytest.raises(NhgError, match=message) as error:
        connect(content)
    assert "\n" not in str(error.value)


def test_no_board_ends_the_command_with_its_own_code(tmp_path):
    environment = os.environ | {"NHG_BOARD": "jtag:localhost:1", "PYTHONPATH": str(paths.ROOT / "tools")}
    done = subprocess.run([sys.executable, "-m", "nhg", "run", "TARGET=fpga"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 3 and done.stderr.startswith("nhg: no hw_server at localhost:1") and len(done.stderr.splitlines()) == 1
