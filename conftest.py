# SPDX-License-Identifier: Apache-2.0
"""The marker `long`: tests that only the campaign `make test LENGTH=n` runs, for their minutes."""

import os

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: part of `make test LENGTH=n` with n above 1, for its minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if int(os.environ.get("NHG_TEST_LENGTH", "1")) > 1:
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
