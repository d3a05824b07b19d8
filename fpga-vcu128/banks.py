# SPDX-License-Identifier: Apache-2.0
"""Memories of the core with several write ports as banks of LUT RAM, for synthesis.

usage: banks.py CORE_DIR OUT_DIR     the files of CORE_DIR/filelist.f, with the memories in banks, to OUT_DIR

firtool writes a memory as a module with an array. A LUT RAM has one write port: an array with more becomes flip-flops, with a
selection among all words for each read port and among all write ports for each word. Here such a module gets a bank for each write port, an
array of its own, and a live-value table in flip-flops: the bank that each word was written in last. It is the same to the cycle, also
when ports write one word at the same time (the last of them counts) and before the first write, when flip-flops and LUT RAM are 0.

Only memories that read in the cycle of the address and write whole words, and whose words are at least WIDTH_LEAST bits: for narrow ones
the table is as large as the memory.
"""

import re
import sys
from pathlib import Path

WIDTH_LEAST = 16
ARRAY = re.compile(r"^  reg +\[(\d+):0\] +Memory\[0:(\d+)\];.*?(?=^endmodule)", re.MULTILINE | re.DOTALL)
CLOCKED = re.compile(r"  always @\(posedge W0_clk\) begin\n(?P<writes>.*?)  end\n", re.DOTALL)
WRITE = re.compile(r"if \(W(\d+)_en & 1'h1\)\s+Memory\[W\1_addr\] <= W\1_data;")
READ = re.compile(r"assign R(\d+)_data = R\1_en \? Memory\[R\1_addr\] : \d+'bx;")
COMMENT = re.compile(r"[ \t]*//[^\n]*")


def ports_of(body: str) -> tuple[int, int] | None:
    """Read and write ports of an array that nothing but such ports uses."""
    body = COMMENT.sub("", body)
    clocked = CLOCKED.search(body)
    if not clocked:
        return None
    writes, reads = WRITE.findall(clocked["writes"]), READ.findall(body)
    rest = READ.sub("", CLOCKED.sub("", body)).split(";", 1)[1] + WRITE.sub("", clocked["writes"])
    in_order = writes == [str(k) for k in range(len(writes))]
    return (len(reads), len(writes)) if in_order and not rest.strip() else None


def selected(index: str, values: list[str]) -> str:
    """values[index] as a tree over the bits of the index."""
    if len(values) == 1:
        return values[0]
    bit = (len(values) - 1).bit_length() - 1
    return f"({index}[{bit}] ? {selected(index, values[1 << bit :])} : {selected(index, values[: 1 << bit])})"


def inside(words: int, width: int, reads: int, writes: int) -> str:
    """The inside of a memory module."""
    bits = (writes - 1).bit_length()
    newest = " : ".join([*(f"hits[{w}] ? {bits}'d{w}" for w in reversed(range(1, writes))), f"{bits}'d0"])
    lines = [f"  // Banks and live-value table: fpga-vcu128/banks.py\n  wire [{words * bits - 1}:0] table_;"]
    for w in range(writes):
        lines += [
            f"  reg [{width - 1}:0] Memory_{w}[0:{words - 1}];",
            f"  always @(posedge W0_clk) if (W{w}_en) Memory_{w}[W{w}_addr] <= W{w}_data;",
        ]
    lines += [
        f"  for (genvar i = 0; i < {words}; i = i + 1) begin : word",
        f"    wire [{writes - 1}:0] hits = {{{', '.join(f'W{w}_en && W{w}_addr == i' for w in reversed(range(writes)))}}};",
        f"    reg [{bits - 1}:0] live;",
        f"    always @(posedge W0_clk) if (|hits) live <= {newest};",
        f"    assign table_[{bits} * i +: {bits}] = live;",
        "  end",
    ]
    for r in range(reads):
        lines += [
            f"  wire [{bits - 1}:0] live_{r} = table_[{bits} * R{r}_addr +: {bits}];",
            f"  assign R{r}_data = {selected(f'live_{r}', [f'Memory_{w}[R{r}_addr]' for w in range(writes)])};",
        ]
    return "\n".join([*lines, ""])


def in_banks(text: str) -> str:
    """The module, with banks if it is a memory of this kind."""
    array = ARRAY.search(text)
    ports = ports_of(array[0]) if array else None
    if not array or not ports:
        return text
    (reads, writes), width, words = ports, int(array[1]) + 1, int(array[2]) + 1
    if reads == 0 or writes < 2 or width < WIDTH_LEAST:
        return text
    return text[: array.start()] + inside(words, width, reads, writes) + text[array.end() :]


def main() -> None:
    core, out = map(Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    names = (core / "filelist.f").read_text().split()
    for old in out.glob("*.sv"):
        if old.name not in names:
            old.unlink()
    for name in names:
        (out / name).write_text(in_banks((core / name).read_text()))
    (out / "filelist.f").write_text("\n".join([*names, ""]))


if __name__ == "__main__":
    main()
