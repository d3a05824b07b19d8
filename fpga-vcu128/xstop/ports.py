# SPDX-License-Identifier: Apache-2.0
"""Does a user's XSTop fit the shell? Compares its ports with ports.toml and writes the tables of soc_xstop.sv.

usage: ports.py OUT_DIR FILE [FILE ...]

One of the files has module XSTop. Output: xstop_ports.svh (widths, and the connections of the ports that versions differ
in), nhg_probes.svh (the counters of such a board), xstop.dts (its device tree) and core_files.txt (the files to compile:
the user's own, but for clock gates, which latches.py replaces). Exit code 19 when it does not fit; the one line names
every port, and every latch.
"""

import re
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parents[1] / "shell"), str(HERE.parents[1] / "tools" / "platform")]
import device_tree as tree  # noqa: E402
import latches  # noqa: E402
import probes  # noqa: E402

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"
DOES_NOT_FIT = 19
NAMED_MOST = 8
# Signals of an AXI4 manager's channels: those it drives, those it receives
DRIVEN = {
    "aw": "valid id addr len size burst lock cache prot qos",
    "w": "valid data strb last",
    "b": "ready",
    "ar": "valid id addr len size burst lock cache prot qos",
    "r": "ready",
}
MISA_LETTERS = "imafdqcbvh"  # in the order of an ISA string; S and U are modes
RECEIVED = {"aw": "ready", "w": "ready", "b": "valid id resp", "ar": "ready", "r": "valid id data resp last"}
WIDTHS = {"len": 8, "size": 3, "burst": 2, "cache": 4, "prot": 3, "qos": 4, "resp": 2}
Expected = dict[str, tuple[str, int, int]]  # name -> direction, least and greatest width


class DoesNotFitError(Exception):
    """One line: what is wrong with which ports."""


def axi_port(name: str, entry: dict) -> Expected:
    manager = entry["role"] == "manager"
    expected: Expected = {}
    for signals, direction in ((DRIVEN, "output" if manager else "input"), (RECEIVED, "input" if manager else "output")):
        for channel, words in signals.items():
            for word in words.split():
                special = {"id": entry["id"], "addr": entry["address"], "data": [entry["data"]] * 2, "strb": [entry["data"] // 8] * 2}
                least, most = special.get(word, [WIDTHS.get(word, 1)] * 2)
                expected[f"{name}_{channel}{word}"] = direction, least, most
    return expected


def expected_ports(table: dict) -> Expected:
    expected: Expected = {name: (entry["direction"], *entry["width"]) for name, entry in table["required"].items()}
    for name, entry in table["axi"].items():
        expected |= axi_port(name, entry)
    return expected


def optional_value(table: dict, name: str) -> str | None:
    return next((value for pattern, value in table["optional"].items() if re.fullmatch(pattern, name)), None)


def problems(found: dict[str, tuple[str, int]], table: dict) -> list[str]:
    """Everything that does not fit, one phrase a port."""
    expected = expected_ports(table)
    wrong = [f"{name} is missing" for name in expected if name not in found]
    for name, (direction, width) in found.items():
        if name in expected:
            way, least, most = expected[name]
            if direction != way:
                wrong.append(f"{name} is an {direction}, not an {way}")
            elif not least <= width <= most:
                wrong.append(f"{name} has {width} bits instead of {least if least == most else f'{least} to {most}'}")
        elif direction == "input" and optional_value(table, name) is None:
            wrong.append(f"{name} is an input that the shell does not know")
    for port in table["axi"]:
        ids = {found[name][1] for name in (f"{port}_{channel}id" for channel in ("aw", "b", "ar", "r")) if name in found}
        if len(ids) > 1:
            wrong.append(f"{port}_*id have different widths")
    return wrong


def connections(found: dict[str, tuple[str, int]], table: dict) -> str:
    """Of the ports that are not in every version; inputs get their value, outputs stay open."""
    known = expected_ports(table)
    words = []
    for name, (direction, width) in found.items():
        if name not in known:
            value = "" if direction == "output" else optional_value(table, name)
            words.append(f".{name}({f'{width}' + chr(39) + f'({value})' if value else ''}),")
    return " ".join(words)


def tables(found: dict[str, tuple[str, int]], table: dict) -> dict[str, str]:
    """The files to write, by name."""
    # XSTop does not say what it retires: that counter counts the cycles it ran.
    counters = ["running_cycles" if name == "instret" else name for name in probes.board_counters()]
    ports = {
        "XSTOP_MEMORY_ID_BITS": found["memory_0_awid"][1],
        "XSTOP_DMA_ID_BITS": found["dma_0_awid"][1],
        "XSTOP_PERIPHERAL_ID_BITS": found["peripheral_0_awid"][1],
        "XSTOP_PERIPHERAL_ADDR_BITS": found["peripheral_0_awaddr"][1],
        "XSTOP_OTHER_PORTS": connections(found, table),
    }
    return {
        "xstop_ports.svh": LICENCE + "".join(f"`define {name} {value}\n" for name, value in ports.items()),
        "nhg_probes.svh": LICENCE + f"`define NHG_PROBE_COUNT 1\n`define NHG_PROBE_NAMES {probes.name_words(['memory_bursts'])}\n"
        f"`define NHG_COUNTER_NAMES {probes.name_words(counters)}\n",
    }


def isa(texts: list[str], otherwise: str) -> tuple[str, bool]:
    """(ISA string, has S mode) from what CSR misa is reset to; `otherwise`, with S mode, when the files do not say one value."""
    values = {int(word.replace("_", ""), 16) for text in texts for word in re.findall(r"\bmisa\w*\s*<=\s*64'h([0-9a-fA-F_]+)", text)}
    if len(values) != 1:
        return otherwise, True
    (misa,) = values
    letters = {chr(ord("a") + bit) for bit in range(26) if misa >> bit & 1}
    return "rv64" + "".join(letter for letter in MISA_LETTERS if letter in letters) + "_zicsr_zifencei", "s" in letters


def device_tree(texts: list[str], found: dict[str, tuple[str, int]], table: dict) -> str:
    platform = tomllib.loads((HERE.parents[1] / "tools" / "platform" / "platform.toml").read_text())
    entry = table["device_tree"]
    string, supervisor = isa(texts, entry["isa"])
    harts = sum(re.fullmatch(r"io_riscv_halt_\d+", name) is not None for name in found)
    return tree.device_tree(
        platform,
        tree.Core(
            name="XSTop",
            compatible=entry["compatible"],
            isa=string,
            harts=max(harts, 1),
            mmu="sv39" if supervisor else "",
            clint=tuple(entry["clint"]),
            plic=tuple(entry["plic"]),
            plic_sources=entry["plic_sources"],
            uart_source=entry["uart_source"],
        ),
    )


def core_files(out: Path, files: list[Path], texts: list[str]) -> dict[str, str]:
    """core_files.txt and the files that replace the user's, by name."""
    if not any(latches.uses_clock_gate(text) for text in texts):
        return {"core_files.txt": "".join(f"{file.resolve()}\n" for file in files)}
    written = {"clock_gate.v": latches.replacement(texts)}
    listed = [out / "clock_gate.v"]
    for number, (file, text) in enumerate(zip(files, texts, strict=True)):
        stripped = latches.without_clock_gate(text)
        if stripped == text:
            listed.append(file)
        elif latches.has_module(stripped):
            name = f"core_{number}_{file.name}"
            written[name] = stripped
            listed.append(out / name)
    return written | {"core_files.txt": "".join(f"{file.resolve()}\n" for file in listed)}


def read(file: Path) -> str:
    try:
        return file.read_text(errors="replace")
    except OSError as error:
        raise DoesNotFitError(f"{file}: {error.strerror}") from None


def check(files: list[Path], out: Path) -> dict[str, str]:
    table = tomllib.loads((HERE / "ports.toml").read_text())
    texts = [read(file) for file in files]
    for file, text in zip(files, texts, strict=True):
        try:
            found = probes.module_ports(text, "XSTop")
        except ValueError as error:
            raise DoesNotFitError(f"{file}: {error}") from None
        if found is not None:
            break
    else:
        raise DoesNotFitError(f"no module XSTop with a port list in {', '.join(map(str, files))}")
    if wrong := problems(found, table):
        if any(re.fullmatch(r"\w+_0_a[rw]_bits_\w+", name) for name in found):
            wrong.insert(0, "its names still have _bits_, which the branch's `make verilog` drops")
        more = f"; and {len(wrong) - NAMED_MOST} more" if len(wrong) > NAMED_MOST else ""
        raise DoesNotFitError(f"{file}: XSTop does not fit the shell: {'; '.join(wrong[:NAMED_MOST])}{more} (fpga-vcu128/xstop/ports.toml)")
    if wrong := [problem for file, text in zip(files, texts, strict=True) for problem in latches.problems(file.name, text)]:
        raise DoesNotFitError(
            f"{'; '.join(wrong[:NAMED_MOST])}: an FPGA has no latches in its clock network; use the generator's "
            f"{latches.CLOCK_GATE}, which is replaced, or leave clock gates out"
        )
    try:
        return tables(found, table) | {"xstop.dts": device_tree(texts, found, table)} | core_files(out, files, texts)
    except ValueError as error:
        raise DoesNotFitError(str(error)) from None


def main() -> int:
    if len(sys.argv) < 3:
        print(f"usage: {sys.argv[0]} OUT_DIR FILE [FILE ...]", file=sys.stderr)
        return 2
    out = Path(sys.argv[1])
    try:
        written = check([Path(word) for word in sys.argv[2:]], out)
    except DoesNotFitError as error:
        print(f"core: {error}", file=sys.stderr)
        return DOES_NOT_FIT
    out.mkdir(parents=True, exist_ok=True)
    for name, text in written.items():
        (out / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
