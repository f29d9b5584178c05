"""Files and folders that decide a trial's outcome, known by what is in them and never by where they are."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from wug.errors import InputError


@dataclass(frozen=True)
class Content:
    """The content of a file or folder, and where it was found.

    A benchmark puts one in the place of a setting that is a path: the hash enters the trial's id, the location does
    not. Two are equal when their contents are.
    """

    sha256: str
    location: str = field(compare=False)

    @classmethod
    def of(cls, path: str | Path) -> "Content":
        """Read a file or folder; raises InputError where there is none."""
        location = Path(path).expanduser().absolute()
        return cls(content_hash(location), str(location))

    def path(self) -> Path:
        """Return the location; raises InputError where it no longer holds this content."""
        if content_hash(self.location) != self.sha256:
            raise InputError(f"{self.location} has changed since this trial was planned; start the command again")
        return Path(self.location)


def content_hash(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes, or of the names and hashes of all files in a folder.

    Names are relative to the folder and sorted, links are followed, hidden files and folders (``.git``, ``.cache``)
    are left out. Raises InputError for a path that does not exist or cannot be read.
    """
    path = Path(path)
    try:
        if not path.is_dir():
            return _file_hash(path)
        lines = sorted(f"{name}\0{_file_hash(file)}\n" for name, file in _files(path, "", frozenset()))
    except OSError as error:
        raise InputError(f"{error.filename or path} cannot be read: {error.strerror}") from None
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _files(folder: Path, prefix: str, above: frozenset[Path]) -> Iterator[tuple[str, Path]]:
    """Yield (name relative to the top, path) of all files below a folder."""
    real = folder.resolve()
    if real in above:
        raise InputError(f"{folder} contains itself through a link")
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/", above | {real})
        else:
            yield prefix + entry.name, entry
