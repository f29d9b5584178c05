"""The folder that a report is written to: claims it, never touches a file that is not a report's."""

import json
from pathlib import Path, PurePosixPath

import wug
from wug.errors import InputError

MARKER = "wug-report.json"
"""Lists the files that the report consists of; only a folder that has it is written over."""


class ReportFolder:
    """A folder being filled with a report.

    Files appear under their names only when complete. A crash leaves a folder that is still marked as a report's, with
    a mixture of old and new pages; making the report again completes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written: dict[str, None] = {}

    def claim(self) -> None:
        """Make the folder, or take over an earlier report's; refuse any other folder that is not empty."""
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"the report needs a folder, but '{self.path}' is a file")
        if self.path.is_dir() and any(self.path.iterdir()) and not (self.path / MARKER).is_file():
            raise InputError(f"'{self.path}' holds files that are not a report's; give another folder with -o")
        earlier = self._earlier_files()
        self.path.mkdir(parents=True, exist_ok=True)
        self._mark(earlier)

    def write(self, name: str, content: str | bytes) -> None:
        """Write one file; ``name`` is its path inside the folder, with forward slashes."""
        self._written[name] = None
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, content.encode() if isinstance(content, str) else content)

    def finish(self) -> list[Path]:
        """Remove what only the earlier report had, note what there is now, and return its files in order of writing."""
        for name in self._earlier_files():
            if name not in self._written:
                (self.path / name).unlink(missing_ok=True)
        self._mark(list(self._written))
        return [self.path / name for name in self._written]

    def _mark(self, names: list[str]) -> None:
        marker = {"made_by": f"wug {wug.__version__}", "files": sorted(names)}
        _replace(self.path / MARKER, (json.dumps(marker, indent=1, ensure_ascii=False) + "\n").encode())

    def _earlier_files(self) -> list[str]:
        marker = self.path / MARKER
        if not marker.is_file():
            return []
        try:
            names = json.loads(marker.read_text("utf-8"))["files"]
            inside = [
                name for name in names if ".." not in (path := PurePosixPath(name)).parts and not path.is_absolute()
            ]
        except (ValueError, TypeError, KeyError):
            raise InputError(
                f"'{marker}' is not the list of a report's files; give another folder with -o, or remove this one"
            ) from None
        return inside


def _replace(target: Path, content: bytes) -> None:
    partial = target.with_name(f".{target.name}.partial")
    partial.write_bytes(content)
    partial.replace(target)
