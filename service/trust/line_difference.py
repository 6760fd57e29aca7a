"""Explains how a line of an export differs from the expected one."""

from kontor_games.domain.codec import Plain, canonical
from kontor_games.domain.fact_difference import difference


def line_difference(line: Plain, expected: Plain) -> str:
    """Describe how a line with a correct hash differs from the one that the rules give."""
    if ("seat" in line) != ("seat" in expected):
        return (
            "the command before causes another fact, which is missing here"
            if "seat" in line
            else "no command caused this fact"
        )
    if canonical(line["fact"]) != canonical(expected["fact"]):
        return difference(line["fact"], expected["fact"])
    if wrong := set(line["sealed"]) ^ set(expected["sealed"]):
        names = ", ".join(sorted(wrong))
        return f"{names} of {expected['fact']['type']} is sealed but not hidden, or hidden but not sealed"
    sentences = {
        "at": "the facts of one command happened at different moments",
        "by": "the facts of one command have different authors",
        "seat": "another seat's clock was stopped",
        "draws": "the draws are not those of the seed",
        "sealed_command": "a command that names what is hidden is not sealed, or one that does not is",
    }
    for name, sentence in sentences.items():
        if line.get(name) != expected.get(name):
            return sentence
    return "something on this line does not belong there"
