# SPDX-License-Identifier: Apache-2.0
"""Every workload, its loops split into tasks, under the address and the undefined behaviour sanitizer (x86-64, tiny).

Always as tasks, and with forms that change all the time (adapt=1). With the address sanitizer the same loops must be split as without it.
The checks of the undefined behaviour sanitizer are branches in the loop, so most loops stay serial there; the fuzzer has
the ones that do not. Needs PYTHONPATH=tools:software/compiler.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
from driver.commands import BUILD, PLUGIN, ROOT, TOOLCHAIN, compile_flags, parse

from nhg import benchmark
from nhg.build import build_models

SECONDS = 120
SPLIT = re.compile(r"remark: loop split into tasks")
REMOTE_HEAP = ROOT / "software/compiler/fuzz/heap.c"


def call(command: list[str], **environment: str) -> str:
    """Standard error of a command that must end well."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, env={**os.environ, **environment})
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stderr


def compile_unit(source: Path, output: Path, flags: list[str]) -> int:
    """\\returns how many loops were split."""
    request = parse([str(source)])
    cpp = source.suffix == ".cpp"
    said = call(
        [
            str(TOOLCHAIN / "bin" / ("clang++" if cpp else "clang")),
            *compile_flags(request, cpp),
            "-O2",
            "-g1",
            *flags,
            "-fplugin-arg-asyncmem-near=none",
            "-Rpass=asyncmem",
            f"-I{source.parent}",
            f"-I{ROOT}/software/bench/common",
            "-c",
            str(source),
            "-o",
            str(output),
        ]
    )
    return len(SPLIT.findall(said))


@pytest.mark.parametrize("adapt", ["off", "1"])
@pytest.mark.parametrize("sanitizer", ["address", "undefined"])
@pytest.mark.parametrize("name", benchmark.available())
def test_sanitized(name: str, sanitizer: str, adapt: str, tmp_path: Path) -> None:
    build_models("x86", with_plugin=True)
    assert PLUGIN.exists()
    bench = benchmark.load(name)
    macros = {**bench.scale("tiny"), "BENCH_COROUTINES": bench.tasks("static")}
    defines = [*(f"-D{key}={value}" for key, value in macros.items()), f"-fplugin-arg-asyncmem-adapt={adapt}"]
    sources = [bench.directory / file for file in [*bench.sources.common, *bench.sources.annotated]]
    sources += [ROOT / "software/bench/common/main.c", REMOTE_HEAP]
    objects, plain, split = [], 0, 0
    for source in sources:
        output = tmp_path / f"{source.stem}.o"
        plain += compile_unit(source, output, defines)
        split += compile_unit(source, output, [*defines, f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all"])
        objects.append(str(output))
    assert plain > 0
    assert sanitizer != "address" or split == plain
    program = str(tmp_path / "program")
    # LLVM's sanitizer runtime is not part of the toolchain; gcc's has the same interface.
    call(["gcc", f"-fsanitize={sanitizer}", *objects, f"{BUILD}/runtime/x86/libnhg.a", "-lm", "-o", program])
    call([program], ASAN_OPTIONS="detect_leaks=0")
