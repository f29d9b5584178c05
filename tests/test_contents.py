import pytest

from wug.contents import Content, content_hash
from wug.errors import InputError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data" / "inner").mkdir(parents=True)
    (tmp_path / "data" / "a.txt").write_text("a")
    (tmp_path / "data" / "inner" / "b.txt").write_text("b")
    return tmp_path / "data"


def test_the_same_content_elsewhere_is_the_same(folder, tmp_path):
    copy = tmp_path / "copy"
    (copy / "inner").mkdir(parents=True)
    (copy / "inner" / "b.txt").write_text("b")
    (copy / "a.txt").write_text("a")
    assert content_hash(copy) == content_hash(folder)
    assert Content.of(copy) == Content.of(folder)
    assert Content.of(copy).location != Content.of(folder).location


@pytest.mark.parametrize("change", ["edit", "rename", "move", "add"])
def test_every_change_of_a_folder_changes_its_hash(folder, change):
    before = content_hash(folder)
    if change == "edit":
        (folder / "inner" / "b.txt").write_text("c")
    elif change == "rename":
        (folder / "a.txt").rename(folder / "c.txt")
    elif change == "move":
        (folder / "inner" / "b.txt").rename(folder / "b.txt")
    else:
        (folder / "empty.txt").touch()
    assert content_hash(folder) != before


def test_hidden_files_do_not_count(folder):
    before = content_hash(folder)
    (folder / ".DS_Store").write_text("x")
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("x")
    assert content_hash(folder) == before


def test_links_count_by_what_they_lead_to(folder, tmp_path):
    target = tmp_path / "blob"
    (folder / "a.txt").rename(target)
    before = content_hash(folder)
    (folder / "a.txt").symlink_to(target)
    assert content_hash(folder) != before
    target.write_text("changed")
    changed = content_hash(folder)
    (folder / "a.txt").unlink()
    (folder / "a.txt").write_text("changed")
    assert content_hash(folder) == changed


def test_a_folder_that_contains_itself_is_refused(folder):
    (folder / "loop").symlink_to(folder)
    with pytest.raises(InputError, match="contains itself"):
        content_hash(folder)


def test_a_path_that_does_not_exist_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="nowhere cannot be read: No such file"):
        Content.of(tmp_path / "nowhere")


def test_content_that_changed_is_not_handed_out(folder):
    content = Content.of(folder)
    assert content.path() == folder
    (folder / "a.txt").write_text("other")
    with pytest.raises(InputError, match="has changed since"):
        content.path()
