# SPDX-License-Identifier: Apache-2.0
"""docs/design/request.md names files and names of the code: every file must exist, every name must stand in the file beside it. Its steps are in their
order. Cycles of commits are compared with a run in sim/tests/test_request.py.

Of CONTRIBUTING.md and the compiler's pages, only the files are checked.
"""

import itertools
import re
from pathlib import Path

import pytest

from nhg.paths import ROOT

FILE = re.compile(r"[\w./+-]+\.(?:scala|sv|cc|cpp|c|h|py|md)")
SOURCE = re.compile(r"[\w./+-]+\.(?:scala|sv|cc|cpp|c|h|py|md|toml|S|flags)")
# What a recipe makes, and what is generated.
EXAMPLES = ["words.c", "x.S", "platform.h"]
QUOTED = re.compile(r"`([^`]+)`")
ROUTE = (ROOT / "docs/design/request.md").read_text()


def blocks(section: str) -> list[str]:
    """Paragraphs, and each row of a table by itself; code blocks are left out."""
    text = re.sub(r"^```.*?^```", "", section, flags=re.S | re.M)
    return [block for paragraph in re.split(r"\n\s*\n", text) for block in (paragraph.splitlines() if paragraph.lstrip().startswith("|") else [paragraph])]


def unknown_files(page: str, files: list[str]) -> list[str]:
    """Files a page names, by the end of their path, that are not among `files`."""
    quoted = QUOTED.findall(re.sub(r"^ *```.*?^ *```", "", page, flags=re.S | re.M))
    return sorted(name for name in set(quoted) if SOURCE.fullmatch(name) and not any(f"/{file}".endswith(f"/{name}") for file in files))


def occurs(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def texts_of(quoted: list[str], folders: list[Path], found: list[str]) -> list[str]:
    """Contents of the files among `quoted`; adds to `found` which are not in exactly one of the folders."""
    texts = []
    for name in filter(FILE.fullmatch, quoted):
        here = [folder / name for folder in folders if (folder / name).is_file()]
        if len({file.resolve() for file in here}) != 1:
            found.append(f"{name}: {'in more than one folder' if here else 'no such file'} of its section")
        texts += [file.read_text() for file in here[:1]]
    return texts


def problems(page: str, root: Path) -> list[str]:
    """What a page says that is not so. A file is named from the root or from a folder its section names; a name's file
    is the one in the same cell, else in the same row or paragraph, where it must occur in one of them."""
    found: list[str] = []
    for section in re.split(r"^## ", page, flags=re.M):
        folders = [root, *(root / folder for folder in QUOTED.findall(section) if folder.endswith("/"))]
        found += [f"{folder}: no such folder" for folder in folders[1:] if not folder.is_dir()]
        for block in blocks(section):
            around = texts_of(QUOTED.findall(block), folders, found)
            for cell in block.split(" | ") if block.startswith("|") else [block]:
                quoted = QUOTED.findall(cell)
                near = texts_of(quoted, folders, found) or around
                for name in quoted:
                    if not (name.endswith("/") or FILE.fullmatch(name) or any(occurs(name, text) for text in near)):
                        found.append(f"`{name}` is in no file beside it: {block.strip()[:100]}")
    return sorted(set(found))


def test_every_name_of_the_route_is_in_the_file_beside_it():
    assert problems(ROUTE, ROOT) == []


def sections(page: str) -> dict[str, str]:
    """The text of each section by its title."""
    return {title: text for title, _, text in (section.partition("\n") for section in re.split(r"^## ", page, flags=re.M))}


def cycles(section: str) -> list[int]:
    """The cycles of the steps of a section, in its order; of a range its end."""
    cells = [line.split("|")[1].replace("−", "-").strip() for line in section.splitlines() if line.startswith("|")]
    return [int(cell.split()[-1]) for cell in cells if re.fullmatch(r"-?\d+( … -?\d+)?", cell)]


def named_in_order(page: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"`([\w/]+\.cpp)`", page)))


def out_of_order(page: str, compiler: str) -> list[str]:
    """Sections whose steps go back in time; steps of the compiler that the table of its stages has in another order."""
    found = [title for title, text in sections(page).items() if cycles(text) != sorted(cycles(text))]
    passes = next(text for title, text in sections(page).items() if title.startswith("The statement"))
    known = named_in_order(compiler)
    named = [name for name in named_in_order(passes) if name in known]
    return found + [name for before, name in itertools.pairwise(named) if known.index(name) < known.index(before)]


COMPILER = (ROOT / "software/compiler/README.md").read_text()


def test_steps_are_in_their_order():
    assert out_of_order(ROUTE, COMPILER) == []
    lists = [cycles(text) for text in sections(ROUTE).values() if cycles(text)]
    assert len(lists) == 5 and sum(map(len, lists)) > 35, "the tables are read"
    assert len([name for name in named_in_order(ROUTE) if name in named_in_order(COMPILER)]) > 6


def test_memory_and_delayer_take_their_time():
    """20 cycles of the simulated memory, 300 of the delayer, from the request's arrival at it."""

    def at(step: str) -> int:
        (cycle,) = re.findall(rf"^\| (\d+) \| {step}", ROUTE, re.MULTILINE)
        return int(cycle)

    assert at("memory ") - at("accepted by the delayer") == 20 and at("its time has come") - at("accepted by the delayer") == 300


def test_exchanged_steps_are_found():
    """Any two steps in succession whose cycles differ, and any two files of the compiler's steps."""
    lines = ROUTE.splitlines()
    exchanged = 0
    for place, (one, other) in enumerate(itertools.pairwise(lines)):
        if len(cycles(f"{one}\n{other}")) == 2 and len(set(cycles(f"{one}\n{other}"))) == 2:
            page = "\n".join([*lines[:place], other, one, *lines[place + 2 :]])
            assert out_of_order(page, COMPILER), one
            exchanged += 1
    assert exchanged > 15
    steps = [line for line in lines if any(f"`{name}`" in line for name in ("passes/LoopPipeline.cpp", "analysis/CollectAccesses.cpp"))]
    page = ROUTE.replace(steps[0], "@").replace(steps[1], steps[0]).replace("@", steps[1])
    assert out_of_order(page, COMPILER) == ["passes/AsyncSplit.cpp"]


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ("| `gone.sv` |", "gone.sv: no such file of its section"),
        ("In `rtl/`.\n\n| `reset` | `top.sv` |", "`reset` is in no file beside it"),
        ("In `rtl/`.\n\n| `valid` | `top.sv` |", "`valid` is in no file beside it"),
        ("In `rtl/`.\n\n| `core_valid` in `other.sv` | `top.sv` |", "`core_valid` is in no file beside it"),
        ("A paragraph with `core_valid`.\n\nIn `rtl/`: `top.sv`", "`core_valid` is in no file beside it"),
        ("In `rtl/` and `more/`: `top.sv`", "top.sv: in more than one folder of its section"),
        ("In `lost/`.", "lost: no such folder"),
    ],
)
def test_a_wrong_page_is_found(tmp_path, page, problem):
    for name, text in (("rtl/top.sv", "core_valid"), ("rtl/other.sv", "clock"), ("more/top.sv", "")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert any(problem in line for line in problems(f"# Title\n\n## Section\n\n{page}\n", tmp_path))


def test_a_right_page_passes(tmp_path):
    (tmp_path / "top.sv").write_text("assign core_valid = s_arvalid[i];")
    page = "| step | name | file |\n|---|---|---|\n| out | `core_valid`, `s_arvalid[i]` | `top.sv` |\n\n```\n`any`\n```\n"
    assert problems(page, tmp_path) == []


@pytest.mark.parametrize(
    "page",
    [
        "CONTRIBUTING.md",
        "docs/design/compiler.md",
        "docs/design/coalescing.md",
        "docs/design/choice.md",
        "docs/reference/pragma.md",
        "software/compiler/README.md",
    ],
)
def test_recipes_and_stages_name_files_that_exist(page):
    folders = ("amu-ext", "bus", "delayer-ip", "docs", "experiments", "fpga-vcu128", "lab", "results", "shell", "sim", "software", "tools", "xiangshan")
    files = [str(file.relative_to(ROOT)) for folder in folders for file in (ROOT / folder).rglob("*")]
    assert unknown_files((ROOT / page).read_text(), [*files, *EXAMPLES, "README.md"]) == []


def test_a_recipe_with_a_missing_file_is_found():
    assert unknown_files("Edit `gone.sv` and `rtl/top.sv`, see `top.sv`.", ["fpga/rtl/top.sv"]) == ["gone.sv"]
    assert unknown_files("Edit `op.sv`.", ["fpga/rtl/top.sv"]) == ["op.sv"]
    assert unknown_files("1. Run\n   ```\n   make `x`\n   ```\n2. Edit `gone.sv`.", []) == ["gone.sv"]
