"""The command line `kontor`, with one module per command; `commands.json` lists them, with examples."""

from kontor_games.service.cli.command_groups import CATALOGUE, SectionedGroup

__all__ = ["main"]

main = SectionedGroup(
    name="kontor",
    help="""Board games for people and programs, with verifiable chance and history.

    Start with `kontor watch`, which shows a match between house bots. `kontor serve` runs the service, on
    which you and your programs play over HTTP; it prints the address of its documentation. Each match can
    be downloaded as a file, and `kontor verify` checks this file without trusting the service.

    Run kontor COMMAND --help for the options and examples of a command.""",
    sections=CATALOGUE["sections"],
)
