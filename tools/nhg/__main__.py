# SPDX-License-Identifier: Apache-2.0
from nhg.cli import main

main()
