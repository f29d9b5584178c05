"""Names and files become learners; what decides a trial enters the identity, and nothing else."""

import json
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from wug.errors import InputError
from wug.learners import registry
from wug.learners.registry import build_learner, learner_cards, parse_learner

ENCODER = """
import torch

class Net(torch.nn.Module):
    def __init__(self, vocabulary_size: int, width: int = 4, scale: float = 1.0):
        super().__init__()
        self.table = torch.nn.Embedding(vocabulary_size, width)

    def forward(self, ids):
        return self.table(ids)
"""

LEARNER = """
class Fixed:
    settings = frozenset({"language_modelling"})

    def __init__(self, answer: int = 3):
        self.answer = answer

    def fit(self, data, seed, *, state=None, on_epoch=None):
        return self.answer

READY = Fixed(7)
"""


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "mynet.py"
    path.write_text(ENCODER)
    return path


@pytest.mark.parametrize("name", [card.name for card in learner_cards()])
def test_every_card_can_be_parsed_and_built(name: str) -> None:
    (card,) = (card for card in learner_cards() if card.name == name)
    assert build_learner(parse_learner(name)).settings >= card.settings


def test_parsing_needs_no_torch(net: Path) -> None:
    code = (
        "import sys; from wug.learners.registry import parse_learner, learner_cards; learner_cards();"
        f"parse_learner('lstm'); parse_learner('transformer'); parse_learner({f'{net}:Net'!r});"
        "assert 'torch' not in sys.modules, 'torch was imported'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_symbolic_learners_need_no_torch() -> None:
    code = (
        "import sys; from wug.learners.registry import _SYMBOLIC as names, build_learner, parse_learner\n"
        "[parse_learner(name) for name in names]\n"
        "assert names and 'numba' not in sys.modules, 'numba was imported'\n"
        "[build_learner(parse_learner(name)) for name in names]\n"
        "assert 'torch' not in sys.modules, 'torch was imported'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_identity_holds_every_default() -> None:
    identity = parse_learner("lstm", {"epochs": 5}).identity()
    assert identity["options"]["epochs"] == 5
    assert identity["options"]["width"] == 32
    assert identity["options"]["learning_rate"] == 0.01
    assert list(identity["options"]) == sorted(identity["options"])


def test_a_default_written_out_is_the_same_learner() -> None:
    written = parse_learner("lstm", {"width": "32", "learning_rate": 0.01})
    assert written.identity() == parse_learner("lstm").identity()
    assert written.label == "lstm learning_rate=0.01 width=32"


def test_identity_is_that_of_the_content_not_the_place(net: Path, tmp_path: Path) -> None:
    spec = parse_learner(f"{net}:Net")
    copy = tmp_path / "elsewhere" / "other.py"
    copy.parent.mkdir()
    copy.write_bytes(net.read_bytes())
    assert parse_learner(f"{copy}:Net").identity() == spec.identity()
    net.write_text(ENCODER + "\n# edited\n")
    assert parse_learner(f"{net}:Net").identity() != spec.identity()
    assert str(tmp_path) not in str(spec.identity())


def test_an_edited_file_is_not_built_under_the_old_identity(net: Path) -> None:
    spec = parse_learner(f"{net}:Net")
    build_learner(spec)
    net.write_text(ENCODER + "\n# edited\n")
    with pytest.raises(InputError, match="has changed since"):
        build_learner(spec)


def test_modules_beside_the_file_count_and_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("from layers import Base\nclass Mine(Base): pass\n")
    (tmp_path / "layers.py").write_text(
        "from deeper import ANSWER\n" + LEARNER.replace("answer: int = 3", "answer: int = ANSWER")
    )
    (tmp_path / "deeper.py").write_text("ANSWER = 1\n")
    (tmp_path / "layers.py").write_text((tmp_path / "layers.py").read_text() + "\nclass Base(Fixed): pass\n")
    first = parse_learner(f"{tmp_path}/main.py:Mine")
    assert build_learner(first).fit(None, 0) == 1
    (tmp_path / "deeper.py").write_text("ANSWER = 2\n")
    second = parse_learner(f"{tmp_path}/main.py:Mine")
    assert second.content != first.content
    assert build_learner(second).fit(None, 0) == 2
    assert not {"layers", "deeper"} & set(sys.modules)


def test_a_user_learner_class_takes_its_own_options(tmp_path: Path) -> None:
    path = tmp_path / "fixed.py"
    path.write_text(LEARNER)
    assert build_learner(parse_learner(f"{path}:Fixed", {"answer": "5"})).fit(None, 0) == 5
    with pytest.raises(InputError, match="unknown option of Fixed 'epochs'"):
        parse_learner(f"{path}:Fixed", {"epochs": 3})


def test_a_user_learner_object_is_used_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "fixed.py"
    path.write_text(LEARNER)
    assert build_learner(parse_learner(f"{path}:READY")).fit(None, 0) == 7
    with pytest.raises(InputError, match="takes no options"):
        parse_learner(f"{path}:READY", {"answer": 1})


def test_options_go_to_the_encoder_and_to_the_training(net: Path) -> None:
    learner = build_learner(parse_learner(f"{net}:Net", {"scale": "2", "epochs": "7", "batch_size": "16"}))
    assert learner.options == {"width": 4, "scale": 2.0}
    assert learner.training.epochs == 7
    assert learner.training.batch_size == 16


def test_oracle_takes_a_rule() -> None:
    spec = parse_learner("oracle:count")
    assert spec.label == "oracle:count"
    assert build_learner(spec).rule == "count"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("lsmt", {}, "unknown learner 'lsmt'; did you mean 'lstm'"),
        ("uniform:x", {}, "unknown learner"),
        ("uniform", {"width": 1}, "uniform takes no options"),
        ("lstm", {"widht": 8}, "unknown option of LSTM 'widht'; did you mean 'width'"),
        ("lstm", {"width": "wide"}, "option 'width' of LSTM cannot be 'wide'"),
        ("lstm", {"learning_rate": -1}, "option 'learning_rate' of LSTM cannot be -1"),
        ("lstm", {"learning_rate": "nan"}, "learning_rate"),
        ("lstm", {"batch_size": 0}, "option 'batch_size' of LSTM cannot be 0"),
        ("lstm", {"optimizer": "adm"}, "optimizer"),
        ("lstm", {"device": "toaster"}, "device"),
        ("transformer", {"positions": "learned"}, "option 'positions' of Transformer cannot be 'learned'"),
        ("string-extension-sl", {"k": "two"}, "option 'k' of StrictlyLocal cannot be 'two'"),
        ("string-extension-sl", {"epochs": 3}, "unknown option of StrictlyLocal 'epochs'"),
        ("nowhere/net.py:Net", {}, "nowhere/net.py cannot be read: No such file"),
    ],
)
def test_what_is_wrong_is_said_when_parsing(text: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_learner(text, options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("source", "class_name", "message"),
    [
        (ENCODER, "Nett", "did you mean 'Net'"),
        (ENCODER, "", "name the learner's class too"),
        ("class Net:\n  def forward(self:\n", "Net", "line 2"),
        ("x = 1\n", "x", "neither a class nor an object"),
        ("import torch\nraise KeyError('boom')\nclass Net(Base): pass", "Net", "KeyError: 'boom' (line 2)"),
        (ENCODER.replace("scale: float = 1.0", "epochs: int = 1"), "Net", "ambiguous"),
        (ENCODER.replace("width: int = 4", "width: int"), "Net", "needs the option 'width'"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, source: str, class_name: str, message: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    options = {"epochs": 2} if "epochs: int" in source else {}
    location = f"{path}:{class_name}" if class_name else str(path)
    with pytest.raises(InputError) as caught:
        parse_learner(location, options)
    assert message in str(caught.value)


def test_constructors_that_cannot_be_read_are_imported(tmp_path: Path) -> None:
    path = tmp_path / "derived.py"
    path.write_text(
        ENCODER
        + "\nclass Child(Net):\n    pass\n\nDEFAULT = 2 * 3\n\n"
        + ENCODER.replace("class Net", "class Computed").replace("= 4", "= DEFAULT")
    )
    assert parse_learner(f"{path}:Child", {"width": "8"}).options == {"width": 8}
    assert parse_learner(f"{path}:Computed").identity()["options"]["width"] == 6


def test_entry_points_of_other_packages_are_learners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other_package.py").write_text(ENCODER + LEARNER)
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [
        EntryPoint(name=name, value=f"other_package:{attribute}", group="wug.learners")
        for name, attribute in (("other-net", "Net"), ("ready", "READY"), ("gone", "Gone"))
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == "wug.learners" else [])
    assert {"other-net", "ready"} <= {card.name for card in learner_cards()}
    spec = parse_learner("other-net", {"width": "6", "epochs": 3})
    assert (spec.label, spec.location) == ("other-net epochs=3 width=6", None)
    assert spec.content is not None
    assert build_learner(spec).options == {"width": 6, "scale": 1.0}
    assert build_learner(parse_learner("ready")).fit(None, 0) == 7
    with pytest.raises(InputError, match="'gone' of the package other_package cannot be loaded"):
        parse_learner("gone")
    (tmp_path / "other_package.py").write_text(ENCODER + LEARNER + "# edited\n")
    with pytest.raises(InputError, match="has changed since"):
        build_learner(spec)


def test_identities_can_be_written_as_json(net: Path) -> None:
    spec = parse_learner(f"{net}:Net", {"width": 3})
    assert json.loads(json.dumps(spec.identity(), allow_nan=False)) == spec.identity()
