"""``python -m wug`` is ``wug``."""

from wug.cli.main import run

if __name__ == "__main__":
    run()
