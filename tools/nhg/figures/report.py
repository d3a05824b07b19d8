# SPDX-License-Identifier: Apache-2.0
"""`make report`: one static page with the figures of the captured sets, their numbers, the paper's beside them, and where each comes from.

The page is one file that needs no other: its pictures are the figures' SVG, whose marks say on hover which run they stand for.
"""

import html
import math
import re
from pathlib import Path
from string import Template

import pandas as pd

from nhg import paths
from nhg.errors import NhgError, no_space
from nhg.experiment import dataset, one_set, sets
from nhg.experiment.campaign import Named, command
from nhg.experiment.execute import Result, missing_lines
from nhg.experiment.schema import Experiment
from nhg.figures import draw, published, tables

TEMPLATE = Path(__file__).with_name("page.html")
MARK = re.compile(r'<g id="run:([^"]*)">')
POINTS_PER_REM = 10.5  # letters of pictures are a little smaller than those of the text
OWN_NAME = re.compile(r'\b(id="|url\(#|xlink:href="#)(?!run:)')


def text(value: object) -> str:
    return html.escape(str(value))


def svg(plan: Experiment, scratch: Path) -> str:
    """A figure as a part of the page: marks that say their run, and names of its own."""
    picture = (scratch / f"{plan.name}.svg").read_text()
    picture = picture[picture.index("<svg") :]
    picture = re.sub(r"<metadata>.*?</metadata>", "", picture, flags=re.DOTALL)
    picture = OWN_NAME.sub(lambda match: f"{match.group(1)}{plan.name}-", picture)
    width = float(re.search(r' width="([\d.]+)pt"', picture).group(1))  # type: ignore[union-attr]
    picture = re.sub(r' (width|height)="[\d.]+pt"', "", picture, count=2)
    picture = picture.replace("<svg ", f'<svg role="img" aria-label="{text(plan.title)}" style="max-width: {width / POINTS_PER_REM:.1f}rem" ', 1)
    return MARK.sub(lambda match: f'<g class="run" data-run="{match.group(1)}">', picture)


def table(head: list[str], rows: list[list[str]], texts: int = 1, keys: list[str] | None = None) -> str:
    """The first so many columns are text; `keys` are the runs that rows stand for."""

    def cell(kind: str, column: int, content: str) -> str:
        return f"<{kind}{' class=text' if column < texts else ''}>{content}</{kind}>"

    lines = ["<tr>" + "".join(cell("th", column, text(name)) for column, name in enumerate(head)) + "</tr>"]
    body = []
    for number, row in enumerate(rows):
        key = f' data-key="{keys[number]}"' if keys else ""
        body.append(f"<tr{key}>" + "".join(cell("td", column, content) for column, content in enumerate(row)) + "</tr>")
    return f'<div class="wide"><table><thead>{lines[0]}</thead><tbody>{"".join(body)}</tbody></table></div>'


def numbers(content: pd.DataFrame, form: str) -> str:
    rows = [
        [text(name), *('<span class="missing">missing</span>' if pd.isna(cell) else text(cell if isinstance(cell, str) else form.format(cell)) for cell in row)]
        for name, row in content.iterrows()
    ]
    return table(["", *map(str, content.columns)], rows)


def beside_the_paper(plan: Experiment, results: list[Result]) -> str:
    if plan.paper is None:
        return ""
    compared = published.compare(plan, results)
    if not compared:
        return f"<p>The paper's text gives no number of its figure {plan.paper}.</p>"
    rows = []
    for one in compared:
        ours = f'<span class="missing">{text(one.said)}</span>' if math.isnan(one.ours) else text(one.said)
        ratio = "" if math.isnan(one.ratio) else f"{one.ratio:.2f}"
        rows.append([text(f"{one.entry.says} ({one.entry.source})"), text(one.series), text(one.entry.number), ours, ratio])
    return f"<h3>Beside the paper's text</h3>{table(['the paper says', 'our series', 'paper', 'ours', 'ours / paper'], rows, texts=2)}"


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


def section(named: Named, scratch: Path) -> str:
    """One experiment."""
    plan = named.plan
    results = dataset.fill(plan, named.captured)
    draw.draw(plan, results, scratch, quiet=True)
    picture = f"<figure>{svg(plan, scratch)}</figure>" if plan.figure.kind not in draw.TABLES else ""
    if plan.figure.kind in draw.TABLES:
        content = numbers(draw.TABLES[plan.figure.kind][0](plan, results), "{}")
    else:
        content = "".join(f"<h3>{text(title)}</h3>{numbers(rows, form)}" for title, (rows, form) in tables.sections(plan, results).items())
        content = f"<details><summary>Numbers</summary>{content}</details>"
    beside = f" <small>(paper: figure {plan.paper})</small>" if plan.paper else ""
    return (
        f'<section id="{plan.name}"><h2>{text(plan.name)}: {text(plan.title)}{beside}</h2><p>{text(draw.subtitle(results))}</p>{picture}'
        f"{beside_the_paper(plan, results)}{content}{runs(plan, results)}{provenance(named, results)}{not_run(plan, results)}</section>"
    )


def write(everything: list[Named], place: Path) -> Path:
    """Write the page; experiments without a captured set are named as not run."""
    there = [named for named in everything if named.captured.exists()]
    if not there:
        raise NhgError(f"no captured set in {sets.CAPTURED}: measure one with make figures EXP=... CAPTURE=1")
    scratch = paths.BUILD / "report"
    parts = [section(named, scratch) for named in there]
    absent = [named for named in everything if not named.captured.exists()]
    contents = [f'<li><a href="#{named.plan.name}">{text(named.plan.name)}: {text(named.plan.title)}</a></li>' for named in there]
    not_there = ", ".join(f"<span title='{text(named.plan.title)}'>{text(named.plan.name)}</span>" for named in absent)
    not_run_at_all = f'<p class="missing">No captured set, not run: {not_there}.</p>' if absent else ""
    mixed = "; ".join(one_set.faults(sets.in_folder(sets.CAPTURED)))
    warning = f'<p class="missing"><strong>These sets are not one set</strong>, so that their points cannot be compared: {text(mixed)}.</p>' if mixed else ""
    intro = warning + (
        "<p>Drawn from the sets of runs in <code>results/captured</code>; nothing was run for this page. Every point is one verified run: point at a mark "
        "to see which. Latencies and times are emulated, 1 cycle = 1/3 ns. A diamond is a number of the paper's text; the bars of its figures are not in "
        "its text.</p>"
    )
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(Template(TEMPLATE.read_text()).substitute(intro=intro, contents="\n".join(contents), absent=not_run_at_all, sections="\n".join(parts)))
    except OSError as error:
        raise (no_space(place.parent) if error.errno == 28 else NhgError(f"cannot write {place}: {error.strerror}; choose another OUT")) from None
    return place
