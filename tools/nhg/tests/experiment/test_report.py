# SPDX-License-Identifier: Apache-2.0
"""The report: one file that needs no other, every mark with its run, what was not run named. A browser looks at it in tools/nhg/browser."""

import itertools
import re
from html.parser import HTMLParser

import pytest
from plans import make_plan

from nhg import paths
from nhg.errors import NhgError
from nhg.experiment import dataset, sets
from nhg.experiment.named import Named
from nhg.figures import report

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """Names, references, sections and the marks' titles of a page; raises where tags do not fit."""

    def __init__(self, text):
        super().__init__()
        self.open, self.names, self.refers, self.sections, self.marks, self.within = [], [], [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.sections += [given["id"]] if tag == "section" else []
        if given.get("class") == "run":
            assert given["tabindex"] == "0", "it can be reached by keyboard"
            self.marks.append("")
        self.within = tag
        if tag not in VOID:
            self.open.append(tag)
        self.names += [given["id"]] if "id" in given else []
        self.refers += [value for name, value in attributes if name in ("href", "src", "xlink:href", "action") and value]

    def handle_data(self, text):
        if self.within == "title" and self.marks and not self.marks[-1]:
            self.marks[-1] = text

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}>"


@pytest.fixture
def named(tmp_path, monkeypatch, results_of):
    """A captured set of two benchmarks, one that no figure of the paper stands beside, and an experiment without one."""
    monkeypatch.setattr(sets, "CAPTURED", tmp_path / "captured")
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    file = tmp_path / "trial.yaml"
    file.write_text("name: trial # <b>\n")
    plan = make_plan(sweep={"benchmark": ["gups", "bs"], "variant": ["serial", "full"], "latency_ns": [200, 800]}, paper=12, title="Speed & more")
    own = {"own": {"scheduler": "bafin", "options": ["context=basic"]}}
    other = make_plan(name="aside", sweep={"variant": ["serial", "own"], "jitter": "uniform:50", "bandwidth_gbps": 6.0}, variants=own, repetitions=2)

    def fields(values, tasks):
        if values["benchmark"] == "bs" and values["variant"] == "full":
            return "bs/full: <wrong> answer"
        return {"emulated_ns": 1000.0 if values["variant"] == "serial" else 100.0, "git_commit": "abcdef0123", "git_dirty": True}

    keys = itertools.count(100)

    def limited(values, tasks):
        return {"key": f"{next(keys):012x}{0:052x}", "bandwidth_gbps": 6.0, "jitter": "uniform:50", "jitter_seed": 1, "far_bytes": 2500}

    dataset.capture(results_of(plan, fields), "trial")
    dataset.capture(results_of(other, limited), "aside")
    return [Named(file, plan), Named(file, other, core="large"), Named(file, make_plan(name="other", title="Never run"))]


def test_the_page_stands_alone_and_every_mark_says_its_run_and_how_to_repeat_it(named, tmp_path):
    text = report.write(named, tmp_path / "page/index.html").read_text()
    page = Page(text)
    assert page.open == [] and len(set(page.names)) == len(page.names), "a name twice"
    assert all(place.startswith("#") and place[1:] in page.names for place in page.refers), "it needs no other file"
    assert page.marks and all(page.marks), "a mark without a title"
    bars = [mark for mark in page.marks if mark.startswith("gups/full, 800 ns")]
    assert len(bars) == 2 and bars[0] == bars[1], "in the wide and in the narrow picture"
    assert "commit abcdef012 with changes" in bars[0] and "speedup (×) 10.00" in bars[0]
    assert bars[0].endswith("\nmake run LAT=800 BENCH=gups VARIANT=full SCALE=tiny TARGET=sim")
    (key,) = re.findall(r"run ([0-9a-f]{12})", bars[0])
    assert f'data-key="{key}"' in text, "the row of that run"
    lost = [mark for mark in page.marks if mark.startswith("missing: bs/full") and "latency_ns 200" in mark]
    assert len(lost) == 2 and lost[0].endswith("\nmake run LAT=200 BENCH=bs VARIANT=full SCALE=tiny TARGET=sim")
    aside = {mark.partition("\n")[2] for mark in page.marks if mark.startswith("gups/own")}
    memory = "BW=6 JITTER=uniform:50 CONFIG=large"
    assert aside == {f"make run LAT=800 BENCH=gups VARIANT={tmp_path}/trial.yaml:own SCALE=tiny TARGET=sim {memory}"}
    assert "bs/full: &lt;wrong&gt; answer" in text and "<wrong>" not in text and "Speed &amp; more" in text and "# &lt;b&gt;" in text
    assert "<span title='Never run'>other</span>" in text


def test_it_begins_with_the_paper_and_run_tables_say_how_memory_was(named, tmp_path):
    text = report.write(named, tmp_path / "index.html").read_text()
    page = Page(text)
    assert page.sections == ["paper", "trial", "aside"] and text.index('id="paper"') < text.index("<nav>")
    paper = text[text.index('id="paper"') : text.index("<nav>")]
    assert re.findall(r'data-head="(?:paper|ours|ours / paper)">([^<]*)</td>', paper[paper.index("GUPS, Full at 200 ns") :])[:3] == ["29", "10.00", "0.34"]
    assert sum("the paper, section VI.A: GUPS, Full at 200 ns" in mark for mark in page.marks) == 2
    runs = text[text.index('<section id="aside"') :]
    cells = [re.findall(r'data-head="(?:jitter|limit, GB/s|far traffic, GB/s)">([^<]*)</td>', row) for row in runs.split("<tr")]
    assert cells.count(["uniform:50, seed 1", "6", "2.50"]) == 4


def test_without_any_set_there_is_no_page(named, tmp_path):
    with pytest.raises(NhgError, match="no captured set"):
        report.write(named[2:], tmp_path / "index.html")
    assert not (tmp_path / "index.html").exists()


def test_sets_that_mix_are_said_to_at_the_top(named, tmp_path, monkeypatch):
    def top():
        text = report.write(named, tmp_path / "index.html").read_text()
        return text[: text.index("<nav>")]

    assert "not one set</strong>" in top() and "10 runs are of no clean commit" in top()
    monkeypatch.setattr(report.one_set, "faults", lambda found: [])
    assert "not one set" not in top()
