# SPDX-License-Identifier: Apache-2.0
"""The site builds without a warning, says what is and not what was, and the commands of start/ do what they say (at scale tiny)."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools/docs"), str(ROOT / "tools/platform")]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
START = [path for path in PAGES if path.parent.name == "start"]
# A date, the hash of a commit (7 digits or more, with a letter and a digit), and a guess.
HISTORY = re.compile(r"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\b|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}\b|\bpresumably\b", re.IGNORECASE)
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MEASURES = re.compile(r"^make (?:run|figures)\b(?!.*\b(?:SCALE|ELF)=)")


def test_site_builds_without_a_warning(tmp_path: Path) -> None:
    built = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path], cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "start/install/index.html").is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(DOCS)))
def test_page_says_what_is(page: Path) -> None:
    found = [
        f"{page.relative_to(ROOT)}:{number}: {match[0]}" for number, line in enumerate(page.read_text().splitlines(), 1) for match in HISTORY.finditer(line)
    ]
    assert not found, f"dates, commits and guesses belong to lab/: {found}"


def test_numbers_are_the_same_of_a_set_whose_runs_stand_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `make figures CAPTURE=1` keeps them: rows hold keys."""
    import pages

    from nhg.experiment import dataset, sets
    from nhg.experiment.load import load

    said = [pages.value("gups", "full", 800), pages.value("gups", "full", 800, "cycles"), pages.mean("full", 200)]
    results = dataset.fill(load(ROOT / "experiments/grid.yaml"), pages.SET)
    monkeypatch.setattr(sets, "CAPTURED", tmp_path)
    (place,) = dataset.capture(results, "grid")
    monkeypatch.setattr(pages, "SET", place)
    pages.points.cache_clear()
    assert [pages.value("gups", "full", 800), pages.value("gups", "full", 800, "cycles"), pages.mean("full", 200)] == said
    pages.points.cache_clear()


def test_generated_pages_have_all_of_their_sources() -> None:
    import pages

    from nhg import options
    from nhg.experiment import schema

    commands, refusals, keys = pages.commands(), pages.refusals(), pages.experiment_keys()
    assert all(f"## make {command}\n" in commands and all(f"`{each.name}=" in commands for each in taken) for command, (_, taken) in options.COMMANDS.items())
    said = [line.split(": ", 1)[1] for source in pages.REFUSED.glob("*.c*") for line in source.read_text().splitlines() if "// REFUSED" in line]
    assert len(said) > 80 and all(f"- {reason}\n" in refusals for reason in said)
    assert all(f"| `{name}` |" in keys for model in (schema.Experiment, schema.Figure) for name in model.model_fields)
    assert "|  | needed |" in keys and "| `scale` |" in keys
    registers = pages.privileged_csrs()
    assert all(f"| `{name}` |" in registers for name in ("mstatus", "pmpaddr15", "sie", "dcsr", "dpc"))


def test_history_is_found() -> None:
    assert [bool(HISTORY.search(text)) for text in ("on 2026-11-29", "at b8f9f2e", "Presumably", "0x1234567 and 2481674 at defaced")] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("page", START, ids=lambda path: path.stem)
def test_commands_work(page: Path) -> None:
    """Blocks of shell run in order from the repository's root; blocks of C with a title are files."""
    for language, title, text in BLOCK.findall(page.read_text()):
        if title:
            (ROOT / title).write_text(text)
        if language == "sh":
            for command in filter(None, text.splitlines()):
                tiny = f"{command} SCALE=tiny" if MEASURES.match(command) else command
                done = subprocess.run(tiny, shell=True, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=os.environ)
                assert done.returncode == 0, f"{page.name}: {tiny}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


def test_others_stand_beside_the_sets_that_are_captured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a set its cells are empty, and the command that fills them stands below; the mean of DX100's speedups is the one of its abstract."""
    import pages
    import rivals

    monkeypatch.setattr(rivals, "captured", lambda core: {})
    empty = rivals.kernels(pages.table)
    assert "| **mean** | 2.62 |  |  |  |  |" in empty and "CAPTURE=1 CONFIG=large` fill them" in empty
    cycles = {(kernel, variant, ns): cycles for kernel in rivals.published() for variant, cycles in (("serial", 600), ("full", 100)) for ns in (200, 800)}
    monkeypatch.setattr(rivals, "captured", lambda core: {point: count // 2 for point, count in cycles.items()} if core else cycles)
    both = rivals.kernels(pages.table)
    assert "| `is` | 3.39 | 6.00 | 3.00 | 6.00 | 3.00 |" in both and "| **mean** | 2.62 | 6.00 | 3.00 | 6.00 | 3.00 |" in both and "fill them" not in both
    assert all(f"| {name} |" in rivals.means(pages.table) for name in ("DX100", "MAPLE", "DVR", "AMU"))
