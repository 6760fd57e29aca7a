"""The program `kontor`, also as `python -m kontor_games`.

Loading the commands takes a moment; Ctrl-C during that time ends the program without a traceback.
"""


def main() -> None:
    """Load the commands, and run the one that is asked for."""
    try:
        from kontor_games.service.cli import main as kontor
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    kontor(prog_name="kontor")


if __name__ == "__main__":
    main()
