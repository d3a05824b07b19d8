# SPDX-License-Identifier: Apache-2.0
"""The sources of the plugin include each other one way: no circle of units (a header and its source), and few arrows from folder to folder.

A forward declaration of a type of our own would only hide a circle, so a header includes what it names.
"""
# RUN: %pytest %s

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

# software/compiler/README.md; which folders a folder includes.
BASE = {"common"}
ARROWS = {
    "common": set(),
    "frontend": BASE,
    "analysis": BASE,
    "transform": BASE | {"analysis"},
    "requests": BASE,
    "tasks": BASE | {"analysis"},
    "choice": BASE,
    "passes": BASE | {"frontend", "analysis", "transform", "requests", "tasks", "choice"},
}
MOST_ARROWS = 15
LIB = Path(__file__).resolve().parents[2] / "lib"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
# At the start of a line, in a header: classes of LLVM and Clang are declared in their own namespaces.
NAMESPACE = re.compile(r"^namespace asyncmem\b.*?^} // namespace asyncmem", re.M | re.S)
DECLARED = re.compile(r"^(?:struct|class|enum(?: class)?) \w+;", re.M)

# How LLVM's code is changed, without the builders and Transforms/ that an analysis has no use for.
CHANGES = re.compile(
    r"IRBuilder|llvm/Transforms/|(?:->|\.)(?:eraseFromParent|removeFromParent|insertBefore|insertAfter|moveBefore|moveAfter|replaceAllUsesWith"
    r"|setOperand|setSuccessor|setMetadata|addIncoming)\("
)
# From tools/platform; the runtime.
OUTSIDE = {"platform.h", "asyncmem_check.h"}

Graph = dict[str, set[str]]


def unit_of(file: Path, lib: Path) -> str:
    return str(file.relative_to(lib).with_suffix(""))


def units(lib: Path) -> Graph:
    """Each unit, "folder/Name", and the units it includes; every quoted file must be one of ours or of LLVM and Clang."""
    graph: Graph = {}
    for file in sorted(lib.rglob("*.*")):
        if file.suffix not in (".h", ".cpp", ".c"):
            continue
        uses = graph.setdefault(unit_of(file, lib), set())
        for name in INCLUDE.findall(file.read_text()):
            if (lib / name).is_file():
                uses.add(unit_of(lib / name, lib))
            elif not name.startswith(("llvm/", "clang/")) and name not in OUTSIDE:
                raise AssertionError(f"{file.relative_to(lib)} includes {name}, which is not in lib/")
    return {unit: uses - {unit} for unit, uses in graph.items()}


def folders(graph: Graph) -> Graph:
    result: Graph = {}
    for unit, uses in graph.items():
        folder = str(Path(unit).parent)
        result.setdefault(folder, set()).update({str(Path(used).parent) for used in uses} - {folder})
    return result


def circle(graph: Graph) -> str:
    """A circle as "a -> b -> a", empty if there is none."""
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return " -> ".join(reversed(error.args[1]))
    return ""


def forward_declarations(lib: Path) -> list[str]:
    return [
        f"{header.relative_to(lib)}: {found}"
        for header in sorted(lib.rglob("*.h"))
        for space in NAMESPACE.findall(header.read_text())
        for found in DECLARED.findall(space)
    ]


def test_units_include_each_other_one_way():
    assert circle(units(LIB)) == ""


def test_folders_include_each_other_one_way():
    assert circle(folders(units(LIB))) == ""


def arrows(lib: Path) -> list[str]:
    """From folder to folder, each with a file that needs it."""
    graph = units(lib)
    reasons = {(str(Path(user).parent), str(Path(used).parent)): f"{user} includes {used}" for user, all_used in graph.items() for used in sorted(all_used)}
    return sorted(f"{user} -> {used}: {why}" for (user, used), why in reasons.items() if user != used)


def test_folders_include_few_others():
    assert set(folders(units(LIB))) == set(ARROWS)
    assert [arrow for arrow in arrows(LIB) if arrow.split(":")[0] not in {f"{user} -> {used}" for user, all_used in ARROWS.items() for used in all_used}] == []
    assert len(arrows(LIB)) <= MOST_ARROWS


def test_no_header_only_declares_a_type_of_ours():
    assert forward_declarations(LIB) == []


def test_analyses_only_look():
    assert [f"{file.name}: {call}" for file in sorted((LIB / "analysis").glob("*.cpp")) for call in CHANGES.findall(file.read_text())] == []


def write(lib: Path, **files: str) -> Path:
    for name, text in files.items():
        file = lib / name.replace("__", "/").replace("_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return lib


def test_a_circle_of_units_is_printed(tmp_path):
    lib = write(tmp_path, a__One_h='#include "a/Two.h"\n', a__Two_h="#pragma once\n", a__Two_cpp='#include "b/Three.h"\n', b__Three_h='#include "a/One.h"\n')
    assert circle(units(lib)) in ("a/One -> a/Two -> b/Three -> a/One", "a/Two -> b/Three -> a/One -> a/Two", "b/Three -> a/One -> a/Two -> b/Three")


def test_a_circle_of_folders_alone_is_printed(tmp_path):
    lib = write(tmp_path, a__One_h='#include "b/Two.h"\n', b__Two_h="", b__Three_h='#include "a/Four.h"\n', a__Four_h='#include "llvm/IR/Module.h"\n')
    assert circle(units(lib)) == ""
    assert circle(folders(units(lib))) in ("a -> b -> a", "b -> a -> b")


def test_an_arrow_is_printed_with_its_reason(tmp_path):
    lib = write(tmp_path, a__One_h='#include "b/Two.h"\n#include "a/Three.h"\n', a__Three_h='#include "b/Two.h"\n', b__Two_h="")
    assert [arrow.split(":")[0] for arrow in arrows(lib)] == ["a -> b"]
    assert arrows(lib)[0].endswith("includes b/Two")


def test_a_hidden_circle_and_an_unknown_file_are_found(tmp_path):
    lib = write(tmp_path, a__One_h="namespace llvm {\nclass Loop;\n}\nnamespace asyncmem {\nstruct Two;\n} // namespace asyncmem\n")
    assert forward_declarations(lib) == ["a/One.h: struct Two;"]
    with pytest.raises(AssertionError, match="includes Gone.h"):
        units(write(lib, a__Five_cpp='#include "Gone.h"\n'))
