# SPDX-License-Identifier: Apache-2.0
"""Figures of experiments: quantities.py computes what is shown, bars.py, lines.py and breakdown.py draw, tables.py writes, report.py makes the page."""
