"""The command line `kontor`: one module a command, put on the desk here."""

from kontor_games.service.cli.command_groups import SectionedGroup
from kontor_games.service.cli.commands import board, games, rules, simulate, watch

__all__ = ["main"]

main = SectionedGroup(
    name="kontor",
    help="""Board games that people and programs play with each other, provably fair.

    Every command explains itself: kontor COMMAND --help.""",
    examples=(
        ("see which games there are", "kontor games"),
        ("follow one match between house bots", "kontor watch {game} --seed 7"),
        ("let bots play a thousand matches", "kontor simulate {game} --matches 1000 --jobs 2"),
    ),
)
main.add("Bots at play", watch.watch, simulate.simulate)
main.add("Look things up", games.games, rules.rules, board.board)
main.add_late(
    "Hold it to its word",
    verify="Check exports of matches, from the first hash to the result.",
    replay="Go through a recorded match in the terminal, forwards and back.",
    audit="Play stored matches again and look for anything wrong.",
    checkpoint="Take, list, show and verify signed checkpoints over all matches.",
)
main.add_late(
    "Run the service",
    serve="Serve the API until it is stopped.",
    work="Play for house bots and keep the clocks until it is stopped.",
    migrate="Make or update the tables of the database; safe to repeat.",
    keys="List the keys that sign, or make a new one.",
    admin="Hand out what no call of the API gives.",
    openapi="Write the contract as YAML to FILE, or to the terminal.",
)
