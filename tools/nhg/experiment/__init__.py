# SPDX-License-Identifier: Apache-2.0
"""Experiments: a YAML file in, records and a set of them out. schema.py, load.py -> grid.py -> execute.py, native.py -> dataset.py, sets.py -> compare.py."""
