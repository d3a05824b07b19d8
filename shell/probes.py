# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of probe ports and of the commit trace from the core's port list.

usage: probes.py NhgSoc.sv OUT_DIR

Every 64-bit output `probe_<name>` of module NhgSoc becomes one entry:
nhg_probes.svh   NHG_PROBE_COUNT, NHG_PROBE_PORTS (the connections of the core's instance), NHG_PROBE_NAMES and
                 NHG_COUNTER_NAMES (the board's counters before the probes): 32 bytes each, the first one lowest
                 Beside them, of the commit trace: NHG_COMMIT_WIDTH, its records a cycle; NHG_COMMIT_PORTS, which connects every
                 port commit_<i>_<fieldName> to commit_field_name[i], and privileged_mode, _time, _sleeps and _csrs_<i> likewise;
                 NHG_RETIRED_PORTS, which connects valid and trap alone
nhg_probes.inc   the names as C++ string literals, in the same order
nhg_counters.inc likewise of all counters of a result, simulated or of the board: the probes come last
A probe of another width, a commit trace with a gap or a file without NhgSoc is an error (exit 1, one line).
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

PLATFORM = Path(__file__).resolve().parents[1] / "tools/platform"
sys.path.append(str(PLATFORM))
import description  # noqa: E402

LICENCE = "SPDX-License-Identifier: Apache-2.0"
NAME_BYTES = 32
HEADER_CHARACTERS_MAX = 200_000
COMMIT_PORT = re.compile(r"commit_(\d+)_(\w+)")
PRIVILEGED_PORT = re.compile(r"(privileged_(?:mode|csrs|time|sleeps))(?:_(\d+))?")
PORT = re.compile(r"(?:(input|output)\s+)?(?:(?:logic|wire|reg)\s+)?(?:\[\s*(\d+)\s*:\s*(\d+)\s*\]\s*)?(\w+)$")


def module_ports(source: str, module: str) -> dict[str, tuple[str, int]] | None:
    """Ports of a module in their order, as name -> (direction, bits), from its ANSI header; None if it is not there."""
    start = re.search(rf"^\s*module\s+{module}\s*\(", source, flags=re.M)
    if start is None:
        return None
    header = re.sub(r"//[^\n]*|/\*.*?\*/", "", source[start.end() : start.end() + HEADER_CHARACTERS_MAX], flags=re.S).partition(";")[0]
    ports: dict[str, tuple[str, int]] = {}
    direction, bits = "", 1
    for text in header.rstrip().removesuffix(")").split(","):
        port = PORT.match(text.strip())
        if port is None:
            raise ValueError(f"cannot read port '{text.strip()}'")
        if port.group(1):
            direction, bits = port.group(1), 1
        if port.group(2):
            bits = int(port.group(2)) - int(port.group(3)) + 1
        ports[port.group(4)] = direction, bits
    return ports


def core_ports(source: str) -> dict[str, tuple[str, int]]:
    """Ports of the core."""
    ports = module_ports(source, "NhgSoc")
    if ports is None:
        raise ValueError("no module NhgSoc with a port list")
    return ports


def commit_table(source: str) -> str:
    """The macros of the commit trace."""
    found = [match for match in map(COMMIT_PORT.fullmatch, core_ports(source)) if match]
    width = len({match.group(1) for match in found})
    fields = sorted({match.group(2) for match in found})
    if not width or {(int(match.group(1)), match.group(2)) for match in found} != {(i, field) for i in range(width) for field in fields}:
        raise ValueError("the ports of the commit trace, commit_<i>_<field>, are not the same fields for each i from 0 on")

    def connections(wires: dict[str, str]) -> str:
        return " ".join(f".commit_{i}_{field}({wires[field] + f'[{i}]' if field in wires else ''})," for i in range(width) for field in fields)

    privileged = [(match[0], match[1] + (f"[{match[2]}]" if match[2] else "")) for match in map(PRIVILEGED_PORT.fullmatch, core_ports(source)) if match]
    connected, open_ports = ("".join(f" .{port}({wire if here else ''})," for port, wire in privileged) for here in (True, False))
    snake = {field: "commit_" + re.sub("(?=[A-Z])", "_", field).lower() for field in fields}
    return (
        f"`define NHG_COMMIT_WIDTH {width}\n`define NHG_COMMIT_PORTS {connections(snake)}{connected}\n"
        f"`define NHG_RETIRED_PORTS {connections({field: snake[field] for field in ('valid', 'trap')})}{open_ports}\n"
    )


def probe_names(source: str) -> list[str]:
    """Names of the probe ports, without `probe_`, in port order."""
    ports = core_ports(source)
    probes = {name: port for name, port in ports.items() if name.startswith("probe_")}
    for name, port in probes.items():
        if port != ("output", 64):
            raise ValueError(f"{name} is not a 64-bit output")
    return [name.removeprefix("probe_") for name in probes]


def board_counters() -> list[str]:
    """The counters that are not the core's probes, in the order of a bank."""
    platform = description.load(PLATFORM / "platform.toml")
    return ["cycles", "instret", *(f"far_{name}" for name in description.far_counters(platform))]


def name_words(names: Sequence[str]) -> str:
    """SystemVerilog concatenation of the padded names, first name and first character lowest."""
    for name in names:
        if len(name) >= NAME_BYTES:
            raise ValueError(f"the name {name} has more than {NAME_BYTES - 1} characters")
    values = [int.from_bytes(name.encode().ljust(NAME_BYTES, b"\0"), "little") for name in names]
    return "{" + ", ".join(f"256'h{value:x}" for value in reversed(values)) + "}"


def literals(names: Sequence[str]) -> str:
    """C++ string literals, one a line."""
    return f"// {LICENCE}\n" + "".join(f'"{name}",\n' for name in names)


def main() -> int:
    if len(sys.argv) != 3:
        print(f"usage: {sys.argv[0]} NhgSoc.sv OUT_DIR", file=sys.stderr)
        return 1
    source, out_dir = Path(sys.argv[1]), Path(sys.argv[2])
    try:
        text = source.read_text()
        names, commit = probe_names(text), commit_table(text)
        tables = f"`define NHG_PROBE_NAMES {name_words(names or [''])}\n`define NHG_COUNTER_NAMES {name_words(board_counters())}\n"
    except (OSError, ValueError) as error:
        print(f"probes.py: {source}: {error}; generate the core's Verilog again", file=sys.stderr)
        return 1
    ports = " ".join(f".probe_{name}(probes[{i}])," for i, name in enumerate(names))
    outputs = {
        "nhg_probes.svh": f"// {LICENCE}\n`define NHG_PROBE_COUNT {max(len(names), 1)}\n`define NHG_PROBE_PORTS {ports}\n" + tables + commit,
        "nhg_probes.inc": literals(names),
        "nhg_counters.inc": literals([*board_counters(), *names]),
    }
    out_dir.mkdir(parents=True, exist_ok=True)
    for name, text in outputs.items():
        path = out_dir / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
