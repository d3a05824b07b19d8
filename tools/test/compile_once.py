# SPDX-License-Identifier: Apache-2.0
"""Compiles Verilator's own sources once for all models: `python3 compile_once.py FOLDER COMPILER ARGUMENT...`, as OBJCACHE of Verilator's makefiles.

Each makefile of a model compiles them again with the same flags: 9 of the 16 s of CPU of a unit test's model. (ccache cannot see that they are the
same: chiseltest includes the model's header in front.) They are kept in FOLDER by compiler, flags and text. The sources of chiseltest's models read
Verilator's headers precompiled, 0.7 of 1.0 s of CPU each; they are kept, too. Anything else is compiled as it stands.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DEFINITION = "-D"
HEADER_OF_MODEL = "-include"  # an argument before its name
WRITES_DEPENDENCIES = "-MMD"
PRECOMPILED_BY_VERILATOR = "__pch"  # in the names of headers of its larger models
HEADERS = ("verilated.h", "verilated_cov.h")  # of every model of chiseltest


def source_of(command: list[str]) -> Path | None:
    """Verilator's own source that a command compiles into one object, if it does and nothing but text and flags goes into it."""
    if "-c" not in command or "-o" not in command or any(argument.startswith("-fprofile") for argument in command):
        return None
    sources = [Path(argument) for argument in command if argument.endswith(".cpp")]
    own = len(sources) == 1 and sources[0].is_absolute() and sources[0].parent.name == "include" and sources[0].name.startswith("verilated")
    return sources[0] if own else None


def of_model(argument: str, text: str) -> bool:
    """A macro that only the model's sources can ask for: in no text of Verilator's, and no name that is reserved to the compiler and its library."""
    name = argument.removeprefix(DEFINITION).partition("=")[0]
    return argument.startswith(DEFINITION) and not name.startswith("_") and name != "NDEBUG" and name not in text


def without_model(command: list[str], text: str) -> list[str]:
    """The command without the model's header and macros."""
    kept, words = [], iter(command)
    for word in words:
        if word == HEADER_OF_MODEL:
            next(words)
        elif not of_model(word, text):
            kept.append(word)
    return kept


def key(command: list[str], text: str) -> str:
    """Names the object of a command by all that it is made from: compiler, flags, and the text of Verilator's sources."""
    compiler = Path(shutil.which(command[0]) or command[0]).resolve()
    made_from = f"{command} {compiler} {compiler.stat().st_mtime_ns} {text}"
    return hashlib.sha256(made_from.encode()).hexdigest()[:16]


def made(command: list[str], target: Path) -> int:
    """Runs a command so that what it makes (`-o`) appears as `target`, whole, since another model may need the same now; its exit code."""
    target.parent.mkdir(parents=True, exist_ok=True)
    name_at = command.index("-o") + 1
    with tempfile.TemporaryDirectory(dir=target.parent) as place:
        new = Path(place) / target.name
        code = subprocess.run([*command[:name_at], str(new), *command[name_at + 1 :]], check=False).returncode
        if code == 0:
            new.replace(target)
    return code


def includes_of_chiseltest(command: list[str]) -> Path | None:
    """Verilator's folder of headers, if a command compiles a source of chiseltest's models."""
    folders = [Path(argument.removeprefix("-I")) for argument in command if argument.startswith("-I")]
    found = [folder for folder in folders if all((folder / name).exists() for name in HEADERS)]
    is_model = {"-c", "-o", HEADER_OF_MODEL} <= set(command) and PRECOMPILED_BY_VERILATOR not in command[command.index(HEADER_OF_MODEL) + 1]
    return found[0] if found and is_model else None


def written_once(file: Path, text: str) -> None:
    """A file that stays as the first of several processes writes it: a compiler refuses a header that is newer than what it was precompiled to."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent) as new:
        new.write(text)
        new.flush()
        with contextlib.suppress(FileExistsError):
            os.link(new.name, file)


def with_precompiled(folder: Path, include: Path, command: list[str]) -> list[str]:
    """The command with Verilator's headers in front of all, precompiled in `folder` for its flags; as it was if they cannot be."""
    text = "".join(file.read_text() for file in sorted(include.glob("verilated*.h")))
    flags = [word for word in without_model(command, text) if word not in ("-c", WRITES_DEPENDENCIES) and not word.endswith(".cpp")]
    flags[flags.index("-o") + 1] = "headers"
    header = folder / f"headers-{key(flags, text)}.h"
    precompiled = header.with_name(f"{header.name}.gch")
    if not precompiled.exists():
        written_once(header, "".join(f"#include <{name}>\n" for name in HEADERS))
        if made([*flags, "-x", "c++-header", str(header)], precompiled):
            return command
    return [command[0], "-include", str(header), *command[1:]]


def compile_once(folder: Path, command: list[str]) -> int:
    """Compiles into `folder` what is not there, and copies it to where the makefile expects it; the compiler's exit code."""
    source = source_of(command)
    if source is None:
        include = includes_of_chiseltest(command)
        return subprocess.run(with_precompiled(folder, include, command) if include else command, check=False).returncode
    text = "".join(file.read_text() for file in [source, *sorted(source.parent.glob("verilated*.h"))])
    same = without_model(command, text)
    target = Path(same[same.index("-o") + 1])
    kept = folder / f"{source.stem}-{key(same, text)}.o"
    if not kept.exists():
        code = made(same, kept)
        if code:
            return code
    shutil.copyfile(kept, target)
    return 0


if __name__ == "__main__":
    sys.exit(compile_once(Path(sys.argv[1]), sys.argv[2:]))
