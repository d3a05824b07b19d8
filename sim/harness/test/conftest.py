# SPDX-License-Identifier: Apache-2.0
"""Options of the simulator tests."""


def pytest_addoption(parser) -> None:
    parser.addoption("--sim", default="build/sim-standin/nhg-sim", help="simulator built with the traffic generator")
