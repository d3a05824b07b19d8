# SPDX-License-Identifier: Apache-2.0
"""The command line behind `make run`, `make figures` and `make new-benchmark`."""
