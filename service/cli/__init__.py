"""The command line `kontor`: one module a command, put on the desk here."""

from kontor_games.service.cli.command_groups import SectionedGroup
from kontor_games.service.cli.commands import board, games, rules, simulate, watch

__all__ = ["main"]

main = SectionedGroup(
    name="kontor",
    help="""Board games for people and programs, with verifiable chance and history.

    Run kontor COMMAND --help for details of a command.""",
    examples=(
        ("list the installed games", "kontor games"),
        ("watch a match between house bots", "kontor watch {game} --seed 7"),
        ("simulate 1,000 matches between bots", "kontor simulate {game} --matches 1000 --jobs 2"),
    ),
)
main.add("Matches between bots", watch.watch, simulate.simulate)
main.add("Games and rules", games.games, rules.rules, board.board)
main.add_late(
    "Verification",
    verify="Verify exports of matches, offline.",
    replay="Step through an exported match in the terminal.",
    audit="Replay the matches of a database and report errors.",
    checkpoint="Create, list, show and verify signed checkpoints.",
)
main.add_late(
    "Operation",
    serve="Run the HTTP service until it is stopped.",
    work="Run the background work: house bots, clocks, checkpoints, audits.",
    migrate="Create or update the database tables; safe to repeat.",
    keys="List the signing keys, or create a new one.",
    admin="Administrative actions that the API does not offer.",
    openapi="Write the OpenAPI description as YAML to FILE or standard output.",
)
