"""What one commit did to the documents of a repository: two trees become steps, with renames found as `git diff -M60%` finds them."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from stat import S_ISREG
from typing import TypeAlias

from dulwich.diff_tree import CHANGE_RENAME, RenameDetector, tree_changes
from dulwich.object_store import BaseObjectStore, MemoryObjectStore, OverlayObjectStore
from dulwich.objects import ObjectID, Tree, TreeEntry

from connectors.sources.lineage import Born, Edited, Gone, Renamed, Step
from connectors.sources.suffixes import MEDIA_TYPES

DOCUMENTS = tuple(f"*{suffix}" for suffix in MEDIA_TYPES)
_ALIKE = 59  # dulwich asks for more than this: 60 % and up, as the gold of the shared streams
_MOST = 200  # its square is how many pairs of files one commit may have compared, about 10 s of work; git itself stops early too
_FILE = 0o100644
Pair: TypeAlias = tuple[TreeEntry, TreeEntry]
"""A file that vanished and the one that it became."""


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
    for old, new in _renames(store, vanished, appeared):
        found.append(Renamed(path_of(old), path_of(new), new.sha, edited=old.sha != new.sha))
        renamed |= {old.path, new.path}
    found += [Gone(path_of(entry)) for entry in vanished if entry.path not in renamed]
    found += [Born(path_of(entry), entry.sha) for entry in appeared if entry.path not in renamed]
    return found


def _renames(store: BaseObjectStore, vanished: Sequence[TreeEntry], appeared: Sequence[TreeEntry]) -> list[Pair]:
    """Return which file became which: first those of equal content, in a burst then those that kept their name, then the most alike."""
    found = _detected(store, vanished, appeared, most=0)
    gone, new = _unpaired(vanished, appeared, found)
    if len(gone) * len(new) > _MOST**2:
        found += [pair for old, same in _namesakes(gone, new) for pair in _detected(store, [old], [same], most=1)]
        gone, new = _unpaired(vanished, appeared, found)
    return found + _detected(store, gone, new, most=_MOST)


def _unpaired(vanished: Sequence[TreeEntry], appeared: Sequence[TreeEntry], pairs: Sequence[Pair]) -> tuple[list[TreeEntry], list[TreeEntry]]:
    paired = {entry.path for pair in pairs for entry in pair}
    return [entry for entry in vanished if entry.path not in paired], [entry for entry in appeared if entry.path not in paired]


def _namesakes(vanished: Sequence[TreeEntry], appeared: Sequence[TreeEntry]) -> list[Pair]:
    """Return the files that bear one name in two folders, where no third one does."""
    old, new = _by_name(vanished), _by_name(appeared)
    return [(old[name][0], new[name][0]) for name in old if len(old[name]) == len(new.get(name, ())) == 1]


def _by_name(entries: Sequence[TreeEntry]) -> dict[bytes, list[TreeEntry]]:
    found: dict[bytes, list[TreeEntry]] = {}
    for entry in entries:
        found.setdefault(entry.path.rpartition(b"/")[2], []).append(entry)
    return found


def _detected(store: BaseObjectStore, vanished: Sequence[TreeEntry], appeared: Sequence[TreeEntry], most: int) -> list[Pair]:
    """Ask dulwich, with two trees that hold these files only: in whole trees it would take a file that merely changed for the origin of a new one.

    Contents are compared if there are at most `most` squared pairs.
    """
    if not vanished or not appeared:
        return []
    scratch = MemoryObjectStore()
    before, after = _flat(scratch, vanished), _flat(scratch, appeared)
    detector = RenameDetector(OverlayObjectStore([scratch, store]), rename_threshold=_ALIKE, max_files=most)
    changes = detector.changes_with_renames(before, after)
    return [(change.old, change.new) for change in changes if change.type == CHANGE_RENAME and change.old and change.new]


def _flat(scratch: MemoryObjectStore, entries: Sequence[TreeEntry]) -> ObjectID:
    tree = Tree()
    for entry in entries:
        tree.add(entry.path, _FILE, entry.sha)
    scratch.add_object(tree)
    return tree.id
