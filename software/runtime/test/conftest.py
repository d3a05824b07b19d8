# SPDX-License-Identifier: Apache-2.0
"""`--target iss|sim`: the golden model, or RTL in lock-step with it."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--target", default="iss", choices=("iss", "sim"))


@pytest.fixture
def target(request: pytest.FixtureRequest) -> str:
    return request.config.getoption("--target")
