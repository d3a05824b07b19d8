# SPDX-License-Identifier: Apache-2.0
"""Resources of the core's modules: every larger one is synthesised alone, with larger ones below it as black boxes, and
counted once per instance. Small ones belong to whatever instantiates them; memories, whose every port has a clock input of
its own, are flattened into it, since only there Yosys sees that it is one clock.

So a change of one module costs one synthesis, and an interrupted run goes on where it was. The Verilog is made for this
from the core's FIRRTL, without the constructs that only read_slang takes: read_slang makes a copy of a module for each instance.
"""

import hashlib
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import synthesis
import yosys
from cells import KINDS, Resources

# From here a memory is worth a look when it is not block RAM (36 Kbit) or UltraRAM (288 Kbit); shallow ones belong in LUTs.
LARGE_BITS, LARGE_WORDS = 8 * 1024, 64
UNIT_BYTES = 10_000  # of Verilog: synthesised alone
MEMORY = re.compile(r"^\s*reg\b.*\bMemory\[", re.MULTILINE)
FIRTOOL_OPTIONS = ("--split-verilog", "--disable-all-randomization", "--lowering-options=disallowLocalVariables,disallowPackedArrays")


def verilog(build: Path) -> dict[str, Path]:
    """The core's files by module."""
    source, folder = build / "fir" / "NhgSoc.fir", build / "fpga" / "resources" / "core"
    if not folder.is_dir() or folder.stat().st_mtime < source.stat().st_mtime:
        partial = folder.with_name("core.partial")
        for path in (folder, partial):
            shutil.rmtree(path, ignore_errors=True)
        result = subprocess.run(["firtool", str(source), *FIRTOOL_OPTIONS, "-o", str(partial)], capture_output=True, text=True, check=False)
        if result.returncode:
            raise yosys.YosysError(f"firtool: {result.stderr.strip()[:300]}")
        partial.rename(folder)
    return {path.stem: path for path in folder.glob("*.sv")}


def large_in_logic(memories: list[synthesis.Memory]) -> list[str]:
    """Memories that should perhaps be block RAM or UltraRAM."""
    return [f"{memory.module.split('$')[0]}.{memory.name.removesuffix('.Memory')} {memory.words}x{memory.width} {memory.kind}"
            for memory in memories if memory.bits >= LARGE_BITS and memory.words >= LARGE_WORDS and memory.kind not in ("BRAM", "URAM")]


class CoreModules:
    """`kept` holds what was measured before, by module, and `save` is called when it grows."""

    def __init__(self, build: Path, kept: dict, save: Callable[[], None]) -> None:
        self._build, self._kept, self._save = build, kept, save
        self._files = verilog(build)

    def _unit(self, module: str) -> tuple[list[Path], list[Path]]:
        """Files that are synthesised with `module`, and files of its black boxes."""
        inside, boxes, todo = {module}, set(), [module]
        while todo:
            text = re.sub(r"//.*", "", self._files[todo.pop()].read_text())
            for name in (set(re.findall(r"\w+", text)) & self._files.keys()) - inside:
                if self._files[name].stat().st_size >= UNIT_BYTES:
                    boxes.add(name)
                else:
                    inside.add(name)
                    todo.append(name)
        return [self._files[name] for name in sorted(inside)], [self._files[name] for name in sorted(boxes)]

    def own(self, module: str) -> dict:
        """The module without larger ones it instantiates: resources, `instances` of those, `large_in_logic`, `seconds`."""
        inside, boxes = self._unit(module)
        digest = hashlib.sha256(b"".join(path.read_bytes() for path in inside)).hexdigest()
        if self._kept.get(module, {}).get("sources") != digest:
            folder = self._build / "fpga" / "resources" / module
            folder.mkdir(parents=True, exist_ok=True)
            memories = [path.stem for path in inside if path.stem != module and MEMORY.search(path.read_text())]
            read = "\n".join([*(" ".join([f"read_verilog -sv -DSYNTHESIS{option}", *map(yosys.inside, files)])
                                for option, files in ((" -lib", boxes), ("", inside)) if files),
                              *(f"flatten t:{memory}" for memory in memories)])
            begin = time.monotonic()
            statistics, mapped = synthesis.synthesise(read, module, folder)
            cells = statistics["design"]["num_cells_by_type"]
            self._kept[module] = {"sources": digest, **asdict(Resources.of(cells)),
                                  "instances": {path.stem: cells[path.stem] for path in boxes if path.stem in cells},
                                  "large_in_logic": large_in_logic(mapped), "seconds": round(time.monotonic() - begin)}
            self._save()
        return self._kept[module]

    def total(self, module: str) -> dict:
        """With everything below it."""
        own = self.own(module)
        result = {kind: own[kind] for kind in (*KINDS, "seconds")} | {"large_in_logic": set(own["large_in_logic"])}
        for name, count in own["instances"].items():
            below = self.total(name)
            for kind in KINDS:
                result[kind] += count * below[kind]
            result["seconds"] += below["seconds"]
            result["large_in_logic"] |= set(below["large_in_logic"])
        return result | {"large_in_logic": sorted(result["large_in_logic"])}
