# SPDX-License-Identifier: Apache-2.0
"""The report: one file that needs no other, every mark with its run, what was not run named. A browser looks at it in tools/nhg/browser."""

import re
from html.parser import HTMLParser

import pytest
from plans import make_plan

from nhg import paths
from nhg.errors import NhgError
from nhg.experiment import dataset, sets
from nhg.experiment.campaign import Named
from nhg.figures import report

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """Names, references and marks of a page; raises where tags do not fit."""

    def __init__(self):
        super().__init__()
        self.open, self.names, self.refers, self.marks = [], [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        self.names += [given["id"]] if "id" in given else []
        self.refers += [value for name, value in attributes if name in ("href", "src", "xlink:href", "action") and value]
        self.marks += [given["data-run"]] if "data-run" in given else []

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}>"


@pytest.fixture
def named(tmp_path, monkeypatch, results_of):
    """A captured set of two benchmarks, and an experiment without one."""
    monkeypatch.setattr(sets, "CAPTURED", tmp_path / "captured")
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    file = tmp_path / "trial.yaml"
    file.write_text("name: trial # <b>\n")
    plan = make_plan(sweep={"benchmark": ["gups", "bs"], "variant": ["serial", "full"], "latency_ns": [200, 800]}, paper=12, title="Speed & more")

    def fields(values, tasks):
        if values["benchmark"] == "bs" and values["variant"] == "full":
            return "bs/full: <wrong> answer"
        return {"emulated_ns": 1000.0 if values["variant"] == "serial" else 100.0, "git_commit": "abcdef0123", "git_dirty": True}

    dataset.capture(results_of(plan, fields), "trial")
    return [Named(file, plan), Named(file, make_plan(name="other", title="Never run"))]


def test_the_page_stands_alone_and_every_mark_says_its_run(named, tmp_path):
    text = report.write(named, tmp_path / "page/index.html").read_text()
    page = Page()
    page.feed(text)
    assert page.open == [] and len(set(page.names)) == len(page.names), "a name twice"
    assert all(place.startswith("#") and place[1:] in page.names for place in page.refers), "it needs no other file"
    bars = [mark for mark in page.marks if mark.startswith("gups/full, 800 ns")]
    assert len(bars) == 1 and "commit abcdef012 with changes" in bars[0] and "speedup (×) 10.00" in bars[0]
    (key,) = re.findall(r"run ([0-9a-f]{12})", bars[0])
    assert f'data-key="{key}"' in text, "the row of that run"
    assert sum("the paper, section VI.A: GUPS, Full at 200 ns" in mark for mark in page.marks) == 1
    assert "bs/full: &lt;wrong&gt; answer" in text and "<wrong>" not in text and "Speed &amp; more" in text and "# &lt;b&gt;" in text
    assert "<span title='Never run'>other</span>" in text and "<td>10.00</td><td>0.34</td>" in text, "ours, and over the paper's 29.0"


def test_without_any_set_there_is_no_page(named, tmp_path):
    with pytest.raises(NhgError, match="no captured set"):
        report.write(named[1:], tmp_path / "index.html")
    assert not (tmp_path / "index.html").exists()


def test_sets_that_mix_are_said_to_at_the_top(named, tmp_path, monkeypatch):
    def top():
        text = report.write(named, tmp_path / "index.html").read_text()
        return text[: text.index("<nav>")]

    assert "not one set</strong>" in top() and "6 runs are of no clean commit" in top()
    monkeypatch.setattr(report.one_set, "faults", lambda found: [])
    assert "not one set" not in top()
