"""``python -m wug`` is ``wug``."""

import sys

from wug.cli.main import run

if __name__ == "__main__":
    sys.exit(run())
