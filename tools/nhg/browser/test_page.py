# SPDX-License-Identifier: Apache-2.0
"""The report of the captured sets as headless Chromium shows it, at two window sizes: it begins with the paper, nothing sticks out, all letters can be
read, every figure is drawn, and every mark can be reached by keyboard and says its run. Pictures: build/report/<width>.png."""

import html
import json
import re
import subprocess

import matplotlib.image
import pytest
from matplotlib.colors import to_rgb

from nhg import paths
from nhg.experiment import named
from nhg.figures import breakdown, report

BROWSER = paths.TOOLCHAIN / "bin/chromium-headless"
SIZES = ((1280, 1000), (420, 900))
SECONDS = 120
LETTERS = 9
# Runs in the page, and leaves what it finds in it as text.
PROBE = """
<script>
const found = {figures: [], outside: [], cut: [], letters: [], reached: [], tips: []};
const place = element => element.getBoundingClientRect();
found.width = innerWidth;
found.scroll = document.documentElement.scrollWidth;
found.top = [...document.querySelectorAll("section")].slice(0, 2).map(section => [section.id, place(section).top]);
found.paper = [...document.querySelectorAll("#paper tbody tr")].map(row => [Number(row.cells[0].textContent), place(row).right]);
for (const element of document.querySelectorAll("h1, h2, p, li, summary, pre, figure, .wide, #paper td")) {
  const box = place(element);
  if (box.right > innerWidth + 1 || box.left < -1) found.outside.push(element.outerHTML.slice(0, 80));
}
const key = name => new KeyboardEvent("keydown", {key: name, bubbles: true, cancelable: true});
for (const picture of document.querySelectorAll("figure svg")) {
  const box = place(picture), marks = [...picture.querySelectorAll(".run")];
  if (!box.width) continue;
  found.figures.push([box.width, box.height, marks.length]);
  for (const text of picture.querySelectorAll("text")) {
    const at = place(text);
    if (at.left < box.left - 2 || at.right > box.right + 2) found.cut.push(text.textContent);
    found.letters.push(parseFloat(getComputedStyle(text).fontSize) * picture.getScreenCTM().a);
  }
  const stops = marks.filter(mark => mark.tabIndex === 0), reached = new Set();
  marks[0].focus();
  for (let step = 0; step < marks.length; step++) {
    const mark = document.activeElement;
    if (mark.querySelector("title").textContent === said.textContent && place(said).bottom <= innerHeight && !said.hidden) reached.add(mark);
    mark.dispatchEvent(key("ArrowRight"));
  }
  found.reached.push([stops.length, reached.size, marks.filter(mark => !place(mark).width && !place(mark).height).length]);
  document.activeElement.dispatchEvent(key("Escape"));
  marks[0].dispatchEvent(new MouseEvent("mouseenter"));
  found.tips.push(said.hidden);
  marks[0].dispatchEvent(new MouseEvent("mouseleave"));
  found.tips.push(said.hidden);
}
const report = document.createElement("pre");
report.id = "found";
report.textContent = JSON.stringify(found);
document.body.append(report);
</script>
"""


def browse(*words):
    done = subprocess.run([BROWSER, "--virtual-time-budget=5000", *words], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def page():
    return report.write(named.of_the_report([]), paths.BUILD / "report/index.html")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_what_a_reader_sees(page, size, tmp_path):
    probed = tmp_path / "probed.html"
    probed.write_text(page.read_text().replace("</body>", PROBE + "</body>"))
    shown = browse("--dump-dom", f"--window-size={size[0]},{size[1]}", probed.as_uri())
    found = json.loads(html.unescape(re.search(r'<pre id="found">(.*?)</pre>', shown, re.DOTALL).group(1)))
    assert abs(found["width"] - size[0]) <= 20 and found["scroll"] <= found["width"], "the page itself does not scroll sideways"
    assert found["outside"] == []
    assert found["top"][0][0] == "paper" and found["top"][0][1] < size[1], "it begins with the paper's numbers beside ours"
    order = [number for number, _ in found["paper"]]
    assert order == sorted(order) and {3, 12, 16} <= set(order)
    pictures = page.read_text().count("<figure>")
    assert pictures and len(found["figures"]) == pictures, "each once, in the form that fits"
    assert all(width > 300 and height > 100 and marks for width, height, marks in found["figures"]) and found["cut"] == []
    assert min(found["letters"]) > LETTERS, "pixels of the smallest letters"
    assert found["reached"] == [[1, marks, 0] for _, _, marks in found["figures"]], "Tab finds a picture, arrows every mark of it, none is invisible"
    assert found["tips"] == [False, True] * pictures


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_the_picture_has_the_figures_colours(page, size):
    place = paths.BUILD / f"report/{size[0]}.png"
    browse(f"--screenshot={place}", f"--window-size={size[0]},9000", page.as_uri())
    image = (matplotlib.image.imread(place)[:, :, :3] * 255).round().astype(int).reshape(-1, 3)
    seen = {tuple(colour) for colour in image[::7].tolist()}
    bars = [tuple(round(255 * part) for part in to_rgb(breakdown.COLOURS[cause])) for cause in ("far_load", "near_load")]
    assert {(255, 255, 255), *bars} <= seen, "white, and two causes of figure 3"
