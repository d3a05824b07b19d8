# SPDX-License-Identifier: Apache-2.0
"""The mechanisms that `python -m ablation` turns off: every file belongs to one, and what is off is there as it was."""
# RUN: env PYTHONPATH=%compiler:%compiler/../../tools %pytest %s

from collections import Counter

from ablation.mechanism import FOLDERS, LIB, listed

MOST = 30


def test_every_file_belongs_to_one_mechanism() -> None:
    of = Counter(path for mechanism in listed() for path in mechanism.sources)
    files = {path for folder in FOLDERS for path in (LIB / folder).iterdir()}
    assert set(of) == files and set(of.values()) == {1}
    assert len(listed()) <= MOST and all(list(LIB.glob(pattern)) for mechanism in listed() for pattern in mechanism.files)


def test_what_is_turned_off_is_there() -> None:
    for mechanism in listed():
        assert all(text != (LIB / name).read_text() for name, text in mechanism.changed().items())
        assert mechanism.can_be_off or mechanism.keeps
