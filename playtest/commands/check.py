"""`rulewright check`: every fault of some files in one run."""

from __future__ import annotations

import click

from playtest.terminal import say, say_faults, styled, with_colour

FORMATS = ("full", "line", "json", "sarif")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format", "style", type=click.Choice(FORMATS), default="full", help="How faults are shown."
)
@click.option("--json", "as_json", is_flag=True, help="The same as `--format json`.")
def check(files: tuple[str, ...], style: str, as_json: bool) -> int:
    """Tell everything that is wrong with game files, each fault with its place and a hint.

    Exit status: 0 where no file has an error, 1 otherwise. Warnings do not count.
    """
    import ruleset
    from ruleset.diagnostics.diagnostic import Report
    from ruleset.diagnostics.render import render_report

    whole = Report()
    good = []
    for path in dict.fromkeys(files):
        report = ruleset.check(path)
        if not report.diagnostics:
            good.append(path)
        for diagnostic in report.diagnostics:
            whole.add(diagnostic)
    match "json" if as_json else style:
        case "full":
            for path in good:
                say(f"{path}: {styled('no faults', fg='green')}")
            say_faults(whole.diagnostics, error=False)
        case "line":
            if whole.diagnostics:
                say(render_report(whole, "line", with_colour()))
        case "json":
            say(render_report(whole, "json"))
        case _:
            say(render_report(whole, "sarif"))
    return 0 if whole.ok else 1
