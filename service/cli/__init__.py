"""The command line `kontor`, with one module per command."""

from kontor_games.service.cli.command_groups import SectionedGroup

__all__ = ["main"]

main = SectionedGroup(
    name="kontor",
    help="""Board games for people and programs, with verifiable chance and history.

    Start with `kontor watch`, which shows a match between house bots. `kontor serve` runs the service, on
    which you and your programs play over HTTP; it prints the address of its documentation. Each match can
    be downloaded as a file, and `kontor verify` checks this file without trusting the service.

    Run kontor COMMAND --help for the options and examples of a command.""",
    examples=(
        ("list the installed games", "kontor games"),
        ("watch a match between house bots", "kontor watch {game} --seed 7"),
        ("play against house bots", "kontor play {game} --local"),
        ("simulate 1,000 matches between bots", "kontor simulate {game} --matches 1000 --jobs 2"),
        ("run the service on this machine, on another port", "kontor serve --port 9000"),
        (
            "verify a match that was downloaded from a service",
            "kontor verify match.ndjson --keys kontor-keys.json",
        ),
    ),
    sections={
        "Matches between bots": {
            "watch": "Watch a match between house bots, or a live match.",
            "simulate": "Simulate many matches between bots and count the wins.",
            "duel": "Test whether bot A is better than bot B.",
            "tune": "Tune the weights of a searching bot (SPSA on duplicate deals).",
        },
        "Games and rules": {
            "games": "List the installed games: players, options, bots, data sets.",
            "rules": "Show the rules of a game.",
            "board": "Check a board or another data set, and draw it.",
        },
        "Playing": {
            "play": "Play against house bots at the terminal.",
            "mcp": "Let a language model play, with tools over MCP.",
        },
        "Competitions": {
            "tournament": "Announce, run, sign off and export tournaments.",
            "ratings": "Show the ladder of a game, or rebuild all ladders.",
            "players": "List players of a service, or those who are online now.",
        },
        "Verification": {
            "verify": "Verify exports of matches or tournaments, offline.",
            "replay": "Step through an exported match in the terminal.",
            "analyse": "Say what each seat of an exported match could have done better.",
            "audit": "Replay the matches of a database and report errors.",
            "checkpoint": "Create, list and verify signed checkpoints; search the log.",
            "witness": "Follow the log of a service, and cosign its checkpoints.",
        },
        "Operation": {
            "serve": "Run the HTTP service until it is stopped.",
            "work": "Run the house bots, clocks, checkpoints and audits, without HTTP.",
            "migrate": "Create or update the database tables; safe to repeat.",
            "doctor": "Check an installation, and say what to correct.",
            "backup": "Copy the database to a new FILE, also while it is used.",
            "restore": "Restore a backup FILE into an empty database.",
            "keys": "List or replace the signing keys, or move them to a file.",
            "admin": "List and ban players, close registration, issue admin tokens.",
            "openapi": "Print the OpenAPI description, or write it to FILE.",
        },
    },
)
