# SPDX-License-Identifier: Apache-2.0
"""Tests of the compiler plugin: .toolchain/venv/bin/lit software/compiler/test

diag/  what the user is told; ir/  the shape of the generated code; refused/  loops left alone, compared with the plugin off;
remedies/  what refusals propose, and that it helps;
opt/  the passes one by one, on IR;
driver/  coroamu-cc, coroamu-c++ and the CMake package;
structure/  the includes of the sources;
check/  the checker of promises: loops that break them, and loops that do not;
fuzz/  reduced findings of the fuzzer, in every configuration, against the plain loop;
kernels/  as exec/, in the form public code has them; measure.py says how fast they are; handed_over/, many/, nas_is/, warm/ and those
  in outside/ are benchmarks for make run, tested in tools/nhg/workloads;
elsewhere/  some of these in a copy of the checkout whose path has the words that they refuse to find;
exec/  every program, serial and transformed, on x86-64 and on the golden model, must print the same.
Needs: make -C software/compiler, -C software/runtime, -C sim/golden.
"""

import os
import shutil
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
root = here.parents[2]
sys.path.append(str(here))
from relative import Relative  # noqa: E402

toolchain = Path(os.environ.get("NHG_TOOLCHAIN", root / ".toolchain"))
build = root / "build"

config.name = "asyncmem"
config.test_format = Relative(execute_external=False)
config.suffixes = [".c", ".cpp", ".ll"]
config.excludes = ["handed_over", "many", "nas_is", "outside", "warm"]
config.test_source_root = str(here)
config.test_exec_root = str(build / "compiler" / "test")
config.environment["NHG_TOOLCHAIN"] = str(toolchain)
config.environment["NHG_TEST_LENGTH"] = os.environ.get("NHG_TEST_LENGTH", "1")

required = [build / "compiler/asyncmem.so", build / "compiler/asyncmem-opt.so", build / "runtime/x86/libnhg.a", build / "golden/nhg-iss"]
for path in required:
    if not path.exists():
        lit_config.fatal(f"{path.relative_to(root)} is missing: run make -C software/compiler, -C software/runtime, -C sim/golden")

cmake = shutil.which("cmake", path=f"{toolchain}/venv/bin{os.pathsep}{os.environ['PATH']}")
if cmake:
    config.available_features.add("cmake")

if shutil.which("gdb"):
    config.available_features.add("gdb")

# Nothing of where the checkout lies in what is compiled.
here_only = "-fdebug-compilation-dir=. -gno-record-command-line"
includes = f"-I{root}/software/runtime/include -I{build}/gen"
riscv = f"@{build}/gen/riscv.flags"
link = (
    f"{toolchain}/bin/clang {riscv} -nostdlib -static -fuse-ld={toolchain}/bin/ld.lld -Wl,--gc-sections -L{build}/gen "
    f"-T {root}/software/runtime/riscv/program.ld {build}/runtime/riscv/crt0.o -L{toolchain}/riscv/lib "
    f"-Wl,--start-group {build}/runtime/riscv/libnhg.a -lc -lgcc -Wl,--end-group"
)
config.substitutions += [
    ("%plugin", f"-fplugin={build}/compiler/asyncmem.so {includes}"),
    ("%opt", f"{toolchain}/bin/opt -load-pass-plugin={build}/compiler/asyncmem-opt.so"),
    ("%riscv", f"{riscv} -isystem {toolchain}/riscv/include"),
    ("%link_riscv", link),
    ("%iss", f"{build}/golden/nhg-iss"),
    ("%includes", includes),
    ("%runtime", f"{build}/runtime/x86/libnhg.a"),
    ("%sched=", "-fplugin-arg-asyncmem-sched="),
    ("%near=", "-fplugin-arg-asyncmem-near="),
    ("%fuzz_check", f"env PYTHONPATH={here.parent} {sys.executable} -m fuzz check"),
    ("%coroamu_cc", f"{here.parent}/driver/coroamu-cc"),
    ("%coroamu_objdump", f"{here.parent}/driver/coroamu-objdump"),
    ("%bench", f"{root}/software/bench"),
    ("%coroamu_cxx", f"{here.parent}/driver/coroamu-c++"),
    ("%compiler", str(here.parent)),
    ("%cc_path", f"{toolchain}/bin/clang"),
    ("%nhg_iss", f"{build}/golden/nhg-iss"),
    ("%cmake", cmake or ""),
    ("%same_as_off", f"{sys.executable} {here}/same_as_off.py"),
    ("%check_promises", f"{sys.executable} {here}/check_promises.py"),
    ("%check_remedies", f"{sys.executable} {here}/remedies/check_remedies.py"),
    ("%check_speed", f"{sys.executable} {here}/check_speed.py"),
    ("%same_results", f"{sys.executable} {here}/same_results.py"),
    ("%clangxx", f"{toolchain}/bin/clang++ {here_only}"),
    ("%clang", f"{toolchain}/bin/clang {here_only}"),
    ("FileCheck", f"{toolchain}/bin/FileCheck"),
    ("llvm-objdump", f"{toolchain}/bin/llvm-objdump"),
    (r"\bnot\b", f"{toolchain}/bin/not"),
]
