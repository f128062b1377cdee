"""Repositories for tests, written object by object."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from dulwich.object_store import commit_tree_changes
from dulwich.objects import Blob, Commit, ObjectID, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo

START = 1_700_000_000


class Repository:
    """A bare repository whose commits are given as what they change: path -> content, None to remove. Each is a minute after the one before."""

    def __init__(self, path: Path) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._repo = Repo.init_bare(str(path))
        self._time = START

    def commit(
        self,
        files: Mapping[str, str | bytes | None],
        *,
        on: str | None = None,
        merging: str | None = None,
        author: bytes = b"Orla Finch <orla@harbour.example>",
        encoding: bytes | None = None,
        head: bool = True,
    ) -> str:
        """Commit on HEAD, or on another commit; return the id. `merging` is the second parent, `head` False leaves HEAD where it is."""
        parent = on.encode() if on else self._head()
        commit = Commit()
        commit.parents = [ObjectID(each) for each in (parent, merging and merging.encode()) if each]
        commit.tree = self._tree(ObjectID(parent) if parent else None, files)
        commit.author = commit.committer = author
        self._time += 60
        commit.author_time, commit.commit_time = self._time - 86_400, self._time
        commit.author_timezone = commit.commit_timezone = 0
        commit.message = b"A change"
        if encoding:
            commit.encoding = encoding
        self._repo.object_store.add_object(commit)
        if head:
            self._repo.refs[Ref(b"HEAD")] = commit.id
        return commit.id.decode()

    def _head(self) -> bytes | None:
        try:
            return self._repo.head()
        except KeyError:
            return None

    def _tree(self, parent: ObjectID | None, files: Mapping[str, str | bytes | None]) -> ObjectID:
        store = self._repo.object_store
        tree = Tree()
        if parent:
            held = store[parent]
            assert isinstance(held, Commit)
            base = store[held.tree]
            assert isinstance(base, Tree)
            tree = base
        changes: list[tuple[bytes, int | None, ObjectID | None]] = []
        for path, content in files.items():
            if content is None:
                changes.append((path.encode(), None, None))
                continue
            blob = Blob.from_string(content.encode() if isinstance(content, str) else content)
            store.add_object(blob)
            changes.append((path.encode(), 0o100644, blob.id))
        if not parent:
            store.add_object(tree)
        return commit_tree_changes(store, tree.id, changes)

    def pack(self) -> None:
        """Do what `git gc` does."""
        self._repo.refs.pack_refs(all=True)
        self._repo.object_store.pack_loose_objects()

    def close(self) -> None:
        self._repo.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
