# SPDX-License-Identifier: Apache-2.0
"""Benchmark directories, variants and the template of a new one."""

import subprocess

import pytest

from nhg import benchmark, build, paths, scaffold, variants
from nhg.errors import NhgError


@pytest.mark.parametrize("name", benchmark.available())
def test_every_benchmark_of_the_repository_is_valid(name):
    found = benchmark.load(name)
    assert found.name == name and {"tiny", "small"} <= set(found.scales)
    coroutine = set(benchmark.available()) - {"tree"}
    some = {"tuned": ("bs", "gups", "hj", "is", "mcf"), "coroutine": coroutine, "amac": ("bs", "gups", "hj", "list"), "tasks": ("bs", "gups", "hj", "list")}
    by_hand = [variant for variant, having in some.items() if name in having]
    names = ["serial", *by_hand, "static", "getfin", "bafin", "full"]
    assert variants.valid(found, "iss") == names and variants.valid(found, "sim") == names
    assert variants.best(found, "iss").name == "full" and variants.best(found, "x86").name == "static"


def test_every_workload_of_table_2_is_there():
    assert {"gups", "bs", "bfs", "stream", "hj", "mcf", "lbm", "is", "list"} <= set(benchmark.available())


def test_unknown_names_list_the_valid_ones():
    with pytest.raises(NhgError, match="BENCH=nope: .*bfs bs gups"):
        benchmark.load("nope")
    with pytest.raises(NhgError, match="one of serial tuned coroutine amac tasks static getfin bafin full"):
        variants.choose(benchmark.load("gups"), "fast", "sim")
    with pytest.raises(NhgError, match="tiny small paper"):
        benchmark.load("gups").scale("huge")
    with pytest.raises(NhgError, match="TARGET=moon"):
        variants.check_target("moon")


def test_number_of_coroutines_of_no_variant_is_refused(outside):
    file = outside / "bench.toml"
    file.write_text(file.read_text().replace("static = 8", "statik = 8"))
    with pytest.raises(NhgError, match="bench.toml: coroutines.statik: no such variant; give default or one of serial"):
        variants.choose(benchmark.load(str(outside)), "static", "iss")


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """A new benchmark made from the template in a directory outside the tree."""
    monkeypatch.setattr(scaffold, "BENCHMARKS", tmp_path)
    return scaffold.create("probe")


def test_loops_left_serial_are_named(tmp_path):
    (tmp_path / "x.c.o.log").write_text(
        "/some where/mcf.c:11:9: warning: loop left serial: it has (two) reasons (line 19, column 9) [-Wpass-failed]\n"
        "   11 | #pragma asyncmem num_task(8)\n      |         ^\n1 warning generated.\n"
    )
    assert build.left_serial(tmp_path) == ("mcf.c:11: it has (two) reasons (line 19, column 9)",)


def test_new_benchmark_is_found_by_its_directory(outside):
    found = benchmark.load(str(outside))
    assert found.name == "probe" and found.build_name.startswith("probe-")
    assert not [path for path in outside.iterdir() if "@NAME@" in path.read_text()]


def test_new_benchmark_builds_and_its_answer_is_right(outside, tmp_path, monkeypatch):
    build.build_models("x86", False)
    program = build.build_program(benchmark.load(str(outside)), variants.VARIANTS["coroutine"], "tiny", 16, "x86")
    assert subprocess.run([program.file], check=False).returncode == 0


def test_each_scale_is_there_in_each_form(outside):
    file = outside / "bench.toml"
    file.write_text(file.read_text() + "[forms.first]\nFIRST_MARKS = 1\n")
    found = benchmark.load(str(outside))
    assert set(found.scales) == {"tiny", "small", "tiny_first", "small_first"}
    assert found.scale("small_first") == {**found.scale("small"), "FIRST_MARKS": 1} and "FIRST_MARKS" not in found.scale("small")


@pytest.mark.parametrize("name", ["", "Big", "a-b", "../x"])
def test_bad_name_of_a_new_benchmark(name):
    with pytest.raises(NhgError, match="NAME="):
        scaffold.create(name)


def test_existing_benchmark_is_not_overwritten():
    with pytest.raises(NhgError, match="exists already"):
        scaffold.create("gups")


def test_a_new_benchmark_may_lie_anywhere(tmp_path):
    made = scaffold.create("", str(tmp_path / "deep/words"))
    assert benchmark.load(str(made)).name == "words" and made == tmp_path / "deep/words"
    assert benchmark.load(str(scaffold.create("other", str(tmp_path / "Any-Name")))).name == "other"
    with pytest.raises(NhgError, match="DIR=.*words exists already"):
        scaffold.create("", str(made))
    with pytest.raises(NhgError, match="NAME=Any-Name2 is not usable"):
        scaffold.create("", str(tmp_path / "Any-Name2"))
    (tmp_path / "file").write_text("")
    with pytest.raises(NhgError, match="cannot make .*file/words"):
        scaffold.create("", str(tmp_path / "file/words"))


CONTAINERS = """
#include "bench.h"
#include "data.h"
#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct shape { virtual ~shape() = default; virtual uint64_t sides() const = 0; };
struct square : shape { uint64_t sides() const override { return 4; } };

extern "C" void bench_run(uint64_t first, uint64_t count) {
  std::vector<int> numbers;
  std::unordered_map<int, std::string> names;
  for (int i = 0; i < 100; ++i) {
    numbers.push_back(99 - i);
    names[i] = std::string(40, 'x') + char('a' + i % 26);
  }
  std::sort(numbers.begin(), numbers.end());
  std::unique_ptr<shape> made(new square);
  sum = OTHER + names[numbers[3]].back() + made->sides();
}
"""


def test_cpp_containers_and_flags_of_the_benchmark_on_every_target(outside):
    (outside / "probe.c").unlink()
    (outside / "probe.cpp").write_text(CONTAINERS)
    (outside / "data.c").write_text(
        '#include "bench.h"\n#include "data.h"\nuint64_t sum;\nvoid bench_init(void) {}\nbool bench_verify(uint64_t count) { return sum == 7 + \'d\' + 4; }\n'
    )
    (outside / "data.h").write_text('#pragma once\n#include <stdint.h>\n#ifdef __cplusplus\nextern "C"\n#endif\nextern uint64_t sum;\n')
    description = outside / "bench.toml"
    text = description.read_text().replace("probe.c", "probe.cpp").replace('coroutine = ["coroutine.cpp"]', "").replace("coroutine = 8", "")
    description.write_text(text.replace('remote = ["words"]', 'flags = ["-DOTHER=7", "-funroll-loops"]'))
    made = benchmark.load(str(outside))
    for target, architecture, runner in (("x86", "x86", []), ("iss", "riscv", [paths.ISS, "--elf"])):
        build.build_models(target, False)
        program = build.build_program(made, variants.VARIANTS["serial"], "tiny", 1, architecture)
        assert "-DOTHER=7 -funroll-loops" in program.flags
        assert subprocess.run([*runner, program.file], check=False).returncode == 0
    description.write_text(description.read_text().replace("-funroll-loops", "-D'x y'"))
    with pytest.raises(NhgError, match="bench.toml: flags.1"):
        benchmark.load(str(outside))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "probe"', "name = 3", "name"),
        ('common = ["data.c"]', 'common = ["gone.c"]', "gone.c does not exist"),
        ("[sources]", "[sources", "correct the file"),
        ("default = 96", "default = 0", "coroutines"),
        ("default = 96", "default = 512", "coroutines.default: .*511"),
        ("BENCH_OPERATIONS = 512", "BENCH_OPERATIONS = -1", "scales.tiny.BENCH_OPERATIONS"),
        ("default = 96", "bafin = 96", "default is missing"),
    ],
)
def test_broken_description_is_one_line(outside, old, new, message):
    file = outside / "bench.toml"
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(NhgError, match=message) as error:
        benchmark.load(str(outside))
    assert "\n" not in str(error.value)
