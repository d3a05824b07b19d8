# SPDX-License-Identifier: Apache-2.0
"""`make report`: one static page of the captured sets: the paper's numbers beside ours, then the figures, their numbers, and where each comes from.

The page is one file that needs no other. Each picture is there twice, for a desk's screen and for a telephone; the page shows the one that fits. Every
mark has a title, which says the run it stands for and the command that repeats it, and can be reached by keyboard.
"""

import html
import math
import re
from pathlib import Path
from string import Template

import pandas as pd

from nhg.errors import NhgError, no_space
from nhg.experiment import dataset, one_set, sets
from nhg.experiment.execute import Result, missing_lines
from nhg.experiment.named import Named, command, run_command
from nhg.experiment.schema import Experiment
from nhg.figures import draw, published, tables
from nhg.progress import step

TEMPLATE = Path(__file__).with_name("page.html")
MARK = re.compile(r'<g id="run:([^"]*)">')
POINTS_PER_REM = 10.5  # letters of pictures are a little smaller than those of the text
OWN_NAME = re.compile(r'\b(id="|url\(#|xlink:href="#)(?!run:)')


def text(value: object) -> str:
    return html.escape(str(value))


def svg(named: Named, results: list[Result], kind: str, limit: float) -> str:
    """A figure as a part of the page, at most so many inches wide: marks with titles, and names of its own."""
    from nhg.figures import style  # matplotlib takes seconds to load

    plan = named.plan
    picture = style.svg(draw.picture(plan, results, "", limit))
    picture = picture[picture.index("<svg") :]
    picture = re.sub(r"<metadata>.*?</metadata>", "", picture, flags=re.DOTALL)
    picture = OWN_NAME.sub(lambda match: f"{match.group(1)}{plan.name}-{kind}-", picture)
    width = float(re.search(r' width="([\d.]+)pt"', picture).group(1))  # type: ignore[union-attr]
    picture = re.sub(r' (width|height)="[\d.]+pt"', "", picture, count=2)
    size = f' style="max-width: {width / POINTS_PER_REM:.1f}rem"' if kind == "wide" else ""
    picture = picture.replace("<svg ", f'<svg class="{kind}" role="group" aria-label="{text(plan.title)}"{size} ', 1)
    commands = {said: run_command(named, result) for result in results for said in named_in_marks(result)}

    def mark(match: re.Match) -> str:
        repeat = next((f"\n{text(line)}" for said, line in commands.items() if text(said) in match.group(1)), "")
        return f'<g class="run" tabindex="0" role="img"><title>{match.group(1)}{repeat}</title>'

    return MARK.sub(mark, picture)


def named_in_marks(result: Result) -> list[str]:
    """How the mark of a point calls it: by its run, or as missing."""
    return [f"run {result.record.key[:12]}"] if result.record else [f"missing: {result.case.name}:"]


def table(head: list[str], rows: list[list[str]], texts: int = 1, keys: list[str] | None = None) -> str:
    """The first so many columns are text; `keys` are the runs that rows stand for."""

    def cell(kind: str, column: int, content: str) -> str:
        return f"<{kind}{' class=text' if column < texts else ''}>{content}</{kind[:2]}>"

    lines = ["<tr>" + "".join(cell("th", column, text(name)) for column, name in enumerate(head)) + "</tr>"]
    body = []
    for number, row in enumerate(rows):
        key = f' data-key="{keys[number]}"' if keys else ""
        body.append(f"<tr{key}>" + "".join(cell(f'td data-head="{text(head[column])}"', column, content) for column, content in enumerate(row)) + "</tr>")
    return f'<div class="wide"><table><thead>{lines[0]}</thead><tbody>{"".join(body)}</tbody></table></div>'


def numbers(content: pd.DataFrame, form: str) -> str:
    rows = [
        [text(name), *('<span class="missing">missing</span>' if pd.isna(cell) else text(cell if isinstance(cell, str) else form.format(cell)) for cell in row)]
        for name, row in content.iterrows()
    ]
    return table(["", *map(str, content.columns)], rows)


def beside_the_paper(everything: list[Named], captured: dict[str, list[Result]]) -> str:
    """Every number of the paper's text beside ours, in the order of its figures."""
    rows = []
    for named in everything:
        plan = named.plan
        if plan.paper is None:
            continue
        if plan.name not in captured:
            rows.append([f"{plan.paper}", text(plan.title), *[""] * 2, '<span class="missing">not run</span>', ""])
            continue
        link = f'<a href="#{plan.name}">{plan.paper}</a>'
        compared = published.compare(plan, captured[plan.name])
        if not compared:
            rows.append([link, "the text gives no number", *[""] * 4])
        for one in compared:
            ours = f'<span class="missing">{text(one.said)}</span>' if math.isnan(one.ours) else text(one.said)
            rows.append([link, text(f"{one.entry.says} ({one.entry.source})"), text(one.series), text(one.entry.number), ours, one.verdict])
    if not rows:
        return ""
    content = table(["figure", "the paper says", "our series", "paper", "ours", "ours / paper"], rows, texts=3)
    return f'<section id="paper"><h2>The paper\'s numbers beside ours</h2>{content.replace("<table", "<table class=stacked", 1)}</section>'


def runs(plan: Experiment, results: list[Result]) -> str:
    """Every run behind the figure with its provenance."""
    rows, keys = [], []
    for result in results:
        record = result.record
        if not record:
            continue
        commit = (record.git_commit or "none")[:9] + (", with changes" if record.git_dirty else "")
        time = f"{record.cycles:,}" if record.cycles else f"{record.wall_ns:,} ns" if record.wall_ns else ""
        cells = [record.bench, result.case.values["variant"], record.scale, record.target, f"{record.latency_ns:g}", *tables.memory(record), record.tasks or ""]
        cells += [f"{record.operations:,}", time, "" if record.instret is None else f"{record.instret:,}"]
        cells += ["" if record.mlp_mean is None else f"{record.mlp_mean:.1f}", "yes" if result.chosen else "no", record.key[:12], commit]
        cells += [record.program_sha256[:12], record.model_sha256[:12], f"{record.host_wall_seconds:.1f}"]
        rows.append([text(cell) for cell in cells])
        keys.append(record.key[:12])
    head = ["benchmark", "variant", "scale", "target", "latency, ns", *tables.MEMORY, "coroutines", "operations", "cycles or wall time", "instructions"]
    head += ["in flight, mean", "drawn", "run", "commit", "program", "model", "host s"]
    return f"<details><summary>All {len(rows)} runs</summary>{table(head, rows, texts=4, keys=keys)}</details>"


def provenance(named: Named, results: list[Result]) -> str:
    """How the numbers were made."""
    records = [result.record for result in results if result.record]
    commits = sorted({(record.git_commit or "no commit")[:9] + (" with uncommitted changes" if record.git_dirty else "") for record in records})
    versions = sorted({f"{tool}: {version}" for record in records for tool, version in record.tool_versions.items()})
    minutes = sum(record.host_wall_seconds for record in {record.key: record for record in records}.values()) / 60
    flags = sorted({f"{record.variant}: {' '.join(plugin_flags(record.compiler_flags))}" for record in records})
    return (
        f"<h3>How it was made</h3><p><code>{text(command(named))}</code>: {len({record.key for record in records})} runs, {minutes:.0f} min of simulation "
        f"or execution, every answer verified; commit {text(', '.join(commits))}.</p>"
        f"<details><summary>Configuration</summary><pre>{text(named.file.read_text())}</pre>"
        f"<ul>{''.join(f'<li><code>{text(line)}</code></li>' for line in [*flags, *versions])}</ul></details>"
    )


def plugin_flags(flags: str) -> list[str]:
    """The flags that tell variants apart."""
    return [flag for flag in flags.split() if not flag.startswith(("-D", "-fplugin="))]


def not_run(plan: Experiment, results: list[Result]) -> str:
    lines = [*missing_lines(results), *tables.remarks(plan, results)]
    items = "".join(f'<li class="missing">{text(line)}</li>' for line in lines)
    return f"<h3>What was not run, not transformed, or late</h3><ul>{items}</ul>" if lines else ""


def section(named: Named, results: list[Result]) -> str:
    """One experiment."""
    plan = named.plan
    if plan.figure.kind in draw.TABLES:
        picture, content = "", numbers(draw.TABLES[plan.figure.kind][0](plan, results), "{}")
    else:
        picture = f"<figure>{svg(named, results, 'wide', draw.WIDE)}{svg(named, results, 'narrow', draw.NARROW)}</figure>"
        content = "".join(f"<h3>{text(title)}</h3>{numbers(rows, form)}" for title, (rows, form) in tables.sections(plan, results).items())
        content = f"<details><summary>Numbers</summary>{content}</details>"
    beside = f" <small>(<a href='#paper'>paper: figure {plan.paper}</a>)</small>" if plan.paper else ""
    return (
        f'<section id="{plan.name}"><h2>{text(plan.name)}: {text(plan.title)}{beside}</h2><p>{text(draw.subtitle(results))}</p>{picture}'
        f"{content}{runs(plan, results)}{provenance(named, results)}{not_run(plan, results)}</section>"
    )


def write(everything: list[Named], place: Path) -> Path:
    """Write the page; experiments without a captured set are named as not run."""
    captured = {named.plan.name: dataset.fill(named.plan, named.captured) for named in everything if named.captured.exists()}
    there = [named for named in everything if named.plan.name in captured]
    if not there:
        raise NhgError(f"no captured set in {sets.CAPTURED}: measure one with make figures EXP=... CAPTURE=1")
    parts = []
    for number, named in enumerate(there, 1):
        with step(f"[{number}/{len(there)}] {named.plan.name}"):
            parts.append(section(named, captured[named.plan.name]))
    contents = [f'<li><a href="#{named.plan.name}">{text(named.plan.name)}: {text(named.plan.title)}</a></li>' for named in there]
    absent = [f"<span title='{text(named.plan.title)}'>{text(named.plan.name)}</span>" for named in everything if named not in there]
    not_run_at_all = f'<p class="missing">No captured set, not run: {", ".join(absent)}.</p>' if absent else ""
    mixed = "; ".join(one_set.faults(sets.in_folder(sets.CAPTURED)))
    warning = f'<p class="missing"><strong>These sets are not one set</strong>, so that their points cannot be compared: {text(mixed)}.</p>' if mixed else ""
    intro = warning + (
        "<p>Drawn from the sets of runs in <code>results/captured</code>; nothing was run for this page. Every point is one verified run: point at a mark, or "
        "go to it with Tab and the arrow keys, to see which, and the command that repeats it. Latencies and times are emulated, 1 cycle = 1/3 ns. A diamond "
        "is a number of the paper's text; the bars of its figures are not in its text.</p>"
    )
    content = {
        "intro": intro,
        "paper": beside_the_paper(everything, captured),
        "contents": "\n".join(contents),
        "absent": not_run_at_all,
        "sections": "\n".join(parts),
    }
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(Template(TEMPLATE.read_text()).substitute(content))
    except OSError as error:
        raise (no_space(place.parent) if error.errno == 28 else NhgError(f"cannot write {place}: {error.strerror}; choose another OUT")) from None
    return place
