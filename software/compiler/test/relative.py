# SPDX-License-Identifier: Apache-2.0
"""The format of the tests."""

import os
from pathlib import Path

import lit.formats
import lit.Test
import lit.TestRunner


class Relative(lit.formats.ShTest):
    """%s and %t are relative to the folder that a test runs in: what a test looks at holds no path of the checkout, whose words it may look for."""

    def execute(self, test: lit.Test.Test, lit_config: object) -> lit.Test.Result:
        place = Path(test.getExecPath())
        source = os.path.relpath(test.getSourcePath(), place.parent)
        substitutions = [(r"%s\b", source), (r"%t\b", f"./Output/{place.name}.tmp")]
        return lit.TestRunner.executeShTest(test, lit_config, self.execute_external, substitutions)
