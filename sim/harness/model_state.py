# SPDX-License-Identifier: Apache-2.0
"""Writes the table of the simulated design's state from the header that Verilator generated (docs/design/simulation.md).

usage: model_state.py Vsim_top___024root.h OUT.inc

A line a member, in their order: NHG_STATE(KIND, BITS, member), where BITS is the width of an element and KIND is
  FIXED    compared: in a quiet cycle it keeps its value
  COUNTER  counts cycles or what every cycle adds; a jump moves it on
  WAIT     likewise, of an assertion that fails at half of what it can hold (BoundedWait of bus/)
  DERIVED  follows from counters and the rest: logic, a register that every cycle sets anew, or one that a jump sets
  WRITTEN  1 when the last clock edge wrote an array; 0 in a quiet cycle
  ARRAY    is written only where a WRITTEN says so; not compared
  SCRATCH  Verilator's own, set in each evaluation before it is read
  OPAQUE   queues of the AXI checker: they change only with a handshake, which changes words that are compared
A member of an unknown type is an error (exit 1, one line): it could hold state that nobody compares.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

LICENCE = "SPDX-License-Identifier: Apache-2.0"
BEGIN, END = "// DESIGN SPECIFIC STATE", "// INTERNAL VARIABLES"
PORT = re.compile(r"VL_(?:IN|OUT)(?:|8|16|64|W)\((\w+?)(?:\[\d+\])*,(\d+),(\d+)(?:,\d+)?\)")
ELEMENT = r"(?:CData|SData|IData|QData|VlWide<\d+>)/\*(?P<high>\d+):(?P<low>\d+)\*/"
MEMBER = re.compile(rf"(?P<array>(?:VlUnpacked<)*){ELEMENT}(?:, \d+>)* (?P<name>\w+)")
QUEUE = re.compile(r"(?:VlUnpacked<)?VlQueue<.*> (?P<name>\w+)")
TRIGGERS = re.compile(r"VlTriggerVec<\d+> (?P<name>__V\w+)")
STRUCTURE = re.compile(r"struct \{|\}|class alignas.*|\w+\* __PVT__\w+")
SCRATCH = re.compile(r"__Vm_\w+|\w+__DOT____Vlvbound_\w+|__Vdly(?:|Val|Dim\d+|Mask)__.*|__Vfunc_.*|__V(?:stl|ico|act|nba|trigprevexpr)\w*")
WRITTEN = re.compile(r"__VdlySet__(.*)__v\d+")

# Everything that may change in a quiet cycle, by name without sim_top. What is not here and changes makes the cycle a busy one: the simulation is
# slower then, never wrong.
COUNTERS = (
    r"core\.(.+\.)?(\w+_)?total(_\d+)?",  # Count.events of common/
    r"core\.tile\.core\.backend\.(.+\.)?mcycle",
    r"core\.tile\.core\.backend\.waitTable\.time_0",
    r"core\.tile\.core\.frontend\.pollCycles",
    r"(delayer|local_memory|far_memory)\.now",
    r"delayer\.counters\.__Vcellout__\w+__sum",  # of event_sum
    r"__Vcellout__core__probe_cycles_memory",  # of the traffic generator in test/
)
WAITS = (r"core\.(.+\.)?cycles(_\d+)?",)
CALENDAR = r"delayer\.(read|write)_channel\.scheduler\.calendar\."
DERIVED = (
    r"core\.clint\.(ticks|tickCycles)|privileged_time",  # time, which a jump sets (Timers::passTime)
    r"far_counters|probes|__Vcellout__delayer__live_counters",
    r"delayer\.(read|write)_answer_cycles",
    r"delayer\.(read|write)_channel\.scheduler\.release_time",
    r"(local|far)_memory\.(read_wait|answer_wait|__Vcell(inp|out)__(reads__(in|out)|answers__(in|out))_data)",
    CALENDAR + r"(bucket_time|buckets_to_sweep\.stored_word|__Vcellout__buckets_to_sweep__read_data)",
    # Its list, too, is believed only when its head leads the list of the very cycle.
    CALENDAR + r"__Vcell(inp__lists__in|out__lists__out)_data",
)


@dataclass(frozen=True)
class Member:
    name: str
    bits: int
    is_array: bool


def members(header: str) -> list[Member]:
    """Of the structure that holds the design, in their order."""
    begin, end = header.find(BEGIN), header.find(END)
    if begin < 0 or end < begin:
        raise ValueError(f"no section between '{BEGIN}' and '{END}'; this Verilator writes another header")
    found = []
    for line in header[begin + len(BEGIN) : end].splitlines():
        text = line.split("//")[0].strip().rstrip(";")
        if port := PORT.fullmatch(text):
            found.append(Member(port[1], int(port[2]) - int(port[3]) + 1, "[" in text))
        elif member := MEMBER.fullmatch(text):
            found.append(Member(member["name"], int(member["high"]) - int(member["low"]) + 1, bool(member["array"])))
        elif opaque := QUEUE.fullmatch(text) or TRIGGERS.fullmatch(text):
            found.append(Member(opaque["name"], 0, False))
        elif text and not STRUCTURE.fullmatch(text):
            raise ValueError(f"cannot read the member '{text}'; teach MEMBER of {Path(__file__).name} its type")
    return found


def design_name(name: str) -> str:
    """As in the Verilog, below sim_top."""
    return name.replace("__DOT__", ".").removeprefix("sim_top.")


def kind(member: Member, guarded: set[str]) -> str:
    """`guarded`: arrays of which a WRITTEN tells."""
    name = design_name(member.name)
    if WRITTEN.fullmatch(member.name):
        return "WRITTEN"
    if SCRATCH.fullmatch(member.name):
        return "SCRATCH"
    if member.bits == 0:
        if not name.startswith("core_port_checker."):
            raise ValueError(f"a queue of the design, {name}, which nobody compares; compare it, or say in {Path(__file__).name} why it need not be")
        return "OPAQUE"
    if member.is_array and member.name in guarded:
        return "ARRAY"
    for of_kind, patterns in ("COUNTER", COUNTERS), ("WAIT", WAITS), ("DERIVED", DERIVED):
        if any(re.fullmatch(pattern, name) for pattern in patterns):
            return of_kind
    return "FIXED"


def table(header: str) -> str:
    found = members(header)
    guarded = {flag[1] for member in found if (flag := WRITTEN.fullmatch(member.name))}
    return f"// {LICENCE}\n" + "".join(f"NHG_STATE({kind(member, guarded)}, {member.bits}, {member.name})\n" for member in found)


def main() -> int:
    if len(sys.argv) != 3:
        print(f"usage: {sys.argv[0]} HEADER OUT.inc", file=sys.stderr)
        return 1
    header, out = map(Path, sys.argv[1:])
    try:
        out.write_text(table(header.read_text()))
    except (OSError, ValueError) as error:
        print(f"model_state.py: {header}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
