# SPDX-License-Identifier: Apache-2.0
"""Experiments as users get them wrong: one line with the file and the line in it before anything is built or run, or nothing wrong after all."""

import re

import pytest

from nhg.errors import NhgError
from nhg.experiment.grid import POINTS_MAX, cases
from nhg.experiment.load import load

GOOD = """\
name: my
title: T
figure: {kind: bars, quantities: [speedup], x: latency_ns, panels: benchmark}
sweep:
  benchmark: [hj, tree]
  scale: tiny
  latency_ns: [100, 200]
  variant: [serial, static, full]
"""
FIGURE, LATENCIES = GOOD.splitlines()[2], "latency_ns: [100, 200]"
NUMBERS = ", ".join(map(str, range(1, 512)))

# What a file says in place of (or behind, where it begins with a line's end) a part of GOOD; the line of the error and a part of its message.
EDITS = {
    "second title": ("full]\n", "full]\ntitle: U\n", 9, "title stands twice"),
    "second axis": (LATENCIES, "latency_ns: [100]\n  latency_ns: [200]", 8, "latency_ns stands twice"),
    "axis misspelt": (LATENCIES, "latencies: [100, 200]", 7, "sweep.latencies is no key; the nearest legal value is latency_ns"),
    "key misspelt": ("full]\n", "full]\nrepetition: 3\n", 9, "repetition is no key; the nearest legal value is repetitions"),
    "benchmark misspelt": ("hj, tree", "hj, trie", 5, "trie is no benchmark; the nearest legal value is tree"),
    "lines of Windows": (GOOD, GOOD.replace("tree", "trie").replace("\n", "\r\n"), 5, "trie is no benchmark"),
    "variant misspelt": ("full]", "ful]", 8, "ful is no variant of hj on sim; the nearest legal value is full"),
    "variant is a boolean of YAML 1.1": ("static", "no", 8, "no is no variant of hj on sim"),
    "latency is a word": ("100, 200", "100, fast", 7, "fast is no number; give ns from 0 to 21845"),
    "latency below 0": ("100, 200", "-5, 200", 7, "-5 ns is out of range; the nearest legal value is 0"),
    "latency 1e9": ("100, 200", "1e9", 7, "1e+09 ns is out of range; the nearest legal value is 21845"),
    "latency is not a number": ("100, 200", ".nan", 7, "nan is no number"),
    "scale misspelt": ("scale: tiny", "scale: tinny", 6, "hj has no scale tinny; the nearest legal value is tiny"),
    "no baseline": ("serial, ", "", 3, "speedup needs a baseline (variant serial), and hj/static, scale tiny, latency_ns 100 has none"),
    "baseline of one left out": ("full]\n", "full]\ndrop:\n- {benchmark: hj, variant: serial, because: x}\n", 3, "speedup needs a baseline"),
    "name with a slash": ("name: my", "name: my fig/1", 1, "name: my fig/1 has other characters than"),
    "name is a number": ("name: my", "name: 5", 1, "name: 5 is no text; write it in quotation marks"),
    "bracket left open": ("tree]", "tree", 6, "not YAML (expected ',' or ']', but got ':')"),
    "x is no axis": ("x: latency_ns", "x: latency", 3, "figure.x: latency is no axis; the nearest legal value is latency_ns"),
    "x is not swept": ("x: latency_ns", "x: bandwidth_gbps", 3, "figure.x: bandwidth_gbps is not swept; the nearest legal value is latency_ns"),
    "panels are not swept": ("panels: benchmark", "panels: jitter", 3, "figure.panels: jitter is not swept"),
    "quantity misspelt": ("[speedup]", "[speed]", 3, "speed is no quantity; the nearest legal value is speedup"),
    "kind unknown": ("kind: bars", "kind: pie", 3, "figure.kind: pie is not legal"),
    "jitter without a number": ("scale: tiny", "jitter: [uniform]", 6, "give uniform:NS"),
    "jitter too large": ("scale: tiny", "jitter: ['uniform:5000']", 6, "gives -4900 to 5100 ns"),
    "no coroutine": ("scale: tiny", "coroutines: [0, 8]", 6, "0 coroutines is out of range; the nearest legal value is 1"),
    "too many coroutines": ("scale: tiny", "coroutines: [9999]", 6, "the nearest legal value is 511"),
    "half a coroutine": ("scale: tiny", "coroutines: [8.5]", 6, "8.5 is no number of coroutines; give a whole number"),
    "half a coroutine among the best": ("scale: tiny", "coroutines: {best: [4, 8.5]}", 6, "8.5 is no whole number"),
    "coroutines are a boolean": ("scale: tiny", "coroutines: [yes]", 6, "yes is no number of coroutines"),
    "samples are a boolean": ("scale: tiny", "samples: true", 6, "True is no whole number"),
    "list is empty": ("hj, tree", "", 5, "sweep.benchmark: the list is empty"),
    "axis without a value": ("[hj, tree]", "", 4, "benchmark is missing"),
    "value twice": ("hj, tree", "hj, hj", 5, "hj stands twice"),
    "zip of unequal lengths": ("full]\n", "full]\nzip:\n- coroutines: [8, 16]\n  bandwidth_gbps: [3]\n", 10, "bandwidth_gbps has 1, coroutines has 2"),
    "axis in sweep and zip": ("full]\n", "full]\nzip:\n- variant: [serial, full]\n  coroutines: [default, 16]\n", 10, "variant is given twice"),
    "drop without a reason": ("full]\n", "full]\ndrop:\n  - benchmark: hj\n", 10, "drop.0.because is missing"),
    "all is dropped": ("full]\n", "full]\ndrop:\n  - benchmark: [hj, tree]\n    because: x\n", 9, "no point is left"),
    "repetitions 0": ("full]\n", "full]\nrepetitions: 0\n", 9, "the nearest legal value is 1"),
    "repetitions are a word": ("full]\n", "full]\nrepetitions: many\n", 9, "many is no whole number"),
    "alias of nothing": ("[hj, tree]", "*nope", 5, "no aliases"),
    "benchmark is a path to nothing": ("hj, tree", "/nonexistent/dir", 5, "neither a benchmark nor a directory"),
    "millions of points": (LATENCIES, f"latency_ns: [{NUMBERS}]\n  coroutines: [{NUMBERS}]", 4, "1,566,726 points are asked for"),
    "two documents": ("full]\n", f"full]\n---\n{GOOD}", 9, "another document"),
    "a tab": (f"{FIGURE}\n", "figure:\n\tkind: bars\n", 4, "cannot start any token"),
    "title in Latin-1": ("title: T", b"title: caf\xe9", 2, "byte 0xe9 is not UTF-8"),
    "a character 0": ("name: my", "name: my\0", 1, "character 0x0"),
    "an alias of an alias": (GOOD, "a: &a [x, x]\nb: &b [*a, *a]\nname: *b\n", 2, "no aliases"),
    "a command": (GOOD, '!!python/object/apply:os.system ["touch pwned"]\n', 1, "could not determine a constructor"),
    "nested deep": (GOOD, "[" * 3000, 1, "nested deeper than 8 levels"),
    "UTF-16": (GOOD, GOOD.encode("utf-16"), 1, "is not UTF-8"),
    "a number of 5,000 digits": ("100, 200", "1" * 5000, 1, "digits"),
    "a list": (GOOD, "- a\n- b\n", 1, "not a YAML mapping"),
    "only a comment": (GOOD, "# nothing\n", 1, "not a YAML mapping"),
    "empty": (GOOD, "", 1, "not a YAML mapping"),
}
GEOMEAN = ("full]\n", "full]\n  coroutines: 128\ndrop:\n  - {benchmark: tree, latency_ns: 200, because: slow}\n")
ZIP = (
    "  variant: [serial, static, full]\n",
    "  jitter: [constant, 'uniform:50']\nzip:\n  - variant: [serial, static, full]\n    coroutines: [default, 8, 32]\n",
)
# Edits that leave nothing wrong, and the number of cases.
FINE = {
    "as it is": ("my", "my", 12),
    "marked as UTF-8": ("name", "\N{BYTE ORDER MARK}name", 12),
    "title with other letters": ("title: T", "title: Größe — 300 ns… “×”", 12),
    "title with markup": ("title: T", 'title: "<script>alert(1)</script> $x^{2$"', 12),
    "name is a date": ("name: my", "name: 2026-11-29", 12),
    "latency 1e3": ("100, 200", "1e3", 6),
    "one benchmark missing at one place": (*GEOMEAN, 9),
    "axes in step": (*ZIP, 24),
    "one value without brackets": ("[hj, tree]", "hj", 6),
}


def edited(tmp_path, old, new):
    assert GOOD.count(old) == 1
    file = tmp_path / "my.yaml"
    before, _, after = GOOD.partition(old)
    file.write_bytes(before.encode() + (new if isinstance(new, bytes) else new.encode()) + after.encode())
    return file


@pytest.mark.parametrize(("old", "new", "line", "says"), EDITS.values(), ids=EDITS)
def test_what_is_wrong_is_one_line_with_file_and_line(tmp_path, old, new, line, says):
    file = edited(tmp_path, old, new)
    with pytest.raises(NhgError) as error:
        load(file)
    message = str(error.value)
    assert message.startswith(f"{file}:") and "\n" not in message and says in message and len(message) < 600, message
    found = re.match(r":(\d+): ", message.removeprefix(str(file)))
    assert found and int(found.group(1)) == line, message


@pytest.mark.parametrize(("old", "new", "number"), FINE.values(), ids=FINE)
def test_what_is_not_wrong(tmp_path, old, new, number):
    assert len(cases(load(edited(tmp_path, old, new)))) == number < POINTS_MAX
