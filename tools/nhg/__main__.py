# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import environment

if __name__ == "__main__":
    environment.enter("nhg")
    from nhg import options

    try:
        command, given = options.parse(sys.argv[1:])
    except options.OptionError as error:
        sys.exit(f"nhg: {error}")
    from nhg.cli import main

    main(command, given)
