"""Reading and writing text files of automata, with the line in every complaint."""

import gzip
import zlib
from pathlib import Path

from wug.errors import InputError
from wug.sequences.text import replace_file


def read_text(path: Path | str) -> str:
    """Return a UTF-8 file's text, decompressed if its name ends in .gz."""
    try:
        content = Path(path).read_bytes()
        if Path(path).suffix == ".gz":
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason})") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong_line(path, content.count(b"\n", 0, error.start) + 1, "not UTF-8 text") from None


def write_text(path: Path | str, text: str) -> None:
    """Write a UTF-8 file, compressed if its name ends in .gz; a crash leaves the old file or the new one."""
    content = text.encode("utf-8")
    if Path(path).suffix == ".gz":
        content = gzip.compress(content, mtime=0)
    try:
        replace_file(Path(path), content)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from error


def wrong_line(source: Path | str, line: int, sentence: str) -> InputError:
    """Return the error for what is wrong in a line, counted from 1, of a file."""
    return InputError(f"{source}, line {line}: {sentence}")
