"""A git history becomes the changes of a live wiki: stable ids through renames, orders by position, nothing told twice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from connectors.sources.git import History, Revision
from connectors.sources.native import NativeAdapter
from derive.markup.forms import form_of
from derive.tree import Form
from schemas.change import Delete, DocumentChange, Move, Put
from schemas.errors import BadSettings, Inconsistent
from tests.sources.messages import ORDERED, letter, raw
from tests.sources.repository import START, Repository

LONG = "".join(f"Berth {number} takes ships of {number}0 metres.\n" for number in range(1, 21))
Told = tuple[str, str, int, str | None]


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with Repository(tmp_path / "wiki") as found:
        yield found


def walk(repository: Repository) -> list[Revision]:
    with History(repository.path) as history:
        return list(history.news())


def events(revisions: list[Revision]) -> list[dict[str, Any]]:
    return [orjson.loads(value) for revision in revisions for _, value in revision.messages]


def told(repository: Repository) -> list[Told]:
    """Return (kind, id, order, path) of all that is told."""
    return [(event["kind"], event["id"], event["order"], event.get("path")) for event in events(walk(repository))]


def test_a_file_that_is_added_edited_and_removed_is_one_document(repository: Repository) -> None:
    repository.commit({"quay.md": "Nine berths."})
    repository.commit({"quay.md": "Eleven berths."})
    repository.commit({"quay.md": None})
    assert told(repository) == [("put", "quay.md", 0, "quay.md"), ("put", "quay.md", 1, "quay.md"), ("delete", "quay.md", 2, None)]


def test_a_change_carries_text_author_and_commit_time(repository: Repository) -> None:
    repository.commit({"guide/quay.rst": "Nine berths."})
    (event,) = events(walk(repository))
    assert event == {
        "format": 1,
        "kind": "put",
        "id": "guide/quay.rst",
        "order": 0,
        "time": START + 60,
        "time_unit": "s",
        "author": "Orla Finch",
        "path": "guide/quay.rst",
        "media_type": "text/x-rst",
        "body": "Nine berths.",
    }


def test_the_key_of_a_message_is_the_document(repository: Repository) -> None:
    repository.commit({"quay.md": LONG})
    repository.commit({"quay.md": None, "north/quay.md": LONG})
    assert [key for revision in walk(repository) for key, _ in revision.messages] == [b"quay.md", b"quay.md"]


def test_every_message_is_a_native_change(repository: Repository) -> None:
    repository.commit({"quay.md": LONG, "pier.txt": "Two cranes."})
    repository.commit({"quay.md": None, "pier.txt": None, "north/quay.md": LONG})
    decoded: list[DocumentChange] = []
    for revision in walk(repository):
        for key, value in revision.messages:
            (change,) = NativeAdapter(ORDERED).decode(raw(value, key))
            assert isinstance(change, Put | Move | Delete)
            decoded.append(change)
    assert [type(change) for change in decoded] == [Put, Put, Move, Delete]
    assert {change.stamp.time_suspect for change in decoded} == {False}


def test_a_rename_is_a_move_and_carries_no_text(repository: Repository) -> None:
    repository.commit({"quay.md": LONG})
    repository.commit({"quay.md": None, "north/quay.md": LONG})
    repository.commit({"north/quay.md": LONG + "Berth 21 is closed.\n"})
    moved = events(walk(repository))[1]
    assert (moved["kind"], moved["id"], moved["path"], moved["order"]) == ("move", "quay.md", "north/quay.md", 1)
    assert "body" not in moved
    assert told(repository)[2] == ("put", "quay.md", 2, "north/quay.md")


def test_a_rename_with_a_change_of_text_is_a_put_at_the_new_path(repository: Repository) -> None:
    repository.commit({"quay.md": LONG})
    repository.commit({"quay.md": None, "north/quay.md": LONG.replace("Berth 7", "Berth seven")})
    (change,) = events(walk(repository))[1:]
    assert (change["kind"], change["id"], change["path"]) == ("put", "quay.md", "north/quay.md")
    assert "Berth seven" in change["body"]


@pytest.mark.parametrize(("kept", "is_same"), [(13, True), (10, False)])
def test_a_rename_needs_sixty_percent_of_the_text(repository: Repository, kept: int, is_same: object) -> None:
    lines = LONG.splitlines(keepends=True)
    rest = [f"Pier {number} has a crane of {number}0 tonnes.\n" for number in range(20 - kept)]
    repository.commit({"quay.md": LONG})
    repository.commit({"quay.md": None, "pier.md": "".join(lines[:kept] + rest)})
    ids = {event["id"] for event in events(walk(repository))}
    assert (ids == {"quay.md"}) is is_same


def test_a_rename_is_found_even_if_another_file_was_more_alike_and_stayed(repository: Repository) -> None:
    repository.commit({"quay.md": LONG, "copy.md": LONG + "Twin.\n"})
    repository.commit({"quay.md": None, "north.md": LONG + "Twin.\n", "copy.md": LONG + "Edited.\n"})
    assert ("put", "quay.md", 1, "north.md") in told(repository)


def test_files_that_follow_each_other_in_one_commit_keep_their_ids(repository: Repository) -> None:
    first, second = LONG, LONG.replace("Berth", "Crane").replace("ships", "loads")
    repository.commit({"a.md": first, "b.md": second})
    repository.commit({"a.md": None, "b.md": None, "c.md": first, "d.md": second})
    repository.commit({"c.md": None, "d.md": None, "a.md": second, "b.md": first})
    assert told(repository)[2:] == [
        ("move", "a.md", 1, "c.md"),
        ("move", "b.md", 1, "d.md"),
        ("move", "b.md", 2, "a.md"),
        ("move", "a.md", 2, "b.md"),
    ]


def test_a_copy_is_a_new_document(repository: Repository) -> None:
    repository.commit({"quay.md": LONG})
    repository.commit({"south.md": LONG})
    assert told(repository)[1] == ("put", "south.md", 1, "south.md")


def test_two_files_that_exchange_their_texts_are_two_edits(repository: Repository) -> None:
    repository.commit({"4.md": "# Quay Lights\n" + LONG, "5.md": "# Winter Closing\nThe quay closes in January.\n"})
    repository.commit({"5.md": "# Quay Lights\n" + LONG, "4.md": "# Winter Closing\nThe quay closes in January.\n"})
    first, second = events(walk(repository))[2:]
    assert (first["id"], first["body"][:16]) == ("4.md", "# Winter Closing")
    assert (second["id"], second["body"][:13]) == ("5.md", "# Quay Lights")


def test_a_file_that_comes_back_at_its_path_is_another_document(repository: Repository) -> None:
    for _ in range(3):
        repository.commit({"quay.md": "Nine berths."})
        repository.commit({"quay.md": None})
    assert [each[1] for each in told(repository)] == ["quay.md", "quay.md", "quay.md~2", "quay.md~2", "quay.md~3", "quay.md~3"]


def test_a_file_born_where_another_left_is_another_document(repository: Repository) -> None:
    repository.commit({"quay.md": LONG})
    repository.commit({"quay.md": None, "north.md": LONG})
    repository.commit({"quay.md": "The quay moved."})
    assert told(repository)[1:] == [("move", "quay.md", 1, "north.md"), ("put", "quay.md~2", 2, "quay.md")]


def test_a_merge_is_one_revision_of_the_first_parent(repository: Repository) -> None:
    root = repository.commit({"quay.md": "Nine berths."})
    side = repository.commit({"pier.md": "Two cranes."}, on=root, head=False)
    repository.commit({"quay.md": "Ten berths."})
    repository.commit({"pier.md": "Two cranes."}, merging=side)
    assert told(repository) == [
        ("put", "quay.md", 0, "quay.md"),
        ("put", "quay.md", 1, "quay.md"),
        ("put", "pier.md", 2, "pier.md"),
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Café".encode(), "Café"),
        ("Café".encode("latin-1"), "Café"),
        ("“Café”".encode("cp1252"), "“Café”"),
        (b"\x81\x8d", "\x81\x8d"),
        ("Café".encode("utf-8-sig"), "Café"),
        ("Café".encode("utf-16"), "Café"),
        (b"", ""),
    ],
)
def test_a_text_is_read_in_whatever_encoding_it_is(repository: Repository, content: bytes, text: str) -> None:
    repository.commit({"quay.md": content})
    assert events(walk(repository))[0]["body"] == text


def test_a_binary_file_is_not_told(repository: Repository) -> None:
    repository.commit({"quay.txt": b"\x89PNG\0\0\0"})
    assert told(repository) == []


def test_a_text_that_becomes_binary_says_nothing_any_more(repository: Repository) -> None:
    repository.commit({"quay.txt": "Nine berths."})
    repository.commit({"quay.txt": b"\x89PNG\0\0\0"})
    assert [event["body"] for event in events(walk(repository))] == ["Nine berths.", ""]


def test_only_documents_are_told(repository: Repository) -> None:
    repository.commit(
        {
            "quay.md": "a",
            "README.MD": "b",
            "notes.Markdown": "c",
            "x.rst": "d",
            "y.txt": "e",
            "z.py": "f",
            "md": "g",
            "a.md/b.pdf": "h",
            "p.wiki": "i",
        }
    )
    assert [each[1] for each in told(repository)] == ["README.MD", "notes.Markdown", "p.wiki", "quay.md", "x.rst", "y.txt"]


def test_a_document_renamed_to_something_else_is_gone(repository: Repository) -> None:
    repository.commit({"quay.md": LONG})
    repository.commit({"quay.md": None, "quay.py": LONG})
    assert told(repository)[1:] == [("delete", "quay.md", 1, None)]


def test_an_author_is_named_without_address_in_any_encoding(repository: Repository) -> None:
    repository.commit({"a.md": "a"}, author="Óla Ström <ola@harbour.example>".encode("latin-1"), encoding=b"ISO-8859-1")
    repository.commit({"a.md": "b"}, author="Óla Ström <>".encode())
    repository.commit({"a.md": "c"}, author="Óla Ström <>".encode("latin-1"))
    assert {event["author"] for event in events(walk(repository))} == {"Óla Ström"}


def test_a_text_too_large_for_a_message_is_a_dead_letter_that_says_so(repository: Repository) -> None:
    repository.commit({"big.md": "x" * 1_000_001})
    ((key, value),) = walk(repository)[0].messages
    assert len(value) < 1_000
    found = letter(NativeAdapter(ORDERED).decode(raw(value, key)))
    assert found.document == "big.md"
    assert found.reason.startswith("body: {'omitted': '1,000,161 bytes'}")


def test_a_walk_from_the_middle_gives_the_same_ids_and_messages(repository: Repository) -> None:
    commits = [
        repository.commit({"quay.md": LONG, "pier.md": "Two cranes."}),
        repository.commit({"quay.md": None, "north.md": LONG}),
        repository.commit({"quay.md": "Another quay.", "pier.md": None}),
        repository.commit({"north.md": LONG + "More.\n", "quay.md": None}),
        repository.commit({"quay.md": "A third quay."}),
    ]
    whole = walk(repository)
    for position, commit in enumerate(commits):
        with History(repository.path) as history:
            history.go_to(commit)
            assert list(history.news()) == whole[position + 1 :]


def test_what_stands_at_a_revision_is_told_as_the_whole_walk_told_it(repository: Repository) -> None:
    repository.commit({"quay.md": LONG, "pier.md": "Two cranes.", "old.md": "Gone soon.", "image.txt": b"\0"})
    repository.commit({"quay.md": None, "north.md": LONG})
    at = repository.commit({"pier.md": "Three cranes.", "old.md": None})
    repository.commit({"pier.md": "Four cranes."})
    whole = {message for revision in walk(repository) for message in revision.messages}
    with History(repository.path) as history:
        history.go_to(history.find(at))
        standing = history.standing()
    assert (standing.commit, standing.position) == (at, 2)
    assert set(standing.messages) <= whole
    assert [(event["kind"], event["id"], event["order"]) for event in events([standing])] == [
        ("put", "quay.md", 0),
        ("move", "quay.md", 1),
        ("put", "pier.md", 2),
    ]


def test_new_commits_are_found_by_the_same_walk(repository: Repository) -> None:
    repository.commit({"quay.md": "Nine berths."})
    with History(repository.path) as history:
        assert len(list(history.news())) == 1
        assert list(history.news()) == []
        repository.commit({"quay.md": "Ten berths."})
        (revision,) = history.news()
        assert (revision.position, revision.total) == (1, 2)


def test_new_commits_are_found_although_git_packs_references_and_objects_meanwhile(repository: Repository) -> None:
    repository.commit({"quay.md": "Nine berths."})
    repository.pack()
    with History(repository.path) as history:
        assert len(list(history.news())) == 1
        repository.commit({"quay.md": "Ten berths."})
        repository.pack()
        assert len(list(history.news())) == 1


def test_a_rewritten_history_is_refused_and_says_what_to_do(repository: Repository) -> None:
    root = repository.commit({"quay.md": "Nine berths."})
    lost = repository.commit({"quay.md": "Ten berths."})
    with History(repository.path) as history:
        assert len(list(history.news())) == 2
        repository.commit({"quay.md": "Eleven berths."}, on=root)
        with pytest.raises(Inconsistent, match=f"{lost}.*rewritten.*new source"):
            list(history.news())
    with History(repository.path) as history, pytest.raises(Inconsistent, match=lost):
        history.go_to(lost)


def test_a_revision_that_is_not_there_or_not_on_the_main_line_is_refused(repository: Repository) -> None:
    root = repository.commit({"quay.md": "Nine berths."})
    side = repository.commit({"pier.md": "Two cranes."}, on=root, head=False)
    with History(repository.path) as history:
        assert history.find(root[:10]) == root
        with pytest.raises(BadSettings, match="no revision 'main-2'"):
            history.find("main-2")
        with pytest.raises(BadSettings, match="first-parent history"):
            history.find(side)


def test_a_repository_without_commits_holds_nothing_yet(repository: Repository) -> None:
    assert walk(repository) == []


def test_a_folder_that_is_no_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="no git repository"):
        History(tmp_path)


def test_a_shallow_clone_is_refused_since_ids_need_the_whole_history(repository: Repository) -> None:
    commit = repository.commit({"quay.md": "Nine berths."})
    (repository.path / "shallow").write_text(commit + "\n")
    with pytest.raises(BadSettings, match=r"shallow.*--unshallow"):
        History(repository.path)


def test_a_burst_of_renames_with_edits_is_followed_by_the_names_of_the_files(repository: Repository) -> None:
    files = {f"{number}.md": f"# Berth {number}\n" + LONG for number in range(210)}
    repository.commit(files)
    repository.commit(dict.fromkeys(files) | {f"berths/{path}": text + "One more.\n" for path, text in files.items()})
    assert sorted(told(repository)[210:]) == sorted(("put", path, 1, f"berths/{path}") for path in files)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.md", "text/markdown"),
        ("a.RST", "text/x-rst"),
        ("a.txt", "text/plain"),
        ("a.wiki", "text/x-wiki"),
        ("a.mediawiki", "text/x-wiki"),
        ("a.wikitext", "text/x-wiki"),
        ("a.jira", "text/x-jira"),
        ("a.adf", "application/vnd.atlassian.adf+json"),
        ("a.htm", "text/html"),
        ("a.xhtml", "application/xhtml+xml"),
    ],
)
def test_the_ending_of_a_file_says_how_it_is_written(repository: Repository, name: str, media_type: str) -> None:
    repository.commit({name: "Nine berths."})
    (event,) = events(walk(repository))
    assert event["media_type"] == media_type
    assert form_of(media_type) is not Form.PLAIN or name.endswith(".txt")
