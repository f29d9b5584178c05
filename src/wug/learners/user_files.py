"""Learners in users' own Python files: found, hashed with what they import from beside them, and loaded."""

import ast
import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from wug.errors import InputError, unknown_name
from wug.learners.constructors import Constructor, constructor_of, read_constructor


@dataclass(frozen=True)
class UserFile:
    """A class in a Python file, as it was when it was read."""

    path: Path
    class_name: str
    source: bytes
    sha256: str
    """Hash of the file and of the modules beside it that it imports, however indirectly; never of their place."""

    @staticmethod
    def is_location(text: str) -> bool:
        """Return whether the text means a file: ``path/file.py:Class`` (or the file alone, which ``read`` refuses)."""
        return text.endswith(".py") or ".py:" in text

    @classmethod
    def read(cls, location: str) -> "UserFile":
        """Read ``path/file.py:Class``; InputError says what is missing, or the line of a syntax error."""
        written, colon, class_name = location.rpartition(":")
        path = Path(written if colon and written.endswith(".py") else location).expanduser()
        try:
            source = path.read_bytes()
        except OSError as error:
            raise InputError(f"the learner's file {path} cannot be read: {error.strerror}") from None
        names = _top_level_names(_parse(source, path))
        if str(path) == location or not class_name:
            raise InputError(f"name the learner's class too: {path}:{names[0] if names else 'CLASS'}")
        if class_name not in names and "*" not in names:
            raise unknown_name(f"class in {path}:", class_name, names or ["none"])
        return cls(path, class_name, source, _hash_with_neighbours(source, path))

    @classmethod
    def of(cls, subject: Any) -> "UserFile":
        """Return the file that defines an imported class or object."""
        kind = subject if isinstance(subject, type) else type(subject)
        path = Path(inspect.getfile(kind))
        source = path.read_bytes()
        return cls(path, kind.__name__, source, _hash_with_neighbours(source, path))

    def constructor(self) -> Constructor:
        """Return the options of the class, from the source where that tells, else by importing the file."""
        constructor = read_constructor(_parse(self.source, self.path), self.class_name)
        if constructor is not None:
            return constructor
        subject = self.load()
        return constructor_of(subject) if isinstance(subject, type) else Constructor(self.class_name, {}, fits=True)

    def load(self) -> Any:
        """Run the file, once per content, and return its class or learner; InputError where that fails.

        The file may import modules beside it; they are not left behind for others to import.
        """
        name = f"wug_learner_{self.sha256}"
        if name not in sys.modules:
            module = ModuleType(name)
            module.__file__ = str(self.path)
            sys.modules[name] = module  # dataclasses and type hints look their module up
            try:
                with _importable(self.path.resolve().parent):
                    exec(compile(self.source, str(self.path), "exec"), module.__dict__)
            except Exception as error:
                del sys.modules[name]
                raise InputError(
                    f"{self.path} cannot be imported: {type(error).__name__}: {error}{_line_in(error, self.path)}"
                ) from error
        try:
            subject = getattr(sys.modules[name], self.class_name)
        except AttributeError:
            raise InputError(f"{self.path} does not define {self.class_name}") from None
        if not isinstance(subject, type) and not hasattr(subject, "fit"):
            raise InputError(f"{self.class_name} in {self.path} is neither a class nor an object with a method 'fit'")
        return subject


def _parse(source: bytes, path: Path) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise InputError(f"{path}, line {error.lineno}: {error.msg}") from None
    except ValueError as error:
        raise InputError(f"{path} is no Python file: {error}") from None


def _top_level_names(tree: ast.Module) -> list[str]:
    """Return the names that a module binds, classes first; '*' where it imports all names of another."""
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    others = [
        alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    for node in tree.body:
        if isinstance(node, ast.Assign):
            others += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            others.append(node.target.id)
    return classes + others


def _hash_with_neighbours(source: bytes, path: Path) -> str:
    """Return the hash of a file, or of the hashes of all files where it imports some from its own folder."""
    hashes = {"": hashlib.sha256(source).hexdigest()}
    waiting = [source]
    while waiting:
        for name in _imported_modules(_parse(waiting.pop(), path)):
            for neighbour in _files_of(path.parent, name):
                key = neighbour.relative_to(path.parent).as_posix()
                if key not in hashes and neighbour.resolve() != path.resolve():
                    content = neighbour.read_bytes()
                    hashes[key] = hashlib.sha256(content).hexdigest()
                    waiting.append(content)
    if len(hashes) == 1:
        return hashes[""]
    return hashlib.sha256("\n".join(f"{key} {value}" for key, value in sorted(hashes.items())).encode()).hexdigest()


def _imported_modules(tree: ast.Module) -> set[str]:
    """Return the first parts of the names of all modules that a module imports anywhere."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def _files_of(folder: Path, name: str) -> list[Path]:
    """Return the file of a module in a folder, or all files of a package there; nothing where there is none."""
    package, module = folder / name, folder / f"{name}.py"
    if (package / "__init__.py").is_file():
        return sorted(package.rglob("*.py"))
    return [module] if module.is_file() else []


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Let modules in a folder be imported, and forget them afterwards (another file may have others so named)."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None)
            if origin and Path(origin).is_relative_to(folder) and not name.startswith("wug_learner_"):
                del sys.modules[name]


def _line_in(error: BaseException, path: Path) -> str:
    """Return the last line of the file that an error passed through, as words."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f" (line {lines[-1]})" if lines else ""
