"""`rulewright explain`: the page of a diagnostic."""

from __future__ import annotations

import click

from playtest.terminal import on_terminal, say


@click.command()
@click.argument("code", required=False)
@click.option("--list", "listed", is_flag=True, help="All codes with their titles.")
def explain(code: str | None, listed: bool) -> int:
    """Show the page of a diagnostic: what the code means, an example, the way out."""
    from ruleset.diagnostics.codes import codes, explanation
    from ruleset.diagnostics.suggest import nearest

    if listed or code is None:
        if code is None and not listed:
            raise click.UsageError("expected a code, as `rulewright explain RW201`, or `--list`")
        for known, title in codes().items():
            say(f"{known}  {title}")
        return 0
    wanted = code.strip().upper()
    if wanted.isdecimal():
        wanted = f"RW{wanted}"
    page = explanation(wanted)
    if page is None:
        close = nearest(wanted, codes())
        hint = f"did you mean `{close}`?" if close else "`rulewright explain --list` names all"
        raise click.UsageError(f"there is no code `{code}`; {hint}")
    if on_terminal():
        from rich.console import Console
        from rich.markdown import Markdown

        Console(width=min(Console().width, 100)).print(Markdown(page))
    else:
        say(page.rstrip("\n"))
    return 0
