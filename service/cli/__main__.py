"""`python -m service.cli` is `kontor`."""

from service.cli import main

if __name__ == "__main__":
    main(prog_name="kontor")
