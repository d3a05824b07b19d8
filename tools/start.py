# SPDX-License-Identifier: Apache-2.0
"""What the Makefile calls: start.py COMMAND "COMMANDS THAT MAKE WAS GIVEN" "NAMES IN THE ENVIRONMENT" NAME=value...

The options are checked before anything else is done; then the toolchain is set up, and the command goes on in its Python. Nothing of the toolchain is
needed here.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))
import environment

environment.enter("make")

import os  # noqa: E402
import signal  # noqa: E402
import subprocess  # noqa: E402

from nhg import options  # noqa: E402

ROOT = Path(environment.ROOT)
PYTHON = str(Path(os.environ["NHG_TOOLCHAIN"]) / "venv/bin/python")
SETUP = [sys.executable, str(ROOT / "tools/setup")]
BOARD = ["make", "--no-print-directory", "-C", str(ROOT / "fpga-vcu128")]
COMPILER = ROOT / "software/compiler"


def program(command: str, given: dict[str, str]) -> list[list[str]]:
    """The programs that carry a command out, one after the other."""
    option = options.filled(command, {name.lower(): value for name, value in given.items()})
    places = {name: str(Path(value).absolute()) for name, value in given.items() if name in ("CORE", "BITSTREAM") and value}
    words = [f"{name}={value}" for name, value in (given | places).items()]
    if command == "setup":
        return [[*SETUP, *option.part.split()]]
    if command == "doctor":
        return [[*SETUP, "--doctor"]]
    if command in ("bitstream", "program"):
        return [[*BOARD, command, *words]]
    if command == "bitstream-check":
        return [SETUP, [PYTHON, str(ROOT / "tools/test"), "bitstream-check", "board"]]
    if command == "test":
        return [SETUP, [PYTHON, str(ROOT / "tools/test"), "--length", option.length, *option.suite.split()]]
    if command == "format":
        return [SETUP, [PYTHON, str(ROOT / "tools/style"), "fix", *option.files.split()]]
    if command == "mutations":
        return [SETUP, ["env", "NHG_TEST_LENGTH=2", PYTHON, "-m", "mutation", *([option.name] if option.name else [])]]
    if command == "random":
        models = ["make", "-s", "-f", str(ROOT / "tools/models.mk"), "golden", "sim"]
        kinds = [f"--{kind}" for kind in option.kind.split()]
        numbers = ["--instructions", option.instructions, "--first-seed", option.first_seed, "--record", f'make random KIND="{option.kind}"']
        return [SETUP, models, [PYTHON, str(ROOT / "sim/tests/campaign.py"), *kinds, *numbers]]
    if command == "fuzz":
        numbers = ["--programs", option.programs, "--first-seed", option.first_seed, "--jobs", "2", "--rtl-every", "100"]
        models = ["make", "-s", "-f", str(ROOT / "tools/models.mk"), "golden", "runtime", "sim"]
        plugin = ["make", "-s", "-C", str(COMPILER), "DEBUG=1"]
        search = ["env", f"PYTHONPATH={COMPILER}", f"FUZZ_PLUGIN={ROOT / 'build/compiler-debug/asyncmem.so'}"]
        return [SETUP, models, plugin, [*search, PYTHON, "-m", "fuzz", "campaign", *numbers]]
    parts = [[*SETUP, "linux"]] if getattr(option, "os", "") == "linux" else []
    return [SETUP, *parts, [PYTHON, "-m", "nhg", command, *(f"{name}={value}" for name, value in given.items())]]


def main(command: str, commands: list[str], inherited: list[str], words: list[str]) -> int:
    given = dict(word.split("=", 1) for word in words)
    try:
        options.check([command, *commands], given)
        if command == "help":
            print(options.help_text())
            return 0
        mine = [option.name for option in options.of(command)]
        for name in sorted({*mine} & {*inherited} - {*given}):
            print(f"make: {name} of the environment is not used; write it behind `make {command}`", file=sys.stderr)
        own = {name: value for name, value in given.items() if name in mine}
        os.environ.update({name: value for name, value in given.items() if name in options.VARIABLES})
        *before, last = program(command, own)
    except options.OptionError as error:
        print(f"make: {error}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGINT, lambda *_: None)  # what runs says what an interruption means
    for step in before:
        if code := subprocess.run(step, check=False).returncode:
            return code
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return os.execvp(last[0], last)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2].split(), sys.argv[3].split(), sys.argv[4:]))
