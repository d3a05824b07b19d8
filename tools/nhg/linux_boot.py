# SPDX-License-Identifier: Apache-2.0
"""`make boot OS=linux`: Linux from reset to the shell and to power-off, on the golden model in one piece, on RTL in lock-step by segments.

A segment ends behind some instructions: memory is compared, and the golden model that has followed the core is written as a checkpoint, which is the start of
the next one. So what is interrupted goes on with the segment that it was in. Segments, their consoles and the log lie in a folder of this image, core and
golden model.
"""

import tempfile
from pathlib import Path

from nhg import linux, measure, paths, result
from nhg.build import build_models, design_of, sha256_of
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.programs import execute
from nhg.progress import step

COMMAND = "uname -srm; cat /sys/devices/system/node/has_memory"
# On the golden model when Linux waits at its prompt: a machine that is idle passes to the next input.
AT_PROMPT_CYCLE = 600_000_000
# On RTL from the segment on that begins behind this line: the console is open then, and keeps what is typed.
CONSOLE_IS_OPEN = "Run /init as init process"
SEGMENT_INSTRUCTIONS = 5_000_000
WATCHDOG_CYCLES = 10_000_000  # an idle kernel sleeps for long


def typed(command: str, cycle: int, file: Path) -> Path:
    """Input of the UART: the command, and the end of the shell, which is the end of the machine."""
    lines = (command.replace("\\", "\\\\"), "exit")
    file.write_text("".join(f"{cycle} {line}\\n\n" for line in lines))
    return file


def on_golden_model(command: str) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        keys, file = typed(command, AT_PROMPT_CYCLE, Path(scratch) / "typed"), Path(scratch) / "result.json"
        outcome = execute(
            [paths.ISS, "--elf", linux.IMAGE, "--uart-input", keys, "--max-insns", str(measure.INSTRUCTIONS_MAX), "--result", file],
            what="Linux on the golden model",
            show_output=True,
        )
        if outcome.code or not file.exists():
            raise NhgError(f"Linux on the golden model ended with exit code {outcome.code}: {outcome.cause()}")
        return f"boot: instructions: {measure.read_json('boot', file)['instret']:,}"


def folder() -> Path:
    """Of the boot on this core: the same image, simulator and golden model go on in it."""
    models = "-".join(design_of(model)[:8] for model in (paths.SIMULATOR, paths.ISS))
    place = paths.BUILD / "linux" / f"boot-{sha256_of(linux.IMAGE)[:16]}-{models}"
    place.mkdir(parents=True, exist_ok=True)
    return place


def state(place: Path, segment: int) -> Path:
    """What a segment begins from; the first one is 0."""
    return place / f"segment-{segment:03}.bin" if segment else linux.IMAGE


def console(place: Path, segment: int) -> str:
    """What was printed before a segment."""
    return "".join((place / f"console-{before:03}.txt").read_text() for before in range(segment))


def run_segment(place: Path, segment: int, command: str, setting: Setting, instructions: int) -> bool:
    """Run one segment in lock-step; true when it ended the machine."""
    end, written = state(place, segment + 1).with_suffix(".new"), place / "result.json"
    end.unlink(missing_ok=True)
    keys: list[str | Path] = ["--uart-input", typed(command, 0, place / "typed")] if CONSOLE_IS_OPEN in console(place, segment) else []
    with step(f"Linux on RTL, segment {segment}", instructions=instructions):
        outcome = execute(
            [
                paths.SIMULATOR,
                "--checkpoint",
                state(place, segment),
                "--stop-after",
                str(instructions),
                "--final",
                end,
                "--result",
                written,
                "--watchdog-cycles",
                str(WATCHDOG_CYCLES),
                *setting.far_memory.simulator_options,
                *setting.lockstep_options,
                *keys,
            ],
            what=f"Linux on RTL, segment {segment}",
            show=measure.PROGRESS,
        )
    if outcome.code:
        raise NhgError(f"Linux on RTL, segment {segment}: {measure.simulator_cause(outcome)}; {measure.advice(outcome.code, setting)}")
    print(outcome.stdout, end="", flush=True)
    counted = result.compute(result.read("boot", written))
    (place / f"console-{segment:03}.txt").write_text(outcome.stdout)
    with (place / "log").open("a") as log:
        log.write(f"segment {segment}: {counted.total_instret:,} instructions, {counted.total_cycles:,} cycles, {counted.host_seconds:.0f} s\n")
    if end.exists():
        end.rename(state(place, segment + 1))
    return not state(place, segment + 1).exists()


def on_rtl(command: str, setting: Setting, most: int | None, instructions: int = SEGMENT_INSTRUCTIONS) -> str:
    """Go on where the last segment ended, for so many segments at most, or to the machine's end."""
    place = folder()
    done = next(segment for segment in range(10_000) if not (place / f"console-{segment:03}.txt").exists())
    ended = done > 0 and not state(place, done).exists()
    while not ended and most != 0:
        ended = run_segment(place, done, command, setting, instructions)
        done, most = done + 1, None if most is None else most - 1
    log = (place / "log").read_text().strip() if done else ""
    return f"{log}\nboot: {'to power-off' if ended else 'not yet at its end; the same command goes on'}, in {done} segments: {place}"


def boot(target: str, command: str, setting: Setting, most: int | None) -> str:
    """The console on stdout; the report."""
    if target not in ("sim", "iss"):
        raise NhgError(f"TARGET={target}: give sim (RTL) or iss (golden model)")
    if target == "sim" and not setting.lockstep:
        raise NhgError("LOCKSTEP=0: a segment of Linux's boot begins from the golden model that has followed the one before; leave it out")
    build_models(target, with_plugin=False)
    linux.build()
    return on_rtl(command or COMMAND, setting, most) if target == "sim" else on_golden_model(command or COMMAND)
