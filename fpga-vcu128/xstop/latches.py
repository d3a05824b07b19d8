# SPDX-License-Identifier: Apache-2.0
"""Latches in a user's Verilog: the generator's clock gate is replaced, any other is told.

XiangShan's generator makes gated clocks with STD_CLKGT_func, a latch and an AND gate (under SYNTHESIS some versions of it
are empty, and the clock behind them stands still). On an FPGA such a clock leaves the clock network and its latch has no
timing. The replacement lets the clock pass always, as the public NEXST flow does, which ran this core on this board: what
is behind the gates are memories whose inputs do not change while the clock would be off.
"""

import re
from collections.abc import Iterator

import probes

CLOCK_GATE = "STD_CLKGT_func"
GATE_PORTS = {"TE": ("input", 1), "E": ("input", 1), "CK": ("input", 1), "Q": ("output", 1)}
MODULE = re.compile(r"^[ \t]*module\s+(\w+)\b.*?^[ \t]*endmodule\b[^\n]*\n?", re.M | re.S)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
# A block that no edge starts
LEVEL_SENSITIVE = re.compile(r"\balways_latch\b|\balways(?:_comb\b|\s*@\s*(?:\*|\((?!\s*(?:posedge|negedge)\b)[^)]*\)))")
WORD = re.compile(r"\b(?:begin|case[xz]?|end|endcase)\b|;")


def _statement(text: str) -> str:
    """The statement at the start of `text`: up to its `;`, or to the `end` of its begin."""
    depth = 0
    for word in WORD.finditer(text):
        if word[0] in ("begin", "case", "casex", "casez"):
            depth += 1
        elif word[0] != ";":
            depth -= 1
        if depth == 0 and not re.match(r"\s*else\b", text[word.end() :]):
            return text[: word.end()]
    return text


def _latches(module: str) -> Iterator[int]:
    """Where latches begin: level-sensitive blocks that assign under an `if` without `else`, and nothing before it."""
    plain = COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), module)
    for block in LEVEL_SENSITIVE.finditer(plain):
        statement = _statement(plain[block.end() :])
        condition = re.search(r"\bif\b", statement)
        assigned_before = condition and re.search(r"[^<>=!]=[^=]", statement[: condition.start()])
        if block[0] == "always_latch" or (condition and not assigned_before and not re.search(r"\belse\b", statement)):
            yield block.start()


def problems(name: str, text: str) -> list[str]:
    """One phrase for each module of file `name` with a latch that is not the known clock gate."""
    found = []
    for module in MODULE.finditer(text):
        if module[1] != CLOCK_GATE and (first := next(_latches(module[0]), None)) is not None:
            line = 1 + text.count("\n", 0, module.start() + first)
            found.append(f"{name}, line {line}: module {module[1]} has a latch")
    return found


def uses_clock_gate(text: str) -> bool:
    return re.search(rf"\b{CLOCK_GATE}\b", text) is not None


def without_clock_gate(text: str) -> str:
    """The text without the gate's own module."""
    return MODULE.sub(lambda module: "" if module[1] == CLOCK_GATE else module[0], text)


def has_module(text: str) -> bool:
    return MODULE.search(text) is not None


def replacement(texts: list[str]) -> str:
    """Verilog of the gate that always passes, with the ports it has in the user's files."""
    declared = next((ports for text in texts if (ports := probes.module_ports(text, CLOCK_GATE)) is not None), GATE_PORTS)
    if any(declared.get(name) != port for name, port in GATE_PORTS.items() if name in ("CK", "Q")) or any(
        direction != "input" for name, (direction, _) in declared.items() if name != "Q"
    ):
        raise ValueError(f"{CLOCK_GATE} has other ports than CK, Q and inputs: {', '.join(declared)}")
    ports = ",\n".join(f"  {direction} {f'[{bits - 1}:0] ' if bits > 1 else ''}{name}" for name, (direction, bits) in declared.items())
    return (
        f"// SPDX-License-Identifier: Apache-2.0\n// The clock gate of the user's core, which always passes.\nmodule {CLOCK_GATE}(\n{ports}\n);\n"
        "  assign Q = CK;\nendmodule\n"
    )
