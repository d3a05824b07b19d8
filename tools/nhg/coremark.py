# SPDX-License-Identifier: Apache-2.0
"""`make coremark`: EEMBC's CoreMark on the RTL simulator (software/coremark), its answers checked by itself."""

from nhg import paths
from nhg.build import build_models, make, page_bits
from nhg.elf import Ended, run_elf
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.progress import step

# What CoreMark prints when every CRC was right.
VALIDATED = "Correct operation validated"
# More than any core here needs for one iteration.
CYCLES_PER_ITERATION = 1_000_000


def measure(iterations: int, pages: str = "") -> str:
    """Run it and return the line with its score. Raises when an answer was wrong."""
    build_models("elf", with_plugin=False)
    bits = page_bits(pages)
    make(["-C", str(paths.ROOT / "software/coremark"), f"ITERATIONS={iterations}", f"PAGE_BITS={bits}"], "building CoreMark")
    setting = Setting(latency_ns=100, bandwidth_gbps=None, max_cycles=(iterations + 2) * CYCLES_PER_ITERATION)
    with step(f"CoreMark on RTL, {iterations} iterations", 6.0 * iterations):
        return summary(run_elf(paths.BUILD / f"coremark/coremark{bits and f'-{bits}'}.elf", setting, show_console=False), iterations)


def summary(ended: Ended, iterations: int) -> str:
    """Score and rates of the timed part."""
    if ended.exit_code or VALIDATED not in ended.console:
        said = [line for line in ended.console.splitlines() if "ERROR" in line] or ended.console.splitlines()[-1:]
        raise NhgError(f"CoreMark's answers are wrong (exit code {ended.exit_code}): {' '.join(said)}; make test SUITE=rtl-lockstep compares the core")
    cycles, instructions = ended.result.cycles, ended.result.instret or 0
    mispredicts = ended.result.probes["branch_mispredicts"]
    return (
        f"CoreMark {iterations * 1e6 / cycles:.3f} /MHz ({iterations} iterations, {cycles:,} cycles), IPC {instructions / cycles:.3f}, "
        f"{1000 * mispredicts / instructions:.2f} mispredictions in 1,000 instructions; answers right"
    )
