"""Kinds of forged exports of tournaments: each alters a random detail, and is signed with the true key."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from kontor_games.domain.codec import canonical
from kontor_games.service.trust.signing import Signer
from tests.support import forged_openings as openings
from tests.support.tournament_forging import Lines, one_of, reforged


def _set(record: dict[str, Any], **values: Any) -> None:
    """Set fields of a fact, and of its command if it has them."""
    for part in (record["fact"], record.get("command", {})):
        part.update({name: value for name, value in values.items() if name in part})


def _other_order(chance: Random, items: list[Any]) -> list[Any]:
    """The items in another order."""
    return items[1:] + items[:1] if chance.random() < 0.5 or len(items) == 2 else items[::-1]


def _result(lines: Lines, chance: Random) -> None:
    record = one_of(lines, chance, "result_recorded")
    places = record["fact"]["places"]
    _set(record, places=[1] * len(places) if len(set(places)) > 1 and chance.random() < 0.3 else places[::-1])


def _reason(lines: Lines, chance: Random) -> None:
    _set(one_of(lines, chance, "result_recorded"), reason="forfeit")


def _scores(lines: Lines, chance: Random) -> None:
    record = one_of(lines, chance, "result_recorded")
    seat = chance.randrange(len(record["fact"]["scores"]))
    scores = [
        score + (place == seat) * chance.randint(1, 9) for place, score in enumerate(record["fact"]["scores"])
    ]
    _set(record, scores=scores)


def _lost_result(lines: Lines, chance: Random) -> None:
    lines.records.remove(one_of(lines, chance, "result_recorded"))


def _doubled_result(lines: Lines, chance: Random) -> None:
    record = one_of(lines, chance, "result_recorded")
    lines.records.insert(lines.records.index(record) + 1, json.loads(canonical(record)))


def _pairing(lines: Lines, chance: Random) -> None:
    tables = one_of(lines, chance, "round_paired")["fact"]["tables"]
    table = chance.choice(tables)
    table["entrants"] = _other_order(chance, table["entrants"])


def _swapped_entrants(lines: Lines, chance: Random) -> None:
    one, other = chance.sample(one_of(lines, chance, "round_paired")["fact"]["tables"], 2)
    seat = chance.randrange(2)
    one["entrants"][seat], other["entrants"][seat] = other["entrants"][seat], one["entrants"][seat]


def _reasons(lines: Lines, chance: Random) -> None:
    table = chance.choice(one_of(lines, chance, "round_paired")["fact"]["tables"])
    table[chance.choice(["repeats", "seat_repeats"])] += 1


def _uploaded(lines: Lines, chance: Random) -> None:
    one_of(lines, chance, "round_paired")["fact"]["uploaded"] = True


def _lost_table(lines: Lines, chance: Random) -> None:
    tables = one_of(lines, chance, "round_paired")["fact"]["tables"]
    tables.remove(chance.choice(tables))


def _bye(lines: Lines, chance: Random) -> None:
    one_of(lines, chance, "round_paired")["fact"]["byes"] = [chance.randrange(4)]


def _opened(lines: Lines, chance: Random) -> None:
    fact = one_of(lines, chance, "match_opened")["fact"]
    fact["entrants"] = _other_order(chance, fact["entrants"])


def _ruling(lines: Lines, chance: Random) -> None:
    record = one_of(lines, chance, "result_ruled")
    _set(record, places=chance.choice([[1, 2], [2, 1]]))


def _ruler(lines: Lines, chance: Random) -> None:
    record = one_of(lines, chance, "result_ruled")
    player = next(one["by"] for one in lines.records if one["fact"]["type"] == "entrant_entered")
    record["by"] = record["fact"]["by"] = chance.choice(["house", "somebody", player])


def _added_ruling(lines: Lines, chance: Random) -> None:
    """Add a ruling between posted and signed standings, which the signed digest does not include."""
    ruled = json.loads(canonical(one_of(lines, chance, "result_ruled")))
    at = next(i for i, one in enumerate(lines.records) if one["fact"]["type"] == "standings_acknowledged")
    match = one_of(lines, chance, "result_recorded")["fact"]
    _set(ruled, match=match["match"], places=match["places"][::-1])
    ruled["at"] = lines.records[at]["at"]
    lines.records.insert(at, ruled)


def _lost_ruling(lines: Lines, chance: Random) -> None:
    lines.records.remove(one_of(lines, chance, "result_ruled"))


def _terms(lines: Lines, chance: Random) -> None:
    """Change the announced terms: points, tie-breaks, rounds, times, or rights."""
    name, value = chance.choice(
        [
            ("points", [chance.randint(3, 99), 0]), ("points", [2, 1]), ("tie_breaks", ["score"]),
            ("tie_breaks", ["lot"]), ("tie_breaks", []), ("rounds", 2), ("rounds", 1), ("rotated", False),
            ("correction_ms", 1), ("options", {"rounds": 9}), ("on_timeout", "bot"), ("least_entrants", 5),
            ("signed", True), ("rated", True), ("required_witnesses", 1), ("max_returned_ms", 0),
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
    _set(one_of(lines, chance, "entrant_entered"), contribution=f"{chance.getrandbits(256):064x}")


def _entrant(lines: Lines, chance: Random) -> None:
    record = one_of(lines, chance, "entrant_entered")
    record["fact"][chance.choice(["player", "entrant"])] = chance.choice(["somebody", 7])


def _secret(lines: Lines, chance: Random) -> None:
    one_of(lines, chance, "edition_signed")["fact"]["server_secret"] = f"{chance.getrandbits(256):064x}"


def _commitment(lines: Lines, chance: Random) -> None:
    fact = lines.records[0]["fact"]
    if chance.random() < 0.5:
        fact["commitment"] = f"{chance.getrandbits(256):064x}"
    else:
        lines.records[0]["sealed"]["server_secret"] = f"{chance.getrandbits(256):064x}"


def _digest(lines: Lines, chance: Random) -> None:
    kind = chance.choice(["edition_signed", "standings_posted"])
    one_of(lines, chance, kind)["fact"]["digest"] = f"{chance.getrandbits(256):064x}"


def _no_show(lines: Lines, chance: Random) -> None:
    record = one_of(lines, chance, "no_show_recorded")
    if chance.random() < 0.5:
        _set(record, absent=[record["fact"]["absent"][0] ^ 1])
    else:
        record["fact"]["places"] = record["fact"]["places"][::-1]


def _time(lines: Lines, chance: Random) -> None:
    index = chance.randrange(1, len(lines.records))
    lines.records[index]["at"] = lines.records[index - 1]["at"] - chance.randint(1, 1000)


def _author(lines: Lines, chance: Random) -> None:
    kind = chance.choice(["result_recorded", "match_opened", "no_show_recorded"])
    one_of(lines, chance, kind)["by"] = lines.records[0]["by"]


def _lost_fact(lines: Lines, chance: Random) -> None:
    kinds = (
        "entry_opened",
        "entrant_entered",
        "tournament_started",
        "round_paired",
        "match_opened",
        "standings_posted",
    )
    lines.records.remove(one_of(lines, chance, chance.choice(kinds)))


def _late_fact(lines: Lines, chance: Random) -> None:
    """Add a fact after the end."""
    record = one_of(
        lines, chance, chance.choice(["result_ruled", "round_paired", "match_opened", "result_recorded"])
    )
    lines.records.append({**json.loads(canonical(record)), "at": lines.records[-1]["at"]})


def _late_entry(lines: Lines, chance: Random) -> None:
    """Move an entry behind the start."""
    record = one_of(lines, chance, "entrant_entered")
    lines.records.remove(record)
    place = next(i for i, one in enumerate(lines.records) if one["fact"]["type"] == "round_paired")
    lines.records.insert(place, {**record, "at": lines.records[place - 1]["at"]})


def _walkover(lines: Lines, chance: Random) -> None:
    """Say that the one who lost a played match had not come."""
    record, shown = one_of(lines, chance, "result_recorded"), one_of(lines, chance, "no_show_recorded")
    absent = [place for place, rank in enumerate(record["fact"]["places"]) if rank > 1] or [1]
    fact = {name: record["fact"].get(name, value) for name, value in shown["fact"].items()}
    record["fact"] = {**fact, "type": "no_show_recorded", "absent": absent}
    record["command"] = {
        name: record["fact"].get(name, value) for name, value in shown["command"].items()
    } | {"type": "record_no_show"}


def _lost_void(lines: Lines, chance: Random) -> None:
    lines.records.remove(one_of(lines, chance, "match_voided"))


def _sign_off(lines: Lines, chance: Random) -> None:
    one_of(lines, chance, "edition_signed")["by"] = one_of(lines, chance, "entrant_entered")["by"]


def _edition(lines: Lines, chance: Random) -> None:
    one_of(lines, chance, "edition_signed")["fact"]["edition"] = chance.choice([0, 2, 7])


def _acknowledged(lines: Lines, chance: Random) -> None:
    one_of(lines, chance, "standings_acknowledged")["by"] = "somebody"


def _protest(lines: Lines, chance: Random) -> None:
    """Add a protest before the standings are signed: by nobody, too late, or without an answer to it."""
    at = next(i for i, one in enumerate(lines.records) if one["fact"]["type"] == "edition_signed")
    entered = one_of(lines, chance, "entrant_entered")
    why = {"type": "protest", "why": "The table was noisy."}
    fact = {"type": "standings_protested", "entrant": entered["fact"]["entrant"], "why": why["why"]}
    author = chance.choice(["somebody", entered["by"]])
    before = lines.records[at - 1]
    record = {**before, "by": author, "fact": fact, "command": why, "sealed": {}}
    lines.records.insert(at, json.loads(canonical(record)))


def _tie_breaks(lines: Lines, chance: Random) -> None:
    """Exchange two tie-breaks of an entrant, or of two entrants, in the signed standings."""
    one, other = chance.sample(lines.footer["standings"], 2)
    if one["tie_breaks"] == other["tie_breaks"] or chance.random() < 0.5:
        one["tie_breaks"] = [value + 1 for value in one["tie_breaks"]]
    else:
        one["tie_breaks"], other["tie_breaks"] = other["tie_breaks"], one["tie_breaks"]


def _malformed_no_show(lines: Lines, chance: Random) -> None:
    record = one_of(lines, chance, "no_show_recorded")
    absent, places = record["fact"]["absent"], record["fact"]["places"]
    changes: list[dict[str, Any]] = [
        {"absent": []},
        {"absent": [99]},
        {"places": places[:1]},
        {"places": None},
        {"places": [0 for _ in places]},
        {"match": "nothing", "absent": absent},
    ]
    _set(record, **chance.choice(changes))


FORGERIES: dict[str, Callable[[Lines, Random], None]] = {
    "a result exchanged, or shared": _result,
    "a forfeit in place of a played result": _reason,
    "other scores in a result": _scores,
    "a result left out": _lost_result,
    "a result recorded twice": _doubled_result,
    "another order of the seats at a table": _pairing,
    "two entrants exchanged between tables": _swapped_entrants,
    "other reasons for a pairing": _reasons,
    "a pairing passed off as uploaded": _uploaded,
    "a table left out of a round": _lost_table,
    "a bye that nobody had": _bye,
    "a match opened for other seats": _opened,
    "other places in a ruling": _ruling,
    "a ruling by somebody without the right": _ruler,
    "a ruling added after the standings were posted": _added_ruling,
    "a ruling left out": _lost_ruling,
    "other announced terms: points, tie-breaks, rounds, times, rights": _terms,
    "the file of a match left out": _missing_match,
    "the files of two matches exchanged": _swapped_matches,
    "the file of a match that does not belong to it": _foreign_match,
    "a change in the file of a match": _match_content,
    "other figures in the standings: points, places, wins, byes": _standings,
    "another order of the standings": _order,
    "another edition, end or time on the last line": _footer,
    "another contribution of an entrant": _contribution,
    "another player behind an entry, or another number": _entrant,
    "another secret revealed at the end": _secret,
    "another commitment, or a sealed secret that does not fit": _commitment,
    "another digest of the standings": _digest,
    "another entrant absent, or other places of a no-show": _no_show,
    "a fact earlier than the one before": _time,
    "a step of the service in the name of the organiser": _author,
    "an entry, pairing, opening or start left out": _lost_fact,
    "a fact after the end": _late_fact,
    "an entry after the start, where late entries are not admitted": _late_entry,
    "a walkover in place of a played result": _walkover,
    "a match replayed although the first was never discarded": _lost_void,
    "the standings signed by somebody else": _sign_off,
    "another number of the edition": _edition,
    "an acknowledgement by somebody who did not enter": _acknowledged,
    "contributions of two entrants exchanged": openings.exchange_openings,
    "a contribution that was never opened": openings.drop_opening,
    "a protest by somebody who did not enter, or one that was not answered": _protest,
    "other tie-breaks in the signed standings": _tie_breaks,
    "a malformed no-show": _malformed_no_show,
    "other entries, digest or deadline of the opening": openings.change_due,
    "another value opened, for other entries, or by somebody else": openings.change_opening,
    "a contribution said to be withheld before the deadline": openings.say_withheld,
}


def forged(content: bytes, number: int, signer: Signer) -> tuple[str, bytes]:
    """Name and file of forgery `number` of a tournament, which must have rulings and a no-show."""
    name, forge = list(FORGERIES.items())[number % len(FORGERIES)]
    lines = Lines.read(content)
    forge(lines, Random(number))
    return f"{number} {name}", reforged(lines, signer)
