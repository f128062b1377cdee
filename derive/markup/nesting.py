"""Lists whose items are marked at the start of a line, as wikis write them: "*" an item, "**" an item of the list in it, "*#" one of another kind."""

from dataclasses import dataclass

from derive.markup.outline import Writer


@dataclass(slots=True)
class Nesting:
    """Opens and closes lists as the marks of the lines say; `marks` are those of the lists that are open."""

    writer: Writer
    marks: str = ""

    def item(self, marks: str) -> None:
        """Begin an item of the list that the marks name; lists that they leave out end, those that they add begin."""
        common = self._end_beyond(marks)
        if common == len(marks):
            self.writer.end_item()
            self.writer.begin_item()
        for mark in marks[common:]:
            self.writer.begin_list()
            self.writer.begin_item()
            self.marks += mark

    def within(self, marks: str) -> None:
        """End the lists that the marks leave out; what follows goes on in the item that is open."""
        self._end_beyond(marks)

    def _end_beyond(self, marks: str) -> int:
        common = next((place for place, mark in enumerate(marks) if self.marks[place : place + 1] != mark), len(marks))
        while len(self.marks) > common:
            self.writer.end_item()
            self.writer.end_list()
            self.marks = self.marks[:-1]
        return common
