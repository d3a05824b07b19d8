# SPDX-License-Identifier: Apache-2.0
"""Memories in banks against firtool's own, with the same random traffic on both: those of the core with several write ports."""

import re
import subprocess
from pathlib import Path

import banks
import pytest
import units
from test_rtl import compiled

CYCLES = 20_000
BENCH = """
module banks_tb;
  bit clock = 0;
{declared}
  {module} plain ({plain});
  banked in_banks ({banked});
  initial begin
    for (int cycle = 0; cycle < {cycles}; cycle++) begin
      // of few words for a while, so that ports meet on one
      automatic int last = cycle[8] ? 3 : {words} - 1;
{driven}
      #1;
      if ({different}) begin
        $display("FAIL in cycle %0d", cycle);
        $finish;
      end
      #1 clock = 1;
      #1 clock = 0;
    end
    $display("PASS");
    $finish;
  end
endmodule
"""


@pytest.fixture(scope="module")
def memories(build) -> list[Path]:
    """The core's memories that get banks, those with most write ports first."""
    core = units.core_folder(build)
    plain = build / "rtl"
    changed = [path for path in core.glob("*.sv") if path.read_text() != (plain / path.name).read_text()]
    return sorted((plain / path.name for path in changed), key=lambda path: (-path.read_text().count("<= W"), path.name))


def passes(folder: Path, memory: Path, old: str = "", new: str = "") -> bool:
    """Both forms agree; in the one with banks `old`, which must be there, has become `new`."""
    text = memory.read_text()
    other = re.sub(r"^module \w+", "module banked", banks.in_banks(text), flags=re.MULTILINE)
    assert old in other
    ports = sorted(set(re.findall(r"\b[RW]\d+_(?:addr|en|clk|data)\b", text)))
    array = banks.ARRAY.search(text)
    width, words = int(array[1]) + 1, int(array[2]) + 1
    inputs = [port for port in ports if not re.fullmatch(r"R\d+_data|.*_clk", port)]
    outputs = [port for port in ports if re.fullmatch(r"R\d+_data", port)]
    bits = {"addr": (words - 1).bit_length(), "data": width, "en": 1}
    random = {"addr": "$urandom_range(last)", "data": f"{{{', '.join(['$urandom()'] * (width // 32 + 1))}}}", "en": "$urandom_range(3) != 0"}
    driven = [f"{port} = {'1' if re.fullmatch('R.*_en', port) else random[port.split('_')[1]]};" for port in inputs]

    def connected(suffix: str) -> str:
        return ", ".join(f".{port}({'clock' if port.endswith('_clk') else port + suffix if port in outputs else port})" for port in ports)

    declared = [f"  logic [{bits[port.split('_')[1]] - 1}:0] {port};" for port in inputs]
    declared += [f"  logic [{width - 1}:0] {port}{suffix};" for port in outputs for suffix in ("_plain", "_banked")]
    bench = BENCH.format(
        declared="\n".join(declared),
        module=memory.stem,
        plain=connected("_plain"),
        banked=connected("_banked"),
        cycles=CYCLES,
        words=words,
        driven="\n".join(f"      {line}" for line in driven),
        different=" || ".join(f"{port}_plain != {port}_banked" for port in outputs),
    )
    sources = {"banks_tb.sv": bench, "banked.sv": other.replace(old, new) if old else other}
    for name, content in sources.items():
        (folder / name).write_text(content)
    program = compiled(folder / "program", "banks_tb", memory, *(folder / name for name in sources), bench_file=False)
    result = subprocess.run([program], capture_output=True, text=True, timeout=120, check=False)
    assert result.stdout.startswith(("PASS", "FAIL")), result.stdout + result.stderr
    return result.stdout.startswith("PASS")


def test_the_register_files_and_the_queues_get_banks(memories):
    assert {path.stem.split("_")[0] for path in memories} >= {"regs", "payload", "ops"}
    assert all(banks.in_banks(banks.in_banks(path.read_text())) == banks.in_banks(path.read_text()) for path in memories)


@pytest.mark.parametrize("which", ["most write ports", "fewest write ports", "words that are no power of two"])
def test_banks_read_what_the_memory_reads(memories, tmp_path, which):
    uneven = [path for path in memories if (int(banks.ARRAY.search(path.read_text())[2]) + 1).bit_count() > 1]
    memory = {"most write ports": memories[0], "fewest write ports": memories[-1], "words that are no power of two": uneven[0]}[which]
    assert passes(tmp_path, memory)


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("live <= hits[1] ? 1'd1 : 1'd0", "live <= hits[0] ? 1'd0 : 1'd1"),  # the first of two writes counts
        ("if (|hits)", "if (hits[1])"),  # a write of the first port is forgotten
        ("W1_addr == i", "W1_addr == i + 1"),
        ("live_0[0] ? ", "live_0[0] && !W0_en ? "),
    ],
)
def test_a_mistake_is_found(memories, tmp_path, old, new):
    two_ports = next(path for path in memories if path.read_text().count("<= W") == 2)
    assert not passes(tmp_path, two_ports, old, new)


def test_other_modules_stay_as_they_are(memories):
    text = memories[-1].read_text()
    assert banks.in_banks(text) != text
    for old, new in [
        ("W1_en & 1'h1", "W1_en & W1_mask"),
        ("W1_addr] <= W1_data;", "W1_addr][3:0] <= W1_data;"),
        ("endmodule", "  assign more = Memory[0];\nendmodule"),
    ]:
        changed = text.replace(old, new)
        assert changed != text and banks.in_banks(changed) == changed
