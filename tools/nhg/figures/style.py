# SPDX-License-Identifier: Apache-2.0
"""How every figure looks: colours that colour-blind readers tell apart, sizes, how a missing point is marked, and files."""

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
AXIS_COLUMNS = 26


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


def notes_below(figure: Figure, lines: list[str], left_of: int = 12) -> float:
    """Write lines below the panels, the first so many; return the height they take, inches."""
    shown = [textwrap.shorten(line, NOTE_COLUMNS, placeholder=" …") for line in lines[:left_of]]
    if len(lines) > left_of:
        shown.append(f"… and {len(lines) - left_of} more, in the table")
    height = 0.12 * len(shown) + (0.08 if shown else 0)
    figure.text(0.01, 0.04 / figure.get_figheight(), "\n".join(shown), fontsize=6, color=MISSING, va="bottom", linespacing=1.15)
    return height


def finish(figure: Figure, title: str, handles: list, labels: list[str], below: float) -> None:
    """Title (its second line smaller) and legend in rows of their own above the panels, which get the rest."""
    width, height = figure.get_size_inches()
    columns = max(1, min(len(labels), int(width / (0.45 + 0.075 * max([len(label) for label in labels], default=1)))))
    rows = -(-len(labels) // columns)
    figure.tight_layout(rect=(0, below / height, 1, 1 - (0.42 + 0.17 * rows) / height))
    head, _, conditions = title.partition("\n")
    figure.text(0.5, 1 - 0.06 / height, head, fontsize=10, ha="center", va="top")
    figure.text(0.5, 1 - 0.24 / height, conditions, fontsize=7, ha="center", va="top", color="#444444")
    if labels:
        figure.legend(handles, labels, loc="upper center", ncol=columns, frameon=False, bbox_to_anchor=(0.5, 1 - 0.33 / height), handlelength=1.6)


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write <stem>.pdf, .png and .svg, the last for the report."""
    places = [stem.with_name(f"{stem.name}.{kind}") for kind in ("pdf", "png", "svg")]
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        for place in places:
            figure.savefig(place, metadata={"Date": None} if place.suffix == ".svg" else {"CreationDate": None} if place.suffix == ".pdf" else None)
    except OSError as error:
        raise (no_space(stem.parent) if error.errno == 28 else NhgError(f"cannot write {error.filename}: {error.strerror}")) from None
    finally:
        plt.close(figure)
    return places
