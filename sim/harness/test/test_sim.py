# SPDX-License-Identifier: Apache-2.0
"""The simulation platform (sim_top, delayer, harness) with the traffic generator in place of the core.

usage: make -C sim/harness test
"""

import struct
import subprocess
from pathlib import Path

import pytest
from program import FAR, FAR_CONTROL, HOST, LOCAL, METRIC, PUTC, REGIONS, ROI_BEGIN, ROI_END, ROM, Program

from nhg import platform
from nhg.far_memory import FarMemory
from nhg.jitter import Jitter
from nhg.result import compute, read

EXIT_STATUS = platform.description()["simulator_exit"]
LOCAL_LATENCY_CYCLES = platform.description()["memory"]["local_latency_cycles"]
LATENCY = platform.register("far_control", "latency_cycles")


class Run:
    def __init__(self, process: subprocess.CompletedProcess, result: Path) -> None:
        self.code = process.returncode
        self.stdout, self.stderr = process.stdout, process.stderr
        self.result = compute(read("test", result)) if result.exists() else None


@pytest.fixture
def run(request, tmp_path):
    sim = Path(request.config.getoption("--sim")).resolve()

    def start(program: Program, *options: str) -> Run:
        elf, result = program.write(tmp_path / "program.elf"), tmp_path / "result.json"
        command = [sim, "--elf", elf, "--result", result, *options]
        process = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
        assert not list(tmp_path.glob("*.partial"))
        return Run(process, result)

    return start


def test_console_metrics_and_exit_code(run):
    program = Program()
    for char in "hello\n":
        program.add("device_write", PUTC, ord(char))
    program.add("device_write", METRIC + 8 * 15, 0x1234_5678_9ABC_DEF0).exit(7)
    outcome = run(program)
    assert (outcome.code, outcome.stdout, outcome.stderr) == (7, "hello\n", "")
    assert outcome.result.exit_code == 7
    assert outcome.result.metrics[15] == 0x1234_5678_9ABC_DEF0
    assert outcome.result.instret == 7, "the EXIT store reaches the device before its record"


def test_large_exit_value_is_clamped_but_recorded(run):
    outcome = run(Program().exit(4096))
    assert outcome.code == EXIT_STATUS["first_own"] - 1 and outcome.result.exit_code == 4096


@pytest.mark.parametrize("latency", [0, 1, 20, 21, 100, 300, 600, 1200, 2400, 3000, 65535])
def test_far_latency_is_the_configured_one(run, latency):
    memory_latency_cycles = 20
    program = Program()
    program.add("read", FAR + 64, 2).report(0)
    program.add("write", FAR + 4096, 1, 0xFFFF_FFFF).report(1)
    program.add("read", LOCAL, 1).report(2)
    outcome = run(program.exit(), *FarMemory(latency).simulator_options)
    expected = max(latency, memory_latency_cycles)
    assert outcome.result.metrics[:3] == [expected, expected, LOCAL_LATENCY_CYCLES]
    assert outcome.result.far["late"] == (2 if 0 < latency < memory_latency_cycles else 0)


def test_memory_contents_and_strobes(run):
    program = Program()
    program.data[FAR + 0x1_0000_0FF0] = bytes(range(32))  # across a page border, above 4 GiB
    program.data[ROM] = b"\x11" * 8
    program.add("read", FAR + 0x1_0000_0FE0 + 32, 1).add("last_word").report(0)
    program.add("read", ROM, 1).add("last_word").report(1)
    program.add("write", FAR, 0x8877_6655_4433_2211, 0x0000_000F).add("read", FAR, 1).add("last_word").report(2)
    program.add("write", LOCAL + 0x7FFF_FFE0, 0x55, 0xFFFF_FFFF).add("read", LOCAL + 0x7FFF_FFE0, 1)
    program.add("last_word").report(3)
    outcome = run(program.exit(), *FarMemory(30).simulator_options)
    words = outcome.result.metrics
    assert words[0] == int.from_bytes(bytes(range(16, 24)), "little")
    assert words[1:4] == [0x1111_1111_1111_1111, 0x4433_2211, 0x55]
    far = outcome.result.far
    assert (far["writes"], far["write_bytes"], far["reads"], far["read_bytes"]) == (1, 4, 2, 64)


@pytest.mark.parametrize("addr", [0x0, REGIONS["spm"]["base"], 0x4000_0000, REGIONS["far"]["base"] + REGIONS["far"]["size"]])
def test_addresses_without_memory_answer_with_an_error(run, addr):
    program = Program().add("read", addr, 2).add("last_response").report(0)
    program.add("write", addr, 0, 1).add("last_response").report(1)
    assert run(program.exit()).result.metrics[:2] == [3, 3]


def test_devices_answer_with_an_error_outside_the_two_regions(run):
    program = Program().add("device_write", REGIONS["board"]["base"], 1).report(0).add("device_read", platform.description()["devices"]["base"]).report(1)
    program.add("device_read", HOST).report(2).add("device_read", FAR_CONTROL).report(3)
    metrics = run(program.exit()).result.metrics
    assert metrics[:4] == [1, 2**64 - 1, 0, int.from_bytes(b"NHG_FMD1", "big")]


def test_program_controls_the_far_memory(run):
    program = Program().add("device_read", LATENCY).report(0)
    program.add("device_write", LATENCY, 777).add("read", FAR, 1).report(1)
    program.add("device_write", platform.register("far_control", "ctrl"), 3).add("device_read", platform.register("far_control", "reads")).report(2)
    program.add("device_write", platform.register("far_control", "ctrl"), 2).add("device_read", platform.register("far_control", "reads")).report(3)
    program.add("device_read", platform.register("far_control", "bandwidth")).report(4)
    outcome = run(program.exit(), *FarMemory(500, 98304).simulator_options)
    assert outcome.result.metrics[:5] == [500, 777, 1, 0, 98304]


@pytest.mark.parametrize("in_flight", [1, 8, 64, 512])
def test_parallel_reads_and_region_counters(run, in_flight):
    count, latency = 16 * in_flight, 2400
    program = Program().add("stream", FAR, 100, 16)  # before the region: must not be counted
    program.add("device_write", ROI_BEGIN).add("stream", FAR + (1 << 20), count, in_flight).report(0)
    program.add("device_write", ROI_END).add("stream", FAR, 100, 16)
    result = run(program.exit(), *FarMemory(latency).simulator_options).result
    far, stream_cycles = result.far, result.metrics[0]
    assert result.has_region
    assert (far["reads"], far["read_bytes"], far["writes"], far["write_bytes"]) == (count, 64 * count, 0, 0)
    assert far["inflight_max"] == in_flight and far["late"] == 0
    # A read is in flight for LAT cycles and one more for its second beat; 512 reads need 1024 cycles of data.
    assert far["inflight_integral"] == pytest.approx(count * (latency + 1), rel=0.001 if in_flight <= 64 else 0.3)
    assert stream_cycles == pytest.approx(16 * (latency + 2), rel=0.06 if in_flight <= 64 else 0.45)
    assert result.mlp_mean == pytest.approx(in_flight, rel=0.1 if in_flight <= 64 else 0.2)
    assert result.mlp_mean <= result.mlp_busiest + 1e-3 <= in_flight + 2e-3
    assert stream_cycles < result.cycles < stream_cycles + 1000 < result.total_cycles
    assert result.instret == 2  # STREAM and its report; this generator retires a store after the device took it


@pytest.mark.parametrize("rate", [65536, 3 * 65536 // 2, 8 * 65536, 32 * 65536])
@pytest.mark.parametrize(("command", "mode", "streams"), [("stream", 0, 1), ("stream_both", 0, 2), ("stream_both", 1, 1)])
def test_bandwidth_is_the_configured_one(run, rate, command, mode, streams):
    """Reads alone; reads and writes that share the bandwidth; reads and writes with the bandwidth each."""
    count = 1000
    program = Program().add("device_write", ROI_BEGIN).add(command, FAR, count, 512).report(0).add("device_write", ROI_END)
    outcome = run(program.exit(), *FarMemory(300, rate, mode).simulator_options, "--watchdog-cycles", "1000000")
    far = outcome.result.far
    assert far["read_bytes"] == 64 * count and far["write_bytes"] == 64 * count * (command == "stream_both")
    data_cycles = count * 64 * streams / (rate / 65536)
    bucket_and_beats_bytes = 128 + 32 * streams
    assert outcome.result.metrics[0] >= data_cycles - bucket_and_beats_bytes * 65536 / rate
    assert outcome.result.metrics[0] <= 300 + data_cycles + 8


JITTER_MODELS = {"uniform": [-200, 200, 0], "normal": [-200, 200, 0], "two_point": [0, 200, 50], "table": [-7, 100, 46.5]}


@pytest.mark.parametrize(("model", "least", "most", "mean"), [(name, *expected) for name, expected in JITTER_MODELS.items()])
def test_jitter_of_reads_one_at_a_time(run, model, least, most, mean):
    count, latency = 500, 1000
    program = Program().add("device_write", ROI_BEGIN).add("stream", FAR, count, 1).report(0)
    number = platform.description()["jitter"][model]
    settings = (FarMemory(latency, jitter=Jitter(model, number, 200, 1 << 14, seed, (-7, 100) * 512)) for seed in (7, 7, 6))
    first, again, other = (run(program.add("device_write", ROI_END).exit(), *setting.simulator_options, "--watchdog-cycles", "1000000") for setting in settings)
    far = first.result.far
    assert latency + least <= far["read_latency_min"] <= far["read_latency_max"] <= latency + most
    if model in ("two_point", "table"):
        assert (far["read_latency_min"], far["read_latency_max"]) == (latency + least, latency + most)
    assert far["read_latency_sum"] / count == pytest.approx(latency + mean, abs=20)
    assert far["late"] == 0
    assert again.result.far == far, "one seed, one sequence"
    assert other.result.far["read_latency_sum"] != far["read_latency_sum"]


def test_latency_statistics_of_the_region(run):
    program = Program().add("read", FAR, 1).add("device_write", ROI_BEGIN)
    program.add("device_write", LATENCY, 700).add("stream", FAR, 10, 1)
    program.add("device_write", LATENCY, 900).add("write", FAR, 1, 1).add("device_write", ROI_END)
    far = run(program.exit(), *FarMemory(500).simulator_options).result.far
    assert [far[f"read_latency_{kind}"] for kind in ("sum", "min", "max")] == [7000, 700, 700]
    assert [far[f"write_latency_{kind}"] for kind in ("sum", "min", "max")] == [900, 900, 900]
    assert far["cycles"] > 7900 and far["read_stall_late"] == 0


def test_probes_reach_the_result(run):
    result = run(Program().add("read", FAR, 1).exit(), *FarMemory(1000).simulator_options).result
    assert 1000 <= result.cycle_breakdown["memory"] <= 1002
    assert result.probes["branch_mispredicts"] == 1


def test_traps_do_not_count_and_slots_are_all_counted(run, tmp_path):
    program = Program().add("trap", 24, 0x99).add("retire", 0, 5)
    result = run(program.exit(), "--commit-log", "log").result
    assert result.instret == 20
    log = (tmp_path / "log").read_text().splitlines()
    assert len(log) == 21 and "trap cause=24 tval=99" in log[0]


def test_watchdog_names_the_rob_head_and_leaves_no_result(run):
    outcome = run(Program().add("retire", 0, 3).add("hang"), "--watchdog-cycles", "2000")
    assert outcome.code == EXIT_STATUS["watchdog"] and outcome.result is None
    assert outcome.stderr.count("\n") == 1 and f"stuck ROB head pc={LOCAL + 0x20:#x}" in outcome.stderr


def test_cycle_limit(run):
    outcome = run(Program().add("retire", 0, 10**9), "--max-cycles", "5000")
    assert outcome.code == EXIT_STATUS["max_cycles"] and outcome.result is None and "5000 cycles" in outcome.stderr


@pytest.fixture
def traced(request, tmp_path):
    """Runs a program of 1000 cycles before its region and 1000 in it on nhg-sim-trace."""
    trace = Path(request.config.getoption("--sim") + "-trace").resolve()
    golden = Path(request.config.getoption("--sim")).resolve().parents[1] / "golden/libgolden.so"
    program = Program().add("retire", 0, 1000).add("device_write", ROI_BEGIN).add("retire", 0, 1000).exit()
    elf = program.write(tmp_path / "program.elf")

    def start(*options: str) -> subprocess.CompletedProcess:
        return subprocess.run([trace, "--elf", elf, "--golden-lib", golden, *options], cwd=tmp_path, timeout=60, capture_output=True, text=True)

    return start


def times_of(waves: Path) -> tuple[int, int]:
    """First and last time, from the header block of an FST file."""
    block = waves.read_bytes()[:25]
    kind, length, first, last = struct.unpack(">BQQQ", block)
    assert (kind, length) == (0, 329)
    return first, last


@pytest.mark.parametrize("region", [[], ["--trace-region"]])
def test_window_of_waveforms_and_pipeline_log(traced, tmp_path, region):
    files = ["--trace-file", "w.fst", "--pipeline-file", "p.kanata"]
    assert traced("--trace-from", "100", "--trace-to", "110", *files, *region).returncode == 0
    assert times_of(tmp_path / "w.fst") == (201, 221)
    assert (tmp_path / "p.kanata").read_text() == "Kanata\t0004\nC=\t100\n", "the traffic generator has no pipeline"


def test_only_what_is_asked_for_is_written(traced, tmp_path):
    assert traced("--pipeline-file", "p.kanata").returncode == 0
    assert traced("--trace-from", "5").returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {"program.elf", "p.kanata", "nhg-sim.fst"}


def test_window_that_the_run_does_not_reach(traced, tmp_path):
    outcome = traced("--trace-region", "--trace-from", "5000", "--trace-file", "w.fst", "--pipeline-file", "p.kanata", "--result", "r.json")
    assert outcome.returncode == EXIT_STATUS["bad_input"] and outcome.stderr.count("\n") == 1
    assert "begins in cycle 5000, and the program ended in cycle 1" in outcome.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"program.elf"}, "nothing is left of it"


def test_window_of_a_region_that_does_not_begin(run, request, tmp_path, traced):
    Program().add("retire", 0, 10).exit().write(tmp_path / "program.elf")
    outcome = traced("--trace-region", "--trace-file", "w.fst")
    assert outcome.returncode == EXIT_STATUS["bad_input"] and "no region of interest" in outcome.stderr
    assert not (tmp_path / "w.fst").exists()


@pytest.mark.parametrize("option", ["--trace-file", "--pipeline-file"])
def test_trace_that_cannot_be_written(traced, option):
    outcome = traced(option, "no/such/dir")
    assert outcome.returncode == EXIT_STATUS["bad_input"] and outcome.stderr.count("\n") == 1 and "cannot write the" in outcome.stderr


def test_rtl_assertion_ends_the_run(run):
    outcome = run(Program().add("fail"))
    assert outcome.code == EXIT_STATUS["assertion"] and outcome.result is None and "RTL assertion" in outcome.stderr


def test_a_failed_run_removes_the_older_result(run):
    assert run(Program().exit()).result is not None
    assert run(Program().add("hang"), "--watchdog-cycles", "1000").result is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--max-cycles", "fast"], "not a number"),
        (["--max-cycles", "-1"], "not a number"),
        (["--memory-stall-percent", "91"], "0 to 90"),
        (["--max-cycles"], "value is missing"),
        (["--stop-after", "9", "--final", "x"], "give --lockstep and --stop-after, too"),
        (["--far-control", "latency_cycles"], "give REGISTER=VALUE"),
        (["--far-control", "latency_cycles="], "not a number"),
        (["--far-control", "latency=1"], "no register of this name"),
        (["--far-control", "latency_cycles[1]=1"], "0 to 0"),
        (["--far-control", "jitter_table[256]=1"], "0 to 255"),
        (["--far-control", "jitter_table[]=1"], "not a number"),
        (["stray"], "unexpected argument"),
        (["--speed", "1"], "unknown option"),
        (["--elf", "again"], "one program"),
        (["--commit-log", "no/such/dir"], "cannot write"),
        (["--trace-from", "1"], "nhg-sim-trace"),
        (["--trace-region"], "nhg-sim-trace"),
        (["--pipeline-file", "p.kanata"], "nhg-sim-trace"),
        (["--trace-from", "5", "--trace-to", "4"], "after --trace-to 4"),
        (["--lockstep", "--golden-lib", "none.so"], "golden model"),
    ],
)
def test_bad_input_gives_one_line(run, options, words):
    outcome = run(Program().exit(), *options)
    assert outcome.code == EXIT_STATUS["bad_input"] and outcome.result is None
    assert outcome.stderr.count("\n") == 1 and words in outcome.stderr


def test_image_outside_the_memories(run):
    program = Program().exit()
    program.data[0x4000_0000] = b"x"
    outcome = run(program)
    assert outcome.code == EXIT_STATUS["bad_input"] and "0x40000000" in outcome.stderr
