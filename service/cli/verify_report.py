"""Prints the results of `kontor verify`: all checks of one file, or a table of several."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kontor_games.domain.codec import Plain
from kontor_games.domain.house_bots import BotMoves
from kontor_games.domain.toolkit.sentences import count_phrase, join_words
from kontor_games.domain.tournaments.decisions import Decision
from kontor_games.service.cli.log_files import cosigner_phrase
from kontor_games.service.cli.play_table import name_of_seat, read_names, read_player_names
from kontor_games.service.cli.terminal import simple_table
from kontor_games.service.terminal_text import one_line
from kontor_games.service.trust.tournament_check import TournamentVerdict
from kontor_games.service.trust.verifier import Verdict

Check = tuple[str, bool | None, str]
"""Name, state (True: passed, None: with a caveat, False: not possible yet) and description of a check."""


def decision_checks(verdict: TournamentVerdict, given: str | None) -> list[Check]:
    """Return the number of rulings, protests and no-shows, and each ruling and protest in words."""
    named = {} if given is None else read_player_names(given, verdict.players)
    names = [named.get(player) or player[:8] for player in verdict.players]
    by_type: dict[str, list[Decision]] = {}
    for one in verdict.decisions:
        by_type.setdefault(one.type, []).append(one)
    ruled, protests = by_type.get("result_ruled", []), by_type.get("standings_protested", [])
    voided = by_type.get("match_voided", [])
    no_shows = by_type.get("no_show_recorded", [])
    missing = count_phrase(sum(len(one.absent) for one in no_shows), "no-show")
    walkovers = {one.match for one in no_shows if one.after is not None}
    won = count_phrase(len(walkovers - {one.match for one in ruled + voided}), "match", "matches")
    return [
        ("no-shows", None if no_shows else True, f"{missing} decided {won}" if no_shows else "none"),
        ("rulings", None if ruled else True, f"{count_phrase(len(ruled), 'ruling')}:" if ruled else "none"),
        *(("", None, _ruling(verdict, one, names, named)) for one in ruled),
        *(
            [("replays", None, f"{count_phrase(len(voided), 'match', 'matches')} discarded:")]
            if voided
            else []
        ),
        *(("", None, _ruling(verdict, one, names, named)) for one in voided),
        ("protests", None if protests else True, f"{len(protests)}:" if protests else "none"),
        *(("", None, f"{names[one.entrants[0]]}: “{one.why}”") for one in protests),
    ]


def _ruling(verdict: TournamentVerdict, one: Decision, names: Sequence[str], named: Mapping[str, str]) -> str:
    """Return who decided or discarded which match, the places before and after, and the reason."""
    role = "the organiser" if one.by == verdict.organiser else "the arbiter"
    who = named.get(one.by) or one.by[:8]
    slot = one.slot or (0, 0, 0)
    where = f"match {one.match} (round {slot[0]}, table {slot[1] + 1})"
    before, after = (_places(one.entrants, places, names) for places in (one.before, one.after))
    if one.type == "match_voided":
        return f"{role} {who} discarded {where}: {before}: “{one.why}”"
    return f"{role} {who} decided {where}: {before} → {after}: “{one.why}”"


def _places(entrants: Sequence[int], places: Sequence[int] | None, names: Sequence[str]) -> str:
    if places is None:
        return "no result"
    return ", ".join(f"{names[number]} {place}." for number, place in zip(entrants, places, strict=True))


GOOD, REFUSED, UNCHECKED = 0, 1, 2
_MARKS = {GOOD: Text("✓", "bold green"), REFUSED: Text("✗", "bold red"), UNCHECKED: Text("?", "bold yellow")}


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result for one file: the verdict of the verifier, or the problem that was found."""

    file: Path
    match: str = ""
    """The id of the match or tournament."""
    verdict: Verdict | TournamentVerdict | None = None
    line: int | None = None
    problem: str = ""
    code: int = GOOD
    subjects: tuple[str, ...] = ()
    """The ids of everything in the file that receipts can name, if it is a tournament."""

    @property
    def located_problem(self) -> str:
        """The problem, with the number of its line if it is known."""
        return one_line(f"{f'line {self.line}: ' if self.line else ''}{self.problem}")

    def plain(self) -> Plain:
        """Return the result for JSON."""
        if self.verdict is not None:
            return {"file": str(self.file), "good": True, **asdict(self.verdict)}
        return {
            "file": str(self.file),
            "good": False,
            "checkable": self.code == REFUSED,
            "line": self.line,
            "problem": self.problem,
        }


def show_one(screen: Console, result: FileResult, names: str | None) -> None:
    """Print all checks of one file, or what is wrong with it."""
    verdict = result.verdict
    if verdict is None:
        status = "is invalid" if result.code == REFUSED else "could not be checked here"
        screen.print(Text.assemble(_MARKS[result.code], (one_line(f" {result.file.name} {status}"), "bold")))
        screen.print(Text(f"  {result.located_problem}"))
        return
    if isinstance(verdict, TournamentVerdict):
        about, checks = f"{verdict.title}, tournament", tournament_checks(verdict, names)
    else:
        about, checks = f"{verdict.game}, match", match_checks(verdict, _result(verdict, names))
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    for name, done, words in checks:
        mark = {True: Text("✓", "bold green"), False: Text("–", "dim"), None: Text("!", "bold yellow")}[done]
        table.add_row(mark, Text(name, "bold"), Text(one_line(words), "dim" if done is False else ""))
    about = f": {about} {result.match}, {verdict.status}"
    screen.print(Text.assemble(_MARKS[GOOD], " ", (one_line(result.file.name), "bold"), one_line(about)))
    screen.print(table)


def tournament_checks(verdict: TournamentVerdict, names: str | None = None) -> list[Check]:
    """Return the checks of a tournament, and what was decided in it otherwise than by play."""
    unknown = "keys taken from the file itself; use --keys to check them against the published keys"
    rounds = count_phrase(verdict.rounds, "round")
    matches = "1 match" if verdict.matches == 1 else f"{verdict.matches} matches"
    edition = f"edition {verdict.edition}, as it follows from the announced points and tie-breaks"
    checks: list[Check] = [
        ("chain", True, f"{verdict.facts} facts, each with the hash of the one before"),
        ("signature", True if verdict.trusted else None, "published keys" if verdict.trusted else unknown),
        ("seed", True, "the server's secret matches its commitment"),
        ("contributions", *_who_chose(verdict)),
        ("entries", True if verdict.signed_entries == verdict.entrants else None, _entries(verdict)),
        ("pairings", None if verdict.uploaded else True, f"{rounds} {_paired(verdict)}"),
        ("commands", True, "every entry, result, no-show and ruling was allowed when it was given"),
        ("matches", True, f"{matches} verified move by move, with the announced terms and deals"),
        ("standings", True if verdict.edition else None, edition if verdict.edition else "cancelled"),
    ]
    checks += decision_checks(verdict, names)
    checks += _outages(verdict)
    if verdict.receipts:
        checks.append(("receipts", True, f"{_agree(verdict.receipts)} with the file"))
    if verdict.checkpoint is not None:
        sentence = (
            f"the kept checkpoint of {verdict.checkpoint:,} leaves "
            f"covers all {verdict.checkpoint_version} facts, "
            f"and {verdict.checkpoint_matches} of {verdict.matches} matches"
        )
        covered = verdict.checkpoint_matches == verdict.matches
        checks.append(
            ("checkpoint", covered or None, sentence if covered else f"{sentence}; use --url for the others")
        )
    return checks


def _who_chose(verdict: TournamentVerdict) -> tuple[bool | None, str]:
    """Return who could have chosen pairings and deals, and whether that is nobody."""
    counted = f"{verdict.contributions} of {verdict.entrants} entrants contributed to the seed"
    if not verdict.contributions:
        return None, "nobody contributed: the service alone could have chosen the pairings and deals"
    if not verdict.sealed:
        return None, f"{counted}, but not sealed: whoever entered last could have chosen with the service"
    if verdict.withheld:
        numbers = join_words([f"entrant {number}" for number in verdict.withheld])
        return (
            None,
            f"{counted}; before that, at least one outcome was rejected, because {numbers} did not open",
        )
    return True, f"{counted}, all sealed before the first was opened: nobody chose pairings or deals"


def _entries(verdict: TournamentVerdict) -> str:
    """Return how many entries only the service vouches for."""
    unsigned = verdict.entrants - verdict.signed_entries
    words = f"{verdict.signed_entries} of {verdict.entrants} signed by the entrants"
    return f"{words}; for the others, only the service says what they sent" if unsigned else words


def _paired(verdict: TournamentVerdict) -> str:
    again = "paired again, with the same tables, seats and byes"
    if not verdict.uploaded:
        return again
    which = "round " if len(verdict.uploaded) == 1 else "rounds "
    return f"{again}; the organiser chose the tables of {which}{join_words(list(verdict.uploaded))}"


def _agree(receipts: int) -> str:
    return "1 receipt agrees" if receipts == 1 else f"{receipts} receipts agree"


def match_checks(verdict: Verdict, result: str) -> list[Check]:
    """Return the checks of a match."""
    published = "published by the service"
    unknown = "taken from the file itself; use --keys to check them against the published keys"
    keys = f"made with {', '.join(verdict.keys)}, {published if verdict.trusted else unknown}"
    checks: list[Check] = [
        ("form", True, f"{verdict.facts + 2} lines of canonical JSON with the right keys"),
        ("chain", True, f"{verdict.facts} facts, each with the hash of the one before"),
        ("signatures", True if verdict.trusted else None, keys),
        ("commitments", True, "all hidden values that are shown match their commitments"),
        *_checks_after_end(verdict, result),
    ]
    checks += _outages(verdict)
    if verdict.bots:
        checks.append(_house_bots(verdict.bots))
    if verdict.branch:
        branch = "a branch: it starts in a position of another match, which is not part of this file"
        checks.append(("position", None, branch))
    if verdict.receipts:
        checks.append(("receipts", True, f"{_agree(verdict.receipts)} with the file"))
    if verdict.required_witnesses:
        checks.append(_witnesses(verdict))
    if verdict.checkpoint is not None:
        checks.append(_checkpoint(verdict))
    return checks


def _checkpoint(verdict: Verdict) -> Check:
    """Return how far the kept checkpoint binds the match, and whether the log says that this is its end."""
    head = f"the kept checkpoint of {verdict.checkpoint:,} leaves has the head of version"
    words = f"{head} {verdict.checkpoint_version} of {verdict.facts}, and the log contains its keys before it"
    if verdict.checkpoint_version != verdict.facts:
        return "checkpoint", None, f"{words}; nothing binds the facts after it yet"
    if verdict.complete and not verdict.checkpoint_end:
        words += "; it is a leaf of the form that does not say whether it is the last one"
    return "checkpoint", True, words


def _outages(verdict: Verdict | TournamentVerdict) -> list[Check]:
    """Return how much time was given back because of outages, for which there is only the operator's word."""
    if not verdict.outages:
        return []
    times, given = count_phrase(verdict.outages, "time"), f"{verdict.returned_ms / 1000:,.1f} s"
    words = f"clocks were given back {given}, {times}: only the operator says that the service was down"
    logged = verdict.logged_outages if isinstance(verdict, Verdict) else None
    if logged is not None:
        words += f"; {logged} of them lie in outages that the log has for all matches"
    return [("outages", None, words)]


def _witnesses(verdict: Verdict) -> Check:
    """Return the check of the cosignatures that the match requires."""
    requirement = f"this match requires the cosignatures of {verdict.required_witnesses} witnesses"
    if verdict.checkpoint is None:
        return "witnesses", None, f"{requirement}; use --checkpoint to check them"
    signed = cosigner_phrase(verdict.cosigners, verdict.required_witnesses, time.time())
    return "witnesses", True, f"{requirement}; the kept checkpoint is {signed}"


def _checks_after_end(verdict: Verdict, result: str) -> list[Check]:
    """Return the checks that are possible only after the end of the match."""
    replayed = f"{verdict.entries} commands replayed under the rules of the match, with the same facts"
    open_seed = "open seed: everybody could compute the deal in advance"
    secret = "the server's secret matches its commitment"  # noqa: S105
    counts = verdict.in_block or (verdict.contributions and not verdict.open_seed)
    lines: list[Check] = [
        ("seed", None if verdict.open_seed else True, open_seed if verdict.open_seed else secret),
        *([_contributions(verdict)] if counts else []),
        ("draws", True, f"{verdict.draws} draws follow from the seed"),
        ("moves and facts", True, replayed),
        _players_signatures(verdict),
        ("clocks", True, "every command was in time"),
        ("result", True, result),
    ]
    later = "not possible before the match is over"
    return lines if verdict.complete else [(name, False, later) for name, _, _ in lines]


def _players_signatures(verdict: Verdict) -> Check:
    """Return the check of the players' signatures, with the seats that did not sign."""
    signed = [seat for seat, key in enumerate(verdict.player_keys) if key is not None]
    people = [seat for seat, player in enumerate(verdict.players) if player is not None]
    unsigned = [seat for seat in people if seat not in signed]
    parts = [f"seat {seat} with the key {verdict.player_keys[seat]}" for seat in signed]
    words = "no player signed"
    if signed:
        words = f"{verdict.signed_commands} commands signed, by {join_words(parts)}"
    if unsigned:
        words += f"; {_seats(unsigned)} unsigned: only the service says that these moves were theirs"
    return "players", bool(signed) if not (signed and unsigned) else None, words


def _contributions(verdict: Verdict) -> Check:
    """Return the check of the contributions, which prevent the service from choosing the deal."""
    if verdict.in_block:
        words = "in a block: nobody's contribution counted here; check the file of its tournament"
        return "contributions", None, words
    contributors = [seat for seat, what in enumerate(verdict.contributions) if what == "counted"]
    early = [seat for seat, what in enumerate(verdict.contributions) if what == "too early"]
    words = (
        f"{_seats(contributors)} contributed to the seed after the service was bound to its secret"
        if contributors
        else "nobody made a contribution that counts: the service alone could have chosen the deal"
        if early
        else "nobody contributed: the service alone could have chosen the deal"
    )
    if early:
        words += f"; the contribution of {_seats(early)} came before that and does not count"
    return "contributions", True if contributors else None, words


def _seats(seats: list[int]) -> str:
    return ("seat " if len(seats) == 1 else "seats ") + join_words(seats)


def _house_bots(bots: Sequence[BotMoves]) -> Check:
    """Return the check of the house bots: how many moves were recomputed, and why others were not."""
    words = [f"house bot moves recomputed: {sum(bot.recomputed for bot in bots)}"]
    for bot in bots:
        if bot.left_out:
            moves = (
                f"{bot.recomputed} of {bot.recomputed + bot.left_out} moves of {bot.bot} on seat {bot.seat}"
            )
            words.append(f"a random sample, {moves} (all with --all-bot-moves)")
    skipped = [bot for bot in bots if bot.not_recomputed]
    for bot in skipped:
        unpinned = "its version is not recorded, as in old matches"
        why = unpinned if bot.version is None else f"version {bot.version} is not installed here"
        words.append(f"not recomputed: {bot.not_recomputed} of {bot.bot} on seat {bot.seat}, because {why}")
    return "house bots", None if skipped else True, "; ".join(words)


def _result(verdict: Verdict, names: str | None) -> str:
    """Return the places of the seats, with `names` if given; only a finished match has players and places."""
    given = [] if names is None or not verdict.players else read_names(names, len(verdict.players))
    occupants = zip(verdict.players, verdict.house_bots, strict=True)
    shown = given or [f"seat {seat} ({name_of_seat(seat, *who)})" for seat, who in enumerate(occupants)]
    places = sorted((place, seat) for seat, place in enumerate(verdict.places or ()))
    return ", ".join(f"{place}. {shown[seat]}" for place, seat in places) or "none, the match was aborted"


def show_all(screen: Console, results: list[FileResult], receipts: tuple[int, int]) -> None:
    """Print one line for each file, and the totals; `receipts` is how many were used and given."""
    table = simple_table("", "file", "game", "facts", "remarks", "result", overflow="fold")
    table.columns[3].justify = "right"
    for one in results:
        table.add_row(_MARKS[one.code], *(Text(one_line(cell)) for cell in (one.file.name, *_row(one))))
    screen.print(table)
    counts = [sum(one.code == code for one in results) for code in (GOOD, REFUSED, UNCHECKED)]
    kept = f" {receipts[0]} of {receipts[1]} receipts used;" if receipts[1] else ""
    trusted = all(one.verdict.trusted for one in results if one.verdict)
    keys = "published by the service" if trusted else "taken from the files"
    screen.print(f"{counts[0]} valid, {counts[1]} invalid, {counts[2]} not checked;{kept} keys {keys}.")


def _row(result: FileResult) -> tuple[str, str, str, str]:
    verdict = result.verdict
    if verdict is None:
        return "", "", "", result.located_problem
    if isinstance(verdict, TournamentVerdict):
        return "tournament", f"{verdict.facts:,}", verdict.title, verdict.status
    limits = {"open seed": verdict.open_seed, "branch": verdict.branch, "unsigned": verdict.unsigned}
    remarks = ", ".join(name for name, applies in limits.items() if applies)
    return verdict.game, f"{verdict.facts:,}", remarks, verdict.status
