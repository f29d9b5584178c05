"""What a local worker process does as it starts; Dask calls ``dask_setup``."""

import signal
from typing import Any

from wug.studies.running import use_one_thread


def dask_setup(worker: Any) -> None:
    """Leave Ctrl-C, which the terminal sends to every process, to the coordinator."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use_one_thread()
