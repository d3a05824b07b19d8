# SPDX-License-Identifier: Apache-2.0
"""The report of the captured sets as headless Chromium shows it, at two window sizes: nothing sticks out, every figure is drawn, pointing at a mark
says its run. Pictures: build/report/<width>.png."""

import html
import json
import re
import subprocess

import matplotlib.image
import pytest
from matplotlib.colors import to_rgb

from nhg import paths
from nhg.experiment import campaign
from nhg.figures import breakdown, report

BROWSER = paths.TOOLCHAIN / "bin/chromium-headless"
SIZES = ((1280, 1000), (420, 900))
SECONDS = 120
# Runs in the page, and leaves what it finds in it as text.
PROBE = """
<script>
const found = {figures: [], outside: [], tips: []};
found.width = innerWidth;
found.scroll = document.documentElement.scrollWidth;
for (const figure of document.querySelectorAll("figure svg")) {
  const box = figure.getBoundingClientRect();
  found.figures.push([box.width, box.height, figure.querySelectorAll(".run").length]);
}
for (const element of document.querySelectorAll("h1, h2, p, li, summary, pre, figure, .wide")) {
  const box = element.getBoundingClientRect();
  if (box.right > innerWidth + 1 || box.left < -1) found.outside.push(element.outerHTML.slice(0, 80));
}
for (const section of document.querySelectorAll("section")) {
  const mark = section.querySelector(".run");
  if (!mark) continue;
  const box = mark.getBoundingClientRect();
  mark.dispatchEvent(new MouseEvent("mousemove", {clientX: innerWidth - 5, clientY: 300, bubbles: true}));
  const tip = document.getElementById("tip"), at = tip.getBoundingClientRect();
  found.tips.push([getComputedStyle(tip).visibility, tip.textContent === mark.dataset.run, at.left >= 0 && at.right <= innerWidth && at.top >= 0]);
  mark.dispatchEvent(new MouseEvent("mouseleave"));
  found.tips.push([getComputedStyle(tip).visibility, false, true]);
}
const said = document.createElement("pre");
said.id = "found";
said.textContent = JSON.stringify(found);
document.body.append(said);
</script>
"""


def browse(*words):
    done = subprocess.run([BROWSER, "--virtual-time-budget=5000", *words], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def page():
    return report.write(campaign.of_the_report([]), paths.BUILD / "report/index.html")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_what_a_reader_sees(page, size, tmp_path):
    probed = tmp_path / "probed.html"
    probed.write_text(page.read_text().replace("</body>", PROBE + "</body>"))
    shown = browse("--dump-dom", f"--window-size={size[0]},{size[1]}", probed.as_uri())
    found = json.loads(html.unescape(re.search(r'<pre id="found">(.*?)</pre>', shown, re.DOTALL).group(1)))
    assert abs(found["width"] - size[0]) <= 20 and found["scroll"] <= found["width"], "the page itself does not scroll sideways"
    assert found["outside"] == []
    pictures = page.read_text().count("<figure>")
    assert pictures and len(found["figures"]) == pictures
    assert all(width > 300 and height > 100 and marks for width, height, marks in found["figures"])
    assert found["tips"] == [["visible", True, True], ["hidden", False, True]] * pictures


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_the_picture_has_the_figures_colours(page, size):
    place = paths.BUILD / f"report/{size[0]}.png"
    browse(f"--screenshot={place}", f"--window-size={size[0]},9000", page.as_uri())
    image = (matplotlib.image.imread(place)[:, :, :3] * 255).round().astype(int).reshape(-1, 3)
    seen = {tuple(colour) for colour in image[::7].tolist()}
    bars = [tuple(round(255 * part) for part in to_rgb(breakdown.COLOURS[cause])) for cause in ("far_load", "near_load")]
    assert {(255, 255, 255), *bars} <= seen, "white, and two causes of figure 3"
