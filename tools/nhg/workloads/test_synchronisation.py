# SPDX-License-Identifier: Apache-2.0
"""The compiler's programs of remote atomics, locks and plain updates on RTL in lock-step with the golden model, with every scheduler that
uses the AMU (on the golden model and x86-64 the compiler's own tests run them). They print what the plain loops print.
"""

import subprocess
from pathlib import Path

import pytest

from nhg import benchmark, paths, scaffold, variants
from nhg.build import build_models
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.point import Point
from nhg.run import prepare, run

COMPILER = paths.ROOT / "software/compiler"
ITERATIONS = 64
LATENCY_CYCLES = 300
MAX_CYCLES = 5_000_000
SECONDS = 600
MODES = ("getfin", "bafin", "full")


def call(command: list[str | Path]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr[-4000:]}"
    return done.stdout


def build(name: str, mode: str, directory: Path, *options: str) -> Path:
    program = directory / f"{name}-{mode}.elf"
    call(
        [
            COMPILER / "driver/coroamu-cc",
            f"-masync={mode}",
            "--target=riscv64-unknown-elf",
            "-O2",
            "-Werror=pass-failed",
            *options,
            COMPILER / f"test/exec/{name}.c",
            "-o",
            program,
        ]
    )
    return program


def in_lockstep(program: Path, *options: str) -> str:
    """\\returns what it prints."""
    golden = paths.BUILD / "golden/libgolden.so"
    result = program.with_suffix(".json")
    return call([paths.SIMULATOR, "--elf", program, "--lockstep", "--golden-lib", golden, "--result", result, *options])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["atomics", "locks", "exclusive_updates"])
def test_in_lockstep(name: str, mode: str, target: str, tmp_path: Path) -> None:
    if target != "sim":
        pytest.skip("software/compiler/test/exec runs it here")
    build_models(target, with_plugin=True)
    size = f"-DCOUNT={ITERATIONS}"
    expected = call([paths.ISS, "--elf", build(name, "off", tmp_path, size)])
    assert len(expected.splitlines()) >= 3
    latency = f"latency_cycles={LATENCY_CYCLES}"
    assert in_lockstep(build(name, mode, tmp_path, size), "--far-control", latency, "--max-cycles", str(MAX_CYCLES)) == expected


COUNTERS = 4
COUNTING_LOOP = """
#pragma asyncmem num_task(BENCH_COROUTINES) {clause}
  for (uint64_t i = first; i < first + count; ++i) {{
    __builtin_is_remote(words);
    words[i % {counters}]++;
  }}
}}
"""
COUNTING_DATA = """
uint64_t *probe_words;
void bench_init(void) {{ probe_words = remote_alloc({counters} * sizeof(uint64_t)); }}
bool bench_verify(uint64_t count) {{
  uint64_t sum = 0;
  for (uint64_t i = 0; i < {counters}; ++i)
    sum += probe_words[i];
  return sum == count;
}}
"""


@pytest.mark.parametrize("clause", ["", "lossy_update(words)"])
def test_golden_model_shows_lost_updates(clause: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counters that all tasks update: exact, unless a clause lets updates get lost; then TARGET=iss loses some, as RTL does."""
    if target != "iss":
        pytest.skip("for the golden model")
    monkeypatch.setattr(scaffold, "BENCHMARKS", tmp_path)
    folder = scaffold.create("probe")
    annotated, data = folder / "probe.c", folder / "data.c"
    before = annotated.read_text().partition("#pragma")[0]
    annotated.write_text(before + COUNTING_LOOP.format(clause=clause, counters=COUNTERS))
    includes = data.read_text().partition("uint64_t *")[0]
    data.write_text(includes + COUNTING_DATA.format(counters=COUNTERS))
    made = benchmark.load(str(folder))
    for variant in ("getfin", "bafin", "full"):
        for seed in (1, 2, 3):
            point = Point(made, variants.VARIANTS[variant], target, Setting(800, None, completion_seed=seed), "tiny")
            if clause:
                with pytest.raises(NhgError, match=f"SEED={seed}: wrong answer"):
                    run(point, prepare(point))
            else:
                assert run(point, prepare(point)).completion_seed == seed
