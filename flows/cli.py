"""The command line. Commands load what they need when they run, so `millstream --help` answers at once."""

import sys
from typing import Any

import typer

from flows import cli_ask, cli_entity, cli_feed, cli_letters, cli_run, cli_show, cli_status, cli_vocabulary
from flows.cli_output import err
from schemas.errors import BadQuestion, BadSettings, Problem

WRONG = 2
"""The exit code for what the caller can put right: a setting, a question, an argument."""
FAILED = 1
"""The exit code for everything else that is reported."""


class CommandLine(typer.Typer):
    """Reports a problem of any command as one line on standard error."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command that was called; ends the process with its exit code."""
        try:
            return super().__call__(*args, **kwargs)
        except Problem as problem:
            err().print(f"millstream: {problem}", style="red")
            sys.exit(WRONG if isinstance(problem, BadSettings | BadQuestion) else FAILED)


app = CommandLine(
    name="millstream",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Keeps a searchable index of governed facts true to documents that change.",
)
app.command()(cli_run.up)
app.command()(cli_run.index)
app.add_typer(cli_feed.feeds, name="feed")
app.command()(cli_ask.ask)
app.command()(cli_show.show)
app.command()(cli_entity.entity)
app.command()(cli_status.status)
app.add_typer(cli_letters.letters, name="dead-letters")
app.add_typer(cli_vocabulary.words, name="vocabulary")
app.command()(cli_run.demo)

if __name__ == "__main__":
    app()
