# SPDX-License-Identifier: Apache-2.0
"""The time that goes to downloads, which is the network's and not this project's: `@downloads.timed()` and `downloads.seconds()`."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

_spent: list[float] = []


@contextmanager
def timed() -> Iterator[None]:
    began = time.monotonic()
    try:
        yield
    finally:
        _spent.append(time.monotonic() - began)


def seconds() -> float:
    return sum(_spent)
