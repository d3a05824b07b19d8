# SPDX-License-Identifier: Apache-2.0
"""Compiles one program serially and with every scheduler, runs all of them, compares what they print.

usage: same_results.py SOURCE OUTPUT_DIRECTORY
x86-64 runs natively; riscv64 runs on the golden model, which completes AMU requests in an order drawn from a seed and
poisons the slots until then. Task counts 1, 7 and 64 override the pragma. With adapt=1 the forms of a loop change all the
time. Half of the ways are the campaign's (`make test LENGTH=n`). Every loop must really be split: a warning that one stays
serial fails the test, unless the source contains the word MAY_STAY_SERIAL.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOOLCHAIN = Path(os.environ.get("NHG_TOOLCHAIN", ROOT / ".toolchain"))
BUILD = ROOT / "build"
TIMEOUT_SECONDS = 120

RISCV = [f"@{BUILD}/gen/riscv.flags"]
INCLUDES = [f"-I{ROOT}/software/runtime/include", f"-I{BUILD}/gen"]


def call(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    if done.returncode:
        sys.exit(f"exit code {done.returncode}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_program(source: Path, output: Path, riscv: bool, options: list[str], optimize: str) -> None:
    cpp = source.suffix == ".cpp"
    command = [str(TOOLCHAIN / "bin" / ("clang++" if cpp else "clang")), optimize, *INCLUDES, *options]
    command += ["-fno-exceptions", "-fno-rtti", "-std=c++20"] if cpp else []
    command += ["-Werror=pass-failed"] if "MAY_STAY_SERIAL" not in source.read_text() else []
    if riscv:
        command += [*RISCV, "-isystem", f"{TOOLCHAIN}/riscv/include", "-c", str(source), "-o", f"{output}.o"]
        call(command)
        call(
            [
                str(TOOLCHAIN / "bin/clang"),
                *RISCV,
                "-nostdlib",
                "-static",
                f"-fuse-ld={TOOLCHAIN}/bin/ld.lld",
                "-Wl,--gc-sections",
                f"-L{BUILD}/gen",
                "-T",
                f"{ROOT}/software/runtime/riscv/program.ld",
                f"{BUILD}/runtime/riscv/crt0.o",
                f"{output}.o",
                f"{BUILD}/runtime/riscv/libnhg.a",
                f"-L{TOOLCHAIN}/riscv/lib",
                "-lc",
                "-lgcc",
                "-o",
                str(output),
            ]
        )
        return
    call([*command, str(source), f"{BUILD}/runtime/x86/libnhg.a", "-o", str(output)])


def plugin(scheduler: str, tasks: int, options: tuple[str, ...]) -> list[str]:
    names = [f"sched={scheduler}", f"tasks={tasks}", *options]
    return [f"-fplugin={BUILD}/compiler/asyncmem.so", *(f"-fplugin-arg-asyncmem-{name}" for name in names)]


def main() -> None:
    source, directory = Path(sys.argv[1]), Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    serial = directory / "serial"
    compile_program(source, serial, False, ["-Wno-unknown-pragmas"], "-O2")
    expected = call([str(serial)])
    if not expected.strip():
        sys.exit("the serial program prints nothing to compare")

    cases = [
        ("x86", "static", 7, "-O3", "adapt=off"),
        ("x86", "static", 64, "-O1", "adapt=off", "near=none"),
        ("x86", "static", 3, "-O2", "adapt=1", "near=none"),
        ("x86", "static", 16, "-O2"),
        ("riscv", "static", 7, "-O2", "near=streams"),
        ("riscv", "getfin", 7, "-O2", "frames=fresh"),
        ("riscv", "bafin", 1, "-O2"),
        ("riscv", "bafin", 64, "-O2"),
        ("riscv", "bafin", 7, "-O2", "coalesce=none", "context=basic"),
        ("riscv", "bafin", 3, "-O2", "adapt=1"),
        ("riscv", "getfin", 64, "-O2", "live=adapt"),
    ]
    campaign = [
        ("x86", "static", 1, "-O2", "adapt=off", "near=none"),
        ("x86", "static", 33, "-O2", "adapt=off", "near=streams"),
        ("x86", "static", 5, "-O2", "adapt=off", "coalesce=none", "near=none", "context=basic", "frames=fresh"),
        ("x86", "static", 16, "-O1", "adapt=1000"),
        ("riscv", "static", 1, "-O2", "near=none"),
        ("riscv", "static", 64, "-O2", "near=none"),
        ("riscv", "getfin", 1, "-O2"),
        ("riscv", "getfin", 64, "-O2"),
        ("riscv", "bafin", 7, "-O2"),
        ("riscv", "bafin", 64, "-O2", "coalesce=fields"),
        ("riscv", "getfin", 7, "-O2", "coalesce=sets"),
        ("riscv", "bafin", 96, "-O2", "coalesce=blocks"),
        ("riscv", "getfin", 7, "-O2", "adapt=300"),
        ("riscv", "bafin", 20, "-O2", "live=adapt"),
    ]
    cases += campaign if int(os.environ.get("NHG_TEST_LENGTH", "1")) > 1 else []
    for target, scheduler, tasks, optimize, *options in cases:
        program = directory / "-".join((target, scheduler, str(tasks), *options))
        riscv = target == "riscv"
        compile_program(source, program, riscv, plugin(scheduler, tasks, tuple(options)), optimize)
        run = [str(program)]
        if riscv:
            run = [str(BUILD / "golden/nhg-iss"), "--elf", str(program), "--adversarial", str(tasks)]
        printed = call(run)
        if printed != expected:
            sys.exit(f"{program.name} {optimize} prints\n{printed}\ninstead of\n{expected}")


if __name__ == "__main__":
    main()
