"""A second implementation of chance, written only from docs/chance.md; shares no code with the domain.

`python -m tests.domain.chance_by_the_document` prints the test vectors.
"""

import hashlib
import json
import struct
from collections.abc import Iterator
from typing import Any

SEED_7 = hashlib.sha256(b"7").hexdigest()
ZEROS, ONES = "00" * 32, "ff" * 32
DRAWS = [
    (ZEROS, "dice", 0),
    (ZEROS, "dice", 1),
    (ONES, "deck", 2**64 - 1),
    (SEED_7, "bag", 3),
    (SEED_7, "x" * 255, 256),
    (SEED_7, "", 0),
]


def words(seed: str, stream: str, index: int) -> Iterator[int]:
    """Yield the 64-bit words of a draw, endlessly."""
    name = stream.encode("ascii")
    prefix = (
        b"kontor.chance.1\n"
        + bytes.fromhex(seed)
        + struct.pack(">B", len(name))
        + name
        + struct.pack(">Q", index)
    )
    block = 0
    while True:
        yield from struct.unpack(">4Q", hashlib.sha256(prefix + struct.pack(">Q", block)).digest())
        block += 1


def below(source: Iterator[int], bound: int) -> int:
    """A number from 0 to bound - 1, with the wrapped arithmetic of 64-bit machines."""
    unwanted = ((2**64 - bound) % 2**64) % bound
    for word in source:
        if word <= 2**64 - 1 - unwanted:
            return word % bound
    raise AssertionError("the words never end")


def shuffled(source: Iterator[int], items: list[Any]) -> list[Any]:
    """The items in a random order."""
    order = items[:]
    last = len(order) - 1
    while last >= 1:
        other = below(source, last + 1)
        order[last], order[other] = order[other], order[last]
        last -= 1
    return order


def address(draw: tuple[str, str, int]) -> dict[str, Any]:
    """Return the address of a draw in the form of the vectors."""
    seed, stream, index = draw
    return {"seed": seed, "stream": stream, "index": str(index)}


def values_of(draw: tuple[str, str, int], bounds: list[int]) -> dict[str, Any]:
    """Return the vector of several calls of `below` on one draw."""
    source = words(*draw)
    values = [below(source, bound) for bound in bounds]
    return {
        **address(draw),
        "bounds": [str(bound) for bound in bounds],
        "values": [str(value) for value in values],
    }


def rejected(draw: tuple[str, str, int], bounds: list[int]) -> dict[str, Any]:
    """Return the vector of calls that reject words, with the number of rejected words."""
    taken = 0

    def counted() -> Iterator[int]:
        nonlocal taken
        for word in words(*draw):
            taken += 1
            yield word

    source = counted()
    for bound in bounds:
        below(source, bound)
    return {**values_of(draw, bounds), "dropped": taken - len(bounds)}


def first_word_in_the_upper_half() -> tuple[tuple[str, str, int], int]:
    """Return a draw whose first word w is above 2**63, and w: with the bound w, the limit is w itself."""
    index = 0
    while (word := next(words(SEED_7, "limit", index))) <= 2**63:
        index += 1
    return (SEED_7, "limit", index), word


def mixed(draw: tuple[str, str, int], calls: list[Any]) -> dict[str, Any]:
    """The vector of numbers and shuffles taken in turn from one draw."""
    source = words(*draw)
    answers = [shuffled(source, call) if isinstance(call, list) else below(source, call) for call in calls]
    return {**address(draw), "calls": calls, "answers": answers}


def match_seed(secret: str, contributions: list[str]) -> str:
    """Return the seed of a match from the server's secret and the players' contributions."""
    joined = b"kontor.seed.1\n" + bytes.fromhex(secret)
    for contribution in contributions:
        text = contribution.encode("utf-8")
        joined += struct.pack(">H", len(text)) + text
    return hashlib.sha256(joined).hexdigest()


def match_seed_vector(secret: str, contributions: list[str]) -> dict[str, Any]:
    """Return the vector of one match's seed, with the commitment to its secret."""
    promise = hashlib.sha256(bytes.fromhex(secret)).hexdigest()
    return {
        "secret": secret,
        "commitment": promise,
        "contributions": contributions,
        "seed": match_seed(secret, contributions),
    }


def vectors() -> dict[str, Any]:
    """Return the content of docs/vectors/chance.json."""
    at_limit, word = first_word_in_the_upper_half()
    texts = ["", "7", "7/0", "Größe", "a longer text, with a comma"]
    return {
        "version": "kontor.chance.1",
        "seeds": [{"text": text, "seed": hashlib.sha256(text.encode("utf-8")).hexdigest()} for text in texts],
        "match_seeds": [
            match_seed_vector(ZEROS, ["", ""]),
            match_seed_vector(SEED_7, ["heads", "Würfel"]),
            match_seed_vector(ONES, ["a", "", "bc", "x" * 300]),
        ],
        "words": [
            {**address(draw), "words": [f"{w:016x}" for w, _ in zip(words(*draw), range(9), strict=False)]}
            for draw in DRAWS
        ],
        "below": [values_of(draw, [6, 6, 1, 2, 45, 1000, 2**32, 2**64 - 1, 2**64, 3]) for draw in DRAWS],
        "rejected": [
            rejected(DRAWS[3], [2**63 + 1] * 8),
            rejected(at_limit, [word]),
            rejected(at_limit, [word + 1]),
        ],
        "shuffled": [
            {**address(draw), "count": count, "order": shuffled(words(*draw), list(range(count)))}
            for draw, count in zip(DRAWS, [0, 1, 2, 12, 45, 54], strict=True)
        ],
        "mixed": [mixed(DRAWS[3], [6, ["a", "b", "c", "d", "e"], 6, [], 1, ["x"], 2])],
    }


if __name__ == "__main__":
    print(json.dumps(vectors(), indent=1, ensure_ascii=False))  # noqa: T201  # the vectors are its output
