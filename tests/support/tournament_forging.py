"""Forged exports of tournaments: altered parts, with all hashes and the last signature recomputed."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any

from kontor_games.domain.chain import GENESIS
from kontor_games.domain.codec import canonical
from kontor_games.domain.tournaments.chain import TournamentEntry, hash_of, records_of
from kontor_games.domain.tournaments.commands import COMMAND_CODEC, Announce
from kontor_games.domain.tournaments.export import FOOTER_PREFIX, read_file, tournament_footer, write_file
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.trust.signing import Signer


@dataclass
class Lines:
    """The parts of an export, to be altered."""

    header: dict[str, Any]
    records: list[dict[str, Any]]
    matches: dict[str, bytes]
    footer: dict[str, Any]

    @classmethod
    def read(cls, content: bytes) -> "Lines":
        return deepcopy(_parts(content))


@lru_cache(maxsize=1)
def _parts(content: bytes) -> Lines:
    file = read_file(content)
    return Lines(
        dict(file.header),
        [dict(record) for record in file.records],
        dict(file.matches),
        dict(file.footer),
    )


def reforged(lines: Lines, signer: Signer) -> bytes:
    """The file with new versions, hashes and a new signature of the last line."""
    before = GENESIS
    for version, record in enumerate(lines.records, 1):
        record.update(before=before, version=version)
        before = record["hash"] = hash_of(record)
    body = write_file(lines.header, lines.records, lines.matches)
    footer = {name: value for name, value in lines.footer.items() if name not in ("key", "signature")}
    footer |= {"head": before, "file": sha256(body).hexdigest(), "version": len(lines.records)}
    key, signature = signer.sign(FOOTER_PREFIX + canonical(footer), footer["at"])
    return body + canonical({**footer, "key": key, "signature": signature}) + b"\n"


def with_altered_commands(content: bytes, change: Callable[[dict[str, Any]], None], signer: Signer) -> bytes:
    """A false but consistent history: `change` alters some commands, and all are carried out again.

    Everything follows from the terms and the seed, and is signed with the key of the service.
    """
    lines, tournament = Lines.read(content), Tournament()
    secret = next(one["fact"]["server_secret"] for one in lines.records if "server_secret" in one["fact"])
    records: list[dict[str, Any]] = []
    for record in (one for one in lines.records if "command" in one):
        change(record["command"])
        command, at = COMMAND_CODEC.parse(record["command"]), record["at"]
        if isinstance(command, Announce):
            announced = TOURNAMENT_CODEC.parse({**record["fact"], "server_secret": secret})
            facts = command.announce(tournament, announced, at)
        else:
            facts = command.decide(tournament, record["by"], at)
        first, before = len(records) + 1, records[-1]["hash"] if records else GENESIS
        entry = TournamentEntry(first, at, record["by"], command, "", "", tuple(facts))
        records += records_of(lines.header["tournament"], entry, secret, before)
    lines.records = records
    lines.footer |= tournament_footer(tournament, records[-1]["hash"], "")
    return reforged(lines, signer)


# --- forgeries with random details --------------------------------------------------------------------------


def _one(lines: Lines, chance: Random, kind: str) -> dict[str, Any]:
    """A random record with a fact of this kind."""
    return chance.choice([one for one in lines.records if one["fact"]["type"] == kind])


def _set(record: dict[str, Any], **values: Any) -> None:
    """Set fields of a fact, and of its command if it has them."""
    for part in (record["fact"], record.get("command", {})):
        part.update({name: value for name, value in values.items() if name in part})


def _other_order(chance: Random, items: list[Any]) -> list[Any]:
    """The items in another order."""
    return items[1:] + items[:1] if chance.random() < 0.5 or len(items) == 2 else items[::-1]


def _result(lines: Lines, chance: Random) -> None:
    record = _one(lines, chance, "result_recorded")
    places = record["fact"]["places"]
    _set(record, places=[1] * len(places) if len(set(places)) > 1 and chance.random() < 0.3 else places[::-1])


def _reason(lines: Lines, chance: Random) -> None:
    _set(_one(lines, chance, "result_recorded"), reason="forfeit")


def _scores(lines: Lines, chance: Random) -> None:
    record = _one(lines, chance, "result_recorded")
    seat = chance.randrange(len(record["fact"]["scores"]))
    scores = [
        score + (place == seat) * chance.randint(1, 9) for place, score in enumerate(record["fact"]["scores"])
    ]
    _set(record, scores=scores)


def _lost_result(lines: Lines, chance: Random) -> None:
    lines.records.remove(_one(lines, chance, "result_recorded"))


def _doubled_result(lines: Lines, chance: Random) -> None:
    record = _one(lines, chance, "result_recorded")
    lines.records.insert(lines.records.index(record) + 1, json.loads(canonical(record)))


def _pairing(lines: Lines, chance: Random) -> None:
    tables = _one(lines, chance, "round_paired")["fact"]["tables"]
    table = chance.choice(tables)
    table["entrants"] = _other_order(chance, table["entrants"])


def _swapped_entrants(lines: Lines, chance: Random) -> None:
    one, other = chance.sample(_one(lines, chance, "round_paired")["fact"]["tables"], 2)
    seat = chance.randrange(2)
    one["entrants"][seat], other["entrants"][seat] = other["entrants"][seat], one["entrants"][seat]


def _reasons(lines: Lines, chance: Random) -> None:
    table = chance.choice(_one(lines, chance, "round_paired")["fact"]["tables"])
    table[chance.choice(["repeats", "seat_repeats"])] += 1


def _uploaded(lines: Lines, chance: Random) -> None:
    _one(lines, chance, "round_paired")["fact"]["uploaded"] = True


def _lost_table(lines: Lines, chance: Random) -> None:
    tables = _one(lines, chance, "round_paired")["fact"]["tables"]
    tables.remove(chance.choice(tables))


def _bye(lines: Lines, chance: Random) -> None:
    _one(lines, chance, "round_paired")["fact"]["byes"] = [chance.randrange(4)]


def _opened(lines: Lines, chance: Random) -> None:
    fact = _one(lines, chance, "match_opened")["fact"]
    fact["entrants"] = _other_order(chance, fact["entrants"])


def _ruling(lines: Lines, chance: Random) -> None:
    record = _one(lines, chance, "result_ruled")
    _set(record, places=chance.choice([[1, 2], [2, 1]]))


def _ruler(lines: Lines, chance: Random) -> None:
    record = _one(lines, chance, "result_ruled")
    player = next(one["by"] for one in lines.records if one["fact"]["type"] == "entrant_entered")
    record["by"] = record["fact"]["by"] = chance.choice(["house", "somebody", player])


def _added_ruling(lines: Lines, chance: Random) -> None:
    """Add a ruling between posted and signed standings, which the signed digest does not include."""
    ruled = json.loads(canonical(_one(lines, chance, "result_ruled")))
    at = next(i for i, one in enumerate(lines.records) if one["fact"]["type"] == "standings_acknowledged")
    match = _one(lines, chance, "result_recorded")["fact"]
    _set(ruled, match=match["match"], places=match["places"][::-1])
    ruled["at"] = lines.records[at]["at"]
    lines.records.insert(at, ruled)


def _lost_ruling(lines: Lines, chance: Random) -> None:
    lines.records.remove(_one(lines, chance, "result_ruled"))


def _terms(lines: Lines, chance: Random) -> None:
    """Change the announced terms: points, tie-breaks, rounds, times, or rights."""
    name, value = chance.choice(
        [
            ("points", [chance.randint(3, 99), 0]), ("points", [2, 1]), ("tie_breaks", ["score"]),
            ("tie_breaks", ["lot"]), ("tie_breaks", []), ("rounds", 2), ("rounds", 1), ("rotated", False),
            ("correction_ms", 1), ("options", {"rounds": 9}), ("on_timeout", "bot"), ("least_entrants", 5),
            ("signed", True), ("rated", True), ("required_witnesses", 1),
            ("most_entrants", 3), ("seats", 3), ("data_hash", "0" * 64), ("open_entry", False),
            ("organiser", "somebody"), ("no_show", "nobody"), ("format", "knockout"), ("game", "chess"),
        ]
    )  # fmt: skip
    lines.records[0]["fact"]["terms"][name] = value


def _missing_match(lines: Lines, chance: Random) -> None:
    counted = [one["fact"]["match"] for one in lines.records if one["fact"]["type"] == "result_recorded"]
    del lines.matches[chance.choice(counted)]


def _swapped_matches(lines: Lines, chance: Random) -> None:
    first, second = chance.sample(list(lines.matches), 2)
    lines.matches[first], lines.matches[second] = lines.matches[second], lines.matches[first]


def _foreign_match(lines: Lines, chance: Random) -> None:
    lines.matches[f"{chance.randrange(16**8):08x}-0000-4000-8000-000000000000"] = chance.choice(
        list(lines.matches.values())
    )


def _match_content(lines: Lines, chance: Random) -> None:
    """Remove a line of a match, or change a digit in it."""
    match = chance.choice(list(lines.matches))
    parts = lines.matches[match].splitlines(keepends=True)
    index = chance.randrange(1, len(parts))
    if chance.random() < 0.5:
        del parts[index]
    else:
        digits = [place for place, byte in enumerate(parts[index]) if byte in b"12345678"]
        place = chance.choice(digits)
        parts[index] = parts[index][:place] + bytes([parts[index][place] + 1]) + parts[index][place + 1 :]
    lines.matches[match] = b"".join(parts)


def _standings(lines: Lines, chance: Random) -> None:
    line = chance.choice(lines.footer["standings"])
    name = chance.choice(["points", "place", "played", "wins", "byes"])
    line[name] += chance.choice([1, 60])


def _order(lines: Lines, chance: Random) -> None:
    lines.footer["standings"] = _other_order(chance, lines.footer["standings"])


def _footer(lines: Lines, chance: Random) -> None:
    name, value = chance.choice([("edition", 2), ("end", "cancelled"), ("at", 1), ("edition", 0)])
    lines.footer[name] = value


def _contribution(lines: Lines, chance: Random) -> None:
    _set(_one(lines, chance, "entrant_entered"), contribution=f"{chance.getrandbits(256):064x}")


def _entrant(lines: Lines, chance: Random) -> None:
    record = _one(lines, chance, "entrant_entered")
    record["fact"][chance.choice(["player", "entrant"])] = chance.choice(["somebody", 7])


def _secret(lines: Lines, chance: Random) -> None:
    _one(lines, chance, "edition_signed")["fact"]["server_secret"] = f"{chance.getrandbits(256):064x}"


def _commitment(lines: Lines, chance: Random) -> None:
    fact = lines.records[0]["fact"]
    if chance.random() < 0.5:
        fact["commitment"] = f"{chance.getrandbits(256):064x}"
    else:
        lines.records[0]["sealed"]["server_secret"] = f"{chance.getrandbits(256):064x}"


def _digest(lines: Lines, chance: Random) -> None:
    kind = chance.choice(["edition_signed", "standings_posted"])
    _one(lines, chance, kind)["fact"]["digest"] = f"{chance.getrandbits(256):064x}"


def _no_show(lines: Lines, chance: Random) -> None:
    record = _one(lines, chance, "no_show_recorded")
    if chance.random() < 0.5:
        _set(record, absent=[record["fact"]["absent"][0] ^ 1])
    else:
        record["fact"]["places"] = record["fact"]["places"][::-1]


def _time(lines: Lines, chance: Random) -> None:
    index = chance.randrange(1, len(lines.records))
    lines.records[index]["at"] = lines.records[index - 1]["at"] - chance.randint(1, 1000)


def _author(lines: Lines, chance: Random) -> None:
    kind = chance.choice(["result_recorded", "match_opened", "no_show_recorded"])
    _one(lines, chance, kind)["by"] = lines.records[0]["by"]


def _lost_fact(lines: Lines, chance: Random) -> None:
    kinds = (
        "entry_opened",
        "entrant_entered",
        "tournament_started",
        "round_paired",
        "match_opened",
        "standings_posted",
    )
    lines.records.remove(_one(lines, chance, chance.choice(kinds)))


def _late_fact(lines: Lines, chance: Random) -> None:
    """Add a fact after the end."""
    record = _one(
        lines, chance, chance.choice(["result_ruled", "round_paired", "match_opened", "result_recorded"])
    )
    lines.records.append({**json.loads(canonical(record)), "at": lines.records[-1]["at"]})


FORGERIES: tuple[Callable[[Lines, Random], None], ...] = (
    _result, _reason, _scores, _lost_result, _doubled_result, _pairing, _swapped_entrants, _reasons,
    _uploaded, _lost_table, _bye, _opened, _ruling, _ruler, _added_ruling, _lost_ruling, _terms,
    _missing_match, _swapped_matches, _foreign_match, _match_content, _standings, _order, _footer,
    _contribution, _entrant, _secret, _commitment, _digest, _no_show, _time, _author, _lost_fact, _late_fact,
)  # fmt: skip


def forged(content: bytes, number: int, signer: Signer) -> tuple[str, bytes]:
    """Name and file of forgery `number` of a tournament, which must have rulings and a no-show."""
    forge = FORGERIES[number % len(FORGERIES)]
    lines = Lines.read(content)
    forge(lines, Random(number))
    return f"{number} {forge.__name__.strip('_')}", reforged(lines, signer)
