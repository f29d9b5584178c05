"""How long the commands take that people type while they think: from the shell to the end of the process."""

import resource
import subprocess
import sys

import pytest


@pytest.mark.parametrize("arguments", ["--help", "list", "list studies", "status --help", "run --help"])
def test_startup(benchmark, arguments):
    command = [sys.executable, "-c", "from wug.cli.main import run; run()", *arguments.split()]

    def start():
        subprocess.run(command, check=True, capture_output=True)

    benchmark.pedantic(start, rounds=10, warmup_rounds=1)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    benchmark.extra_info["cpu seconds"] = round(cpu, 3)
    print(arguments, dict(benchmark.extra_info))
