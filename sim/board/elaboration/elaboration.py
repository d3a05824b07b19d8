# SPDX-License-Identifier: Apache-2.0
"""All SystemVerilog through a second front end, slang, which is stricter than Verilator about the language.

elaborated(design, build) elaborates one of `designs(build)`; errors(...) are its errors, one line each.
hidden_reads(...) returns one line for each continuous assignment (`assign`, `wire x = `, a port's connection) that calls a function which reads
signals of the module itself. Simulators with events evaluate such an assignment only when what stands in it changes, and those signals do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyslang
from pyslang import ast, driver

ROOT = Path(__file__).resolve().parents[3]
GENERATOR = ROOT / "sim/harness/test/NhgSoc.sv"
MAY_STAND_OPEN = ["-Wno-unconnected-port"]
REFUSED = (pyslang.DiagnosticSeverity.Error, pyslang.DiagnosticSeverity.Fatal)


@dataclass(frozen=True)
class Design:
    top: str
    files: tuple[Path, ...]
    defines: tuple[str, ...] = ()
    include: tuple[Path, ...] = ()


def _in(folder: str) -> tuple[Path, ...]:
    return tuple(sorted((ROOT / folder).glob("*.sv")))


def designs(build: Path, generator_probes: Path, xstop: Path) -> dict[str, Design]:
    """Every top of the repository by a name, with the traffic generator where the core is.

    `generator_probes`: the folder with the generator's counters (shell/probes.py); `xstop`: the design folder of a user's core (xstop/ports.py).
    """
    rtl = tuple(file for file in _in("fpga-vcu128/rtl") if file.name != "soc_nhg.sv")
    own_core = ROOT / "fpga-vcu128/rtl/soc_nhg.sv"
    delayer, generator = _in("delayer-ip/rtl"), GENERATOR
    shell = (build / "gen/platform_pkg.sv", *_in("shell/rtl"), *delayer)
    simulated = (ROOT / "delayer-ip/tb/axi4_checker.sv", *(ROOT / f"sim/rtl/{name}.sv" for name in ("sim_dpi", "behavioural_memory", "uart_16550")))
    board = (*shell, *rtl, *simulated, *_in("sim/board"), *_in("sim/board/models"))
    found = {
        f"board {' '.join(defines)}": Design("vcu128_bench", (*board, own_core, generator), defines) for defines in (("NHG_XDMA",), ("NHG_XDMA", "NHG_DDR4"))
    }
    found["flow"] = Design("vcu128_top", (*shell, *rtl, own_core, generator, *_in("fpga-vcu128/blackbox")), ("NHG_XDMA", "NHG_DDR4", "SYNTHESIS"))
    found["user's core"] = Design(
        "vcu128_top", (*shell, *rtl, *_in("fpga-vcu128/xstop"), ROOT / "fpga-vcu128/test/xstop/XSTop.v", *_in("fpga-vcu128/blackbox")), ("NHG_XDMA",), (xstop,)
    )
    found["simulator"] = Design("sim_top", (*shell, *simulated, ROOT / "sim/rtl/sim_top.sv", generator))
    found["UART's bench"] = Design("uart_16550_tb", (*shell, ROOT / "sim/rtl/uart_16550.sv", ROOT / "sim/harness/test/uart_16550_tb.sv"))
    found["delayer's bench"] = Design("tb_delayer", (*shell, *_in("delayer-ip/tb")))
    found["delayer as IP"] = Design("far_memory_delayer_ip", (*shell, ROOT / "delayer-ip/rtl/far_memory_delayer_ip.v"))
    found["latency bench"] = Design("latency_bench", (*board, ROOT / "sim/board/latency/latency_bench.sv", own_core, generator))
    helpers = tuple(ROOT / "fpga-vcu128/test/rtl" / name for name in ("dma_driver.sv", "memory64.sv"))
    for bench in sorted((ROOT / "fpga-vcu128/test").glob("*/*_tb.sv")):
        core = (ROOT / "fpga-vcu128/test/xstop/XSTop.v", *_in("fpga-vcu128/xstop")) if bench.parent.name == "xstop" else (own_core, generator)
        found[bench.stem] = Design(bench.stem, (*shell, *rtl, *core, *helpers, bench), (), (xstop,) if bench.parent.name == "xstop" else ())
    return {name: design if design.include else replace(design, include=(generator_probes,)) for name, design in found.items()}


def elaborated(design: Design, build: Path) -> tuple[driver.Driver, ast.Compilation]:
    first = [file for name in ("platform_pkg", "bus_types", "board_types", "host_dpi", "hbm_dpi", "sim_dpi") for file in design.files if file.stem == name]
    files = [*first, *(file for file in design.files if file not in first)]
    arguments = ["slang", "--top", design.top, *MAY_STAND_OPEN, "--timescale", "1ns/1ps"]
    arguments += [f"-I{folder}" for folder in (*design.include, build / "fpga", ROOT / "shell/rtl")]
    arguments += [f"-D{name}" for name in design.defines] + [str(file) for file in files]
    slang = driver.Driver()
    slang.addStandardArgs()
    if not slang.parseCommandLine(" ".join(arguments)) or not slang.processOptions() or not slang.parseAllSources():
        raise ValueError(f"slang does not take {' '.join(arguments)}")
    return slang, slang.createCompilation()


def errors(slang: driver.Driver, compilation: ast.Compilation) -> list[str]:
    engine = slang.diagEngine
    return [
        f"{_place(slang, found.location)}: {engine.formatMessage(found)}"
        for found in compilation.getAllDiagnostics()
        if engine.getSeverity(found.code, found.location) in REFUSED
    ]


def _place(slang: driver.Driver, location: pyslang.SourceLocation) -> str:
    return f"{Path(slang.sourceManager.getFileName(location)).name}:{slang.sourceManager.getLineNumber(location)}"


def _inside(symbol: ast.Symbol, subroutine: ast.SubroutineSymbol) -> bool:
    scope = symbol.parentScope
    while scope is not None:
        if scope == subroutine:
            return True
        scope = scope.parentScope if isinstance(scope, ast.Symbol) else None
    return False


def _calls(node) -> list[ast.SubroutineSymbol]:
    found = []

    def visit(each) -> None:
        if isinstance(each, ast.CallExpression) and isinstance(each.subroutine, ast.SubroutineSymbol):
            found.append(each.subroutine)

    node.visit(visit)
    return found


def _reads(subroutine: ast.SubroutineSymbol, seen: set[str]) -> set[str]:
    """Names of the signals outside of it that a function reads, itself or through another one."""
    if subroutine.hierarchicalPath in seen:
        return set()
    seen.add(subroutine.hierarchicalPath)
    found = set()

    def visit(each) -> None:
        if isinstance(each, ast.NamedValueExpression | ast.HierarchicalValueExpression):
            symbol = each.symbol
            if symbol.kind in (ast.SymbolKind.Variable, ast.SymbolKind.Net) and not _inside(symbol, subroutine):
                found.add(symbol.name)

    subroutine.body.visit(visit)
    for called in _calls(subroutine.body):
        found |= _reads(called, seen)
    return found


def _assignments(compilation: ast.Compilation) -> Iterator[tuple[pyslang.SourceLocation, ast.Expression]]:
    found = []

    def visit(symbol) -> None:
        if isinstance(symbol, ast.ContinuousAssignSymbol):
            found.append((symbol.location, symbol.assignment))
        elif isinstance(symbol, ast.NetSymbol) and symbol.initializer is not None:
            found.append((symbol.location, symbol.initializer))
        elif isinstance(symbol, ast.InstanceSymbol):
            found.extend((symbol.location, port.expression) for port in symbol.portConnections if port.expression is not None)

    compilation.getRoot().visit(visit)
    yield from found


def hidden_reads(slang: driver.Driver, compilation: ast.Compilation) -> list[str]:
    found = set()
    for location, expression in _assignments(compilation):
        for called in _calls(expression):
            if reads := _reads(called, set()):
                found.add(f"{_place(slang, location)}: {called.name}() reads {', '.join(sorted(reads))}, which are not among its arguments: add them")
    return sorted(found)
