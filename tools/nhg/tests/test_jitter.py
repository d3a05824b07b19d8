# SPDX-License-Identifier: Apache-2.0
"""JITTER: from the command line to the delayer's registers."""

import pytest

from nhg import cli, jitter, measure
from nhg.errors import NhgError
from nhg.jitter import Jitter


@pytest.mark.parametrize(
    ("text", "seed", "registers"),
    [
        ("", "", [0]),
        ("constant", "7", [0]),
        ("uniform:200", "7", [1, 600, 0, 7, []]),
        ("normal:100", "", [2, 1039, 0, 0, []]),
        ("two-point:400:25", "18446744073709551615", [3, 1200, 16384, 2**64 - 1, []]),
    ],
)
def test_models_become_registers(text, seed, registers):
    assert jitter.parse(text, seed).registers == registers


def test_table_is_stretched_to_the_delayers_entries(tmp_path):
    file = tmp_path / "offsets.txt"
    file.write_text("-10\n0 0\n100.5\n")
    parsed = jitter.parse(f"table:{file}")
    assert len(parsed.table) == 1024 and parsed.model == 4
    assert [parsed.table.count(cycles) for cycles in (-30, 0, 302)] == [256, 512, 256]
    assert parsed.name.startswith("table:") and str(tmp_path) not in parsed.name
    assert (parsed.shortest, parsed.longest) == (-30, 302)


@pytest.mark.parametrize(
    "text",
    [
        "fast",
        "uniform",
        "uniform:",
        "uniform:x",
        "uniform:-5",
        "uniform:0",
        "uniform:nan",
        "uniform:22000",
        "uniform:1:2",
        "normal:7000",
        "two-point:100",
        "two-point:100:0",
        "two-point:100:100",
        "two-point:100:x",
        "table",
        "table:",
        "table:/no/such/file",
        "constant:1",
    ],
)
def test_bad_jitter_is_one_line(text):
    with pytest.raises(NhgError) as error:
        jitter.parse(text)
    assert f"JITTER={text}" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("content", ["", "one two", "1e9", "inf", "1 " * 1025, b"\xff\xfe\x00"])
def test_bad_table_is_one_line(tmp_path, content):
    file = tmp_path / "offsets.txt"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(NhgError, match="JITTER=table:") as error:
        jitter.parse(f"table:{file}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("seed", ["-1", "x", "1.5", str(2**64)])
def test_bad_seed(seed):
    with pytest.raises(NhgError, match="JITTER_SEED="):
        jitter.parse("uniform:200", seed)


@pytest.mark.parametrize(("lat", "text"), [("100", "uniform:101"), ("0", "normal:1"), ("21800", "two-point:100:1")])
def test_latency_beyond_the_delayers_range_is_one_line(lat, text):
    with pytest.raises(NhgError, match="change LAT or JITTER") as error:
        cli.run_command(lat=lat, jitter=text)
    assert "\n" not in str(error.value)


def test_options_of_the_simulator():
    """They are the registers' values in the order in which the board gets them; the model comes when its values are there."""
    options = measure.Setting(800, 48.0, "per-direction").far_memory.simulator_options
    assert options[::2] == ["--far-control"] * 7 and options[1::2] == [
        "latency_cycles=2400",
        "bandwidth_mode=1",
        f"bandwidth={16 << 16}",
        "jitter_amplitude=0",
        "jitter_probability=0",
        "jitter_seed=0",
        "jitter_model=0",
    ]
    table = Jitter("table:x", 4, seed=3, table=(1, -1, 2, -2) * 256)
    writes = measure.Setting(800, None, jitter=table).far_memory.simulator_options[1::2]
    assert writes[2:4] == ["bandwidth=0", f"jitter_table[0]={0xFFFE_0002_FFFF_0001}"] and writes[258].startswith("jitter_table[255]=")
    assert writes[-2:] == ["jitter_seed=3", "jitter_model=4"]
