"""What one commit did to the documents of a repository: two trees become steps, with renames found as `git diff -M60%` finds them."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from stat import S_ISREG

from dulwich.diff_tree import CHANGE_RENAME, RenameDetector, tree_changes
from dulwich.object_store import BaseObjectStore, MemoryObjectStore, OverlayObjectStore
from dulwich.objects import ObjectID, Tree, TreeEntry

from connectors.sources.lineage import Born, Edited, Gone, Renamed, Step

DOCUMENTS = ("*.md", "*.markdown", "*.rst", "*.txt")
_ALIKE = 59  # dulwich asks for more than this: 60 % and up, as the gold of the shared streams
_MOST = 1_000  # files that vanished and appeared in one commit, of different content, that are compared with each other: about 10 s
_FILE = 0o100644


def steps(store: BaseObjectStore, before: ObjectID | None, after: ObjectID, documents: Sequence[str] = DOCUMENTS) -> list[Step]:
    """Return what happened to the files that match `documents` (patterns of paths, in lower case) between two trees; `before` None is the empty tree.

    A file that stops matching, or is no longer a regular file, is gone; one that begins to is born. A copy is born.
    """
    found: list[Step] = []
    vanished: list[TreeEntry] = []
    appeared: list[TreeEntry] = []
    for change in tree_changes(store, before, after):
        old, new = _document(change.old, documents), _document(change.new, documents)
        if old and new:
            if old.sha != new.sha:
                found.append(Edited(path_of(new), new.sha))
        elif old:
            vanished.append(old)
        elif new:
            appeared.append(new)
    return [*found, *_paired(store, vanished, appeared)]


def path_of(entry: TreeEntry) -> str:
    """Return the path as text; one that is not UTF-8 is read as ISO 8859-1."""
    try:
        return entry.path.decode()
    except UnicodeDecodeError:
        return entry.path.decode("latin-1")


def _document(entry: TreeEntry | None, documents: Sequence[str]) -> TreeEntry | None:
    if entry is None or not S_ISREG(entry.mode):
        return None
    path = path_of(entry).lower()
    return entry if any(fnmatchcase(path, pattern) for pattern in documents) else None


def _paired(store: BaseObjectStore, vanished: Sequence[TreeEntry], appeared: Sequence[TreeEntry]) -> list[Step]:
    """Return renames where a file that vanished is like one that appeared, births and ends for the rest."""
    found: list[Step] = []
    renamed: set[bytes] = set()
    for old, new in _renames(store, vanished, appeared) if vanished and appeared else ():
        found.append(Renamed(path_of(old), path_of(new), new.sha, edited=old.sha != new.sha))
        renamed |= {old.path, new.path}
    found += [Gone(path_of(entry)) for entry in vanished if entry.path not in renamed]
    found += [Born(path_of(entry), entry.sha) for entry in appeared if entry.path not in renamed]
    return found


def _renames(store: BaseObjectStore, vanished: Sequence[TreeEntry], appeared: Sequence[TreeEntry]) -> list[tuple[TreeEntry, TreeEntry]]:
    """Ask dulwich, with two trees that hold these files only: in whole trees it would take a file that merely changed for the origin of a new one."""
    scratch = MemoryObjectStore()
    before, after = _flat(scratch, vanished), _flat(scratch, appeared)
    detector = RenameDetector(OverlayObjectStore([scratch, store]), rename_threshold=_ALIKE, max_files=_MOST)
    changes = detector.changes_with_renames(before, after)
    return [(change.old, change.new) for change in changes if change.type == CHANGE_RENAME and change.old and change.new]


def _flat(scratch: MemoryObjectStore, entries: Sequence[TreeEntry]) -> ObjectID:
    tree = Tree()
    for entry in entries:
        tree.add(entry.path, _FILE, entry.sha)
    scratch.add_object(tree)
    return tree.id
