"""Git: a repository of texts in any markup that is read is a live wiki, and its history a stream of changes.

The first-parent history is walked from its root, so that ids and orders are the same wherever a reader begins: the order of a change is the
commit's position in that history (0 is the root), its time the commit's, its author the commit's author by name. Author times are left out: they
lie years before the commit where patches wait. A rename is a move; with a change of text in the same commit it is a put that names the new path.
A file without text (binary) is not told when it appears, and is an edit that says nothing when it replaces text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from dulwich.errors import NotGitRepository
from dulwich.objects import Commit, ObjectID
from dulwich.objectspec import parse_commit
from dulwich.repo import Repo

from connectors.sources import git_change
from connectors.sources.git_change import KeyValue
from connectors.sources.git_text import text_of
from connectors.sources.git_tree import DOCUMENTS, steps
from connectors.sources.lineage import Born, Edited, Gone, Lineage, Renamed, Step
from schemas.errors import BadSettings, Inconsistent


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit of the first-parent history, and what it did to documents: a native change each, in messages of (document id, change).

    `position` counts from 0; `total` is the number of commits that HEAD has.
    """

    commit: str
    position: int
    total: int
    messages: tuple[KeyValue, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """The commits (by position) that said last what a document says, at which path, and since then where it stands."""

    said: int
    path: str
    blob: ObjectID
    moved: tuple[int, str] | None = None


class History:
    """The documents of a repository along the first-parent history of its HEAD. Owned by one walk, which goes forward only."""

    def __init__(self, path: Path, documents: Sequence[str] = DOCUMENTS) -> None:
        self._path = path
        self._documents = tuple(documents)
        self._repository = _open(path)
        self._lineage = Lineage()
        self._taken: list[ObjectID] = []
        self._told: dict[str, Told] = {}

    def find(self, revision: str) -> str:
        """Return the id of a commit that is named by id, branch or tag. One that is not in the first-parent history is BadSettings."""
        try:
            commit = parse_commit(self._repository, revision).id
        except (KeyError, ValueError) as err:
            message = f"{self._path} has no revision {revision!r}"
            raise BadSettings(message) from err
        if commit not in self._taken and commit not in self._ahead():
            message = f"{self._path}: {revision!r} is not in the first-parent history of HEAD; choose one of `git log --first-parent`"
            raise BadSettings(message)
        return commit.decode()

    def go_to(self, commit: str) -> None:
        """Take all revisions up to and with this one without telling them. A commit that HEAD does not lead to is Inconsistent."""
        ahead = self._ahead()
        if commit.encode() not in ahead:
            raise _rewritten(self._path, commit)
        for each in ahead[: ahead.index(ObjectID(commit.encode())) + 1]:
            self._take(each)

    def standing(self) -> Revision:
        """Return all documents as they stand after the revision taken last, each told as the commits did that said so.

        These are messages of a whole walk too: its other messages, sent later, are history.
        """
        messages: list[KeyValue] = []
        for document, told in sorted(self._told.items(), key=lambda item: (item[1].said, item[0])):
            messages += self._put(told.said, document, Born(told.path, told.blob))
            if told.moved is not None:
                position, path = told.moved
                messages.append(git_change.move(document, position, self._at(position), path))
        position = len(self._taken) - 1
        return Revision(self._taken[position].decode(), position, position + 1, tuple(messages))

    def news(self) -> Iterator[Revision]:
        """Take and yield the revisions that HEAD has by now and this walk has not. A history that no longer leads on from here is Inconsistent."""
        ahead = self._ahead()
        total = len(self._taken) + len(ahead)
        for each in ahead:
            position = len(self._taken)
            taken = self._take(each)
            messages = [message for document, step in taken for message in self._messages(position, document, step)]
            yield Revision(each.decode(), position, total, tuple(messages))

    def close(self) -> None:
        """Release the repository's files."""
        self._repository.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ahead(self) -> list[ObjectID]:
        """Return the commits from the one after the last taken to HEAD, oldest first."""
        last = self._taken[-1] if self._taken else None
        found: list[ObjectID] = []
        commit = _head(self._repository)
        while commit is not None and commit != last:
            found.append(commit)
            parents = self._commit(commit).parents
            commit = parents[0] if parents else None
        if commit != last:
            raise _rewritten(self._path, last.decode() if last else "")
        return found[::-1]

    def _take(self, commit: ObjectID) -> list[tuple[str, Step]]:
        """Follow the documents through one commit."""
        store = self._repository.object_store
        before = self._commit(self._taken[-1]).tree if self._taken else None
        taken = self._lineage.take(steps(store, before, self._commit(commit).tree, self._documents))
        for document, step in taken:
            self._remember(len(self._taken), document, step)
        self._taken.append(commit)
        return taken

    def _remember(self, position: int, document: str, step: Step) -> None:
        match step:
            case Gone():
                del self._told[document]
            case Renamed(path=path, edited=False):
                self._told[document] = replace(self._told[document], moved=(position, path))
            case Born() | Edited() | Renamed():
                self._told[document] = Told(position, step.path, ObjectID(step.blob))

    def _messages(self, position: int, document: str, step: Step) -> list[KeyValue]:
        match step:
            case Gone():
                return [git_change.delete(document, position, self._at(position))]
            case Renamed(path=path, edited=False):
                return [git_change.move(document, position, self._at(position), path)]
            case Born() | Edited() | Renamed():
                return self._put(position, document, step)

    def _put(self, position: int, document: str, step: Born | Edited | Renamed) -> list[KeyValue]:
        blob = self._repository.object_store[ObjectID(step.blob)]
        text = text_of(blob.as_raw_string())
        if text is None and isinstance(step, Born):
            return []
        return [git_change.put(document, position, self._at(position), step.path, text or "")]

    def _at(self, position: int) -> Commit:
        return self._commit(self._taken[position])

    def _commit(self, commit: ObjectID) -> Commit:
        found = self._repository.object_store[commit]
        assert isinstance(found, Commit)
        return found


def _open(path: Path) -> Repo:
    try:
        repository = Repo(str(path))
    except NotGitRepository as err:
        message = f"{path} is no git repository; give the folder that holds .git, or a bare repository"
        raise BadSettings(message) from err
    if repository.get_shallow():
        repository.close()
        message = f"{path} is a shallow clone, and ids of documents come from the whole history; fetch it with `git fetch --unshallow`"
        raise BadSettings(message)
    return repository


def _head(repository: Repo) -> ObjectID | None:
    """Return the commit of HEAD, None in a repository without commits."""
    try:
        return repository.head()
    except KeyError:
        return None


def _rewritten(path: Path, commit: str) -> Inconsistent:
    return Inconsistent(
        f"{path}: HEAD no longer leads to commit {commit}, which was fed last: the history was rewritten, or another branch is checked out. "
        "Go back to the branch that was fed, or feed this history to a topic of its own, as a new source: its versions have other numbers"
    )
