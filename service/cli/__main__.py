"""`python -m kontor_games.service.cli` is `kontor`."""

from kontor_games.service.cli import main

if __name__ == "__main__":
    main(prog_name="kontor")
