"""`python -m kontor_games.api FILE` writes the OpenAPI document; `-` stands for standard output."""

import sys
from pathlib import Path

from kontor_games.api import describe
from kontor_games.api.openapi import write_yaml

if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else "openapi.yaml"
    text = write_yaml(describe())
    if target == "-":
        sys.stdout.write(text)
    else:
        try:
            Path(target).write_text(text, encoding="utf-8")
        except OSError as error:
            sys.exit(f"Error: {target}: {error.strerror}.")
