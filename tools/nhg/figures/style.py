# SPDX-License-Identifier: Apache-2.0
"""How every figure looks: colours that colour-blind readers tell apart, sizes, how a missing point is marked, and files."""

import io
import itertools
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.markers import CARETDOWNBASE, CARETUPBASE

from nhg.errors import NhgError, no_space
from nhg.variants import CHECKER, VARIANTS

plt.rcParams |= {
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "text.parse_math": False,  # a title is text
    "svg.hashsalt": "nhg",  # the same picture has the same bytes
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "savefig.dpi": 160,
}
# The hues of Okabe and Ito, each in a lightness that no other has, so that they tell apart in grey, too; serial is grey.
VARIANT_COLOURS = {
    "serial": "#adadad",
    "tuned": "#444444",
    "coroutine": "#cb7a00",
    "amac": "#f0e442",
    "tasks": "#5a0a00",
    "static": "#7cc8f2",
    "getfin": "#008560",
    "bafin": "#d184ae",
    "full": "#0062a3",
}
OTHERS = ("#cc6677", "#ddcc77", "#882255", "#44aa99", "#117733", "#661100", "#332288", "#aa4499")  # of Tol, for variants of an experiment's own
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\")
MARKERS = "osD^vPX*<>hp"
MISSING = "#c00000"
PAPER = "#000000"
assert set(VARIANT_COLOURS) == set(VARIANTS) - {CHECKER}
NOTE_COLUMNS = 150
NOTES_MAX = 12
AXIS_COLUMNS = 26
WIDTH_INCHES = 5.5  # of a figure, where it may be so wide


def colours(series: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Colour and hatch of each series, from its variant: series of one variant share the colour and differ in hatch."""
    others = iter(OTHERS * 4)
    own: dict[str, str] = {}
    used: dict[str, int] = {}
    found = {}
    for name, variant in series.items():
        colour = VARIANT_COLOURS.get(variant) or own.setdefault(variant, next(others))
        found[name] = (colour, HATCHES[used.get(variant, 0) % len(HATCHES)])
        used[variant] = used.get(variant, 0) + 1
    return found


def tag(artist: Artist, about: str) -> None:
    """Say what run a mark stands for; the report shows it (report.py)."""
    artist.set_gid(f"run:{about}")


def wrapped(title: str) -> str:
    """The title of an axis in lines that fit a panel's height."""
    return textwrap.fill(title, AXIS_COLUMNS)


# Marks of what the paper's text says: a number, or a bound, which points to where the value is.
PUBLISHED: dict[str | None, dict] = {
    None: {"marker": "D", "markersize": 3.5, "markerfacecolor": "white", "markeredgecolor": PAPER},
    "less than": {"marker": CARETDOWNBASE, "markersize": 4.5, "color": PAPER},
    "more than": {"marker": CARETUPBASE, "markersize": 4.5, "color": PAPER},
}


def mark_published(axes: Axes, x: float, width: float, value: float, bound: str | None) -> list[Artist]:
    """At a bar: the paper's number, or its bound as a line over the bar with the mark at its side."""
    marks: list[Artist] = list(axes.plot(x, value, linestyle="none", zorder=5, **PUBLISHED[bound]))
    return marks if bound is None else [*marks, *axes.plot([x - width / 2, x + width / 2], [value, value], color=PAPER, linewidth=1.2, zorder=5)]


def mark_missing(axes: Axes, x: float, reason: str, bottom: float = 0) -> None:
    """Where a bar would stand, in words."""
    text = axes.annotate("missing", (x, bottom), rotation=90, ha="center", va="bottom", fontsize=6, color=MISSING, xytext=(0, 2), textcoords="offset points")
    tag(text, f"missing: {reason}")


def placed(quantities: list[str], columns: int) -> list[tuple[int, int]]:
    """Row and column of each panel, given its quantity: every quantity begins a row."""
    found: list[tuple[int, int]] = []
    for number, quantity in enumerate(quantities):
        row, column = found[-1] if found else (-1, columns)
        again = number > 0 and quantity == quantities[number - 1]
        found.append((row, column + 1) if again and column + 1 < columns else (row + 1, 0))
    return found


def panels(quantities: list[str], columns: int, inches: tuple[float, float], limit: float) -> tuple[Figure, dict[tuple[int, int], Axes]]:
    """A figure of panels of so many inches, one for each of the quantities, as many beside each other as fit; by row and column, in their order."""
    columns = max(1, min(max(map(quantities.count, quantities)), columns, int(limit / inches[0])))
    places = placed(quantities, columns)
    rows = places[-1][0] + 1
    size = (max(inches[0] * columns, min(WIDTH_INCHES, limit)), inches[1] * rows)
    figure, grid = plt.subplots(rows, columns, figsize=size, squeeze=False)
    for row, column in set(itertools.product(range(rows), range(columns))) - set(places):
        grid[row, column].axis("off")
    return figure, {place: grid[place] for place in places}


def finish(figure: Figure, title: str, handles: list, labels: list[str], notes: list[str]) -> None:
    """Title (its second line smaller) and legend in rows of their own above the panels, the first notes below; the figure grows by their height.
    Without a title, as in the report, whose page has both in words, there are no notes either."""
    shown = [textwrap.shorten(line, NOTE_COLUMNS, placeholder=" …") for line in notes[:NOTES_MAX]] if title else []
    if shown and len(notes) > NOTES_MAX:
        shown.append(f"… and {len(notes) - NOTES_MAX} more, in the table")
    width, panels = figure.get_size_inches()
    columns = max(1, min(len(labels), int(width / (0.45 + 0.075 * max([len(label) for label in labels], default=1)))))
    heading = 0.33 if title else 0
    above, below = heading + 0.09 + 0.17 * -(-len(labels) // columns), 0.12 * len(shown) + (0.08 if shown else 0)
    height = above + panels + below
    figure.set_size_inches(width, height)
    figure.tight_layout(rect=(0, below / height, 1, 1 - above / height))
    head, _, conditions = title.partition("\n")
    figure.text(0.5, 1 - 0.06 / height, head, fontsize=10, ha="center", va="top")
    figure.text(0.5, 1 - 0.24 / height, conditions, fontsize=7, ha="center", va="top", color="#444444")
    figure.text(0.01, 0.04 / height, "\n".join(shown), fontsize=6, color=MISSING, va="bottom", linespacing=1.15)
    if labels:
        figure.legend(handles, labels, loc="upper center", ncol=columns, frameon=False, bbox_to_anchor=(0.5, 1 - heading / height), handlelength=1.6)


DATES = {"pdf": {"CreationDate": None}, "png": None, "svg": {"Date": None}}  # metadata that would differ from time to time


def svg(figure: Figure) -> str:
    """The picture as text, for the report."""
    written = io.StringIO()
    figure.savefig(written, format="svg", metadata=DATES["svg"])
    plt.close(figure)
    return written.getvalue()


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write <stem>.pdf, .png and .svg."""
    places = [stem.with_name(f"{stem.name}.{kind}") for kind in DATES]
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        for place in places:
            figure.savefig(place, metadata=DATES[place.suffix[1:]])
    except OSError as error:
        raise (no_space(stem.parent) if error.errno == 28 else NhgError(f"cannot write {error.filename}: {error.strerror}")) from None
    finally:
        plt.close(figure)
    return places
