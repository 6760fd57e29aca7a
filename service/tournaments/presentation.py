"""Builds answers about tournaments: nothing hidden leaves the service, and names come from the accounts."""

from collections.abc import Mapping, Sequence

from msgspec.structs import asdict

from kontor_games.domain.codec import SPECTATOR, Plain, Shape
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC
from kontor_games.domain.tournaments.pairing.tables import Table
from kontor_games.domain.tournaments.standings import UNIT, Standing
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.domain.tournaments.terms import Terms
from kontor_games.domain.tournaments.tournament import PlannedMatch, Tournament
from kontor_games.service.answer_fields import Moment, moment
from kontor_games.service.people.players import Players
from kontor_games.service.store.command_handler import Done
from kontor_games.service.tournaments import answers
from kontor_games.service.tournaments.intervals import Spread, spread_of
from kontor_games.service.trust.signing import Signer

_TERMS = Shape(Terms)


class TournamentPresenter:
    """Builds the answers about tournaments."""

    def __init__(self, players: Players, signer: Signer) -> None:
        self.players = players
        self._signer = signer

    def summary(self, name: str, tournament: Tournament) -> answers.TournamentSummary:
        terms = tournament.terms
        return answers.TournamentSummary(
            name, terms.title, terms.game, terms.format, tournament.status, tournament.version,
            Moment(tournament.at), self.participants([terms.organiser])[0], len(tournament.active),
            len(tournament.rounds), terms.rounds,
        )  # fmt: skip

    def details(self, name: str, tournament: Tournament, head: str, caller: str | None) -> answers.Tournament:
        """A tournament with its terms."""
        announced = tournament.announced
        protests = [answers.Protest(number, why) for number, why in sorted(tournament.protests.items())]
        return answers.Tournament(
            **asdict(self.summary(name, tournament)),
            terms=_TERMS.encode(announced.terms),
            chance=answers.TournamentChance(
                announced.commitment,
                self._signed_commitment(name, tournament),
                announced.server_secret if tournament.over else None,
                tournament.seals_contributions,
                moment(tournament.due.deadline) if tournament.due else None,
                tournament.due.digest if tournament.due else None,
            ),
            head=head,
            you=tournament.numbers.get(caller or ""),
            unfinished=len(tournament.unfinished),
            ends_at=moment(tournament.ends_at),
            correction_until=moment(tournament.correction_until or None),
            edition=tournament.edition,
            protests=tuple(protests),
            acknowledged=len(tournament.acknowledged),
        )

    def _signed_commitment(
        self, name: str, tournament: Tournament
    ) -> answers.SignedTournamentCommitment | None:
        """The signed commitment, as long as entering contributes to the seed."""
        if tournament.status not in ("announced", "open"):
            return None
        text = TOURNAMENTS.commitment_text(name, tournament.announced.commitment, tournament.at)
        return answers.SignedTournamentCommitment(tournament.at, *self._signer.sign(text, tournament.at))

    def answer(self, done: Done[Tournament]) -> answers.TournamentAnswer:
        """The outcome of a command, as everyone may see it."""
        name, entry, head = done.cached.name, done.entry, done.head
        text = TOURNAMENTS.receipt_text(name, entry.last, head, entry.at)
        signed = self._signer.sign(text, entry.at)
        receipt = answers.TournamentReceipt(name, entry.last, head, entry.at, *signed)
        facts = [public_fact(fact) for fact in entry.facts]
        details = self.details(name, done.state, head, entry.by)
        return answers.TournamentAnswer(details, entry.first, facts, receipt, done.before is None)

    def participants(self, players: Sequence[str]) -> list[answers.Participant]:
        known = self.players.get_many(players)
        return [answers.Participant(p, known[p].name, known[p].bot) for p in players]

    def standings(self, name: str, tournament: Tournament) -> answers.Standings:
        """The standings, with intervals if there are not too many entrants."""
        lines = tournament.standings()
        entrants = tournament.entrants
        people = self.participants([entrants[line.entrant].player for line in lines])
        spread = spread_of(tournament)
        kinds = tournament.terms.tie_breaks
        made = []
        for index, (line, person) in enumerate(zip(lines, people, strict=True)):
            follower = lines[index + 1] if index + 1 < len(lines) else None
            made.append(_line(line, person, spread, follower, kinds, active=entrants[line.entrant].active))
        digest = tournament.standings_digest()
        return answers.Standings(
            name, tournament.status, tournament.version, tournament.edition, digest, tuple(made)
        )

    def refusals(
        self, name: str, tournament: Tournament, counted: Mapping[int, Mapping[str, int]]
    ) -> answers.TournamentRefusals:
        """The refused moves of all entrants, in the order of their numbers."""
        people = self.participants([entrant.player for entrant in tournament.entrants])
        lines = []
        for number, person in enumerate(people):
            kinds = dict(sorted(counted.get(number, {}).items()))
            lines.append(answers.EntrantRefusals(number, person, sum(kinds.values()), kinds))
        return answers.TournamentRefusals(name, tournament.status, tuple(lines))

    def round(self, name: str, tournament: Tournament, number: int) -> answers.Round:
        paired = tournament.rounds[number - 1]
        tables = tuple(self._table(tournament, number, i, table) for i, table in enumerate(paired.tables))
        return answers.Round(name, number, paired.uploaded, paired.byes, tables)

    def _table(self, tournament: Tournament, number: int, index: int, table: Table) -> answers.RoundTable:
        planned = tournament.block((number, index))
        return answers.RoundTable(
            table=index,
            entrants=table.entrants,
            players=tuple(self.participants([tournament.entrants[n].player for n in table.entrants])),
            points_before=tuple(points / UNIT for points in table.points),
            repeated_meetings=table.repeats,
            seat_repeats=table.seat_repeats,
            matches=tuple(
                answers.TableMatch(
                    one.slot[2], one.match, _status(tournament, one), one.entrants,
                    one.finish.places if one.finish else None, one.finish.scores if one.finish else None,
                    one.reason, one.absent,
                )
                for one in planned
            ),
        )  # fmt: skip


def _status(tournament: Tournament, planned: PlannedMatch) -> str:
    if planned.finish is not None:
        return "over"
    if planned.match is None:
        return "planned"
    return "playing" if planned.match in tournament.began else "open"


def public_fact(fact: object) -> Plain:
    """A fact without the fields that are hidden before the end."""
    return TOURNAMENT_CODEC.redacted(fact, SPECTATOR)  # type: ignore[arg-type]


def _line(
    line: Standing,
    person: answers.Participant,
    spread: Spread,
    follower: Standing | None,
    kinds: Sequence[str],
    *,
    active: bool,
) -> answers.StandingLine:
    low, high = spread.points.get(line.entrant, (None, None))
    mine = spread.strengths.get(line.entrant)
    theirs = spread.strengths.get(follower.entrant) if follower else None
    return answers.StandingLine(
        place=line.place,
        entrant=line.entrant,
        player=person,
        active=active,
        points=line.points / UNIT,
        sixtieths=line.points,
        tie_breaks=dict(zip(kinds, line.tie_breaks, strict=True)),
        played=line.played,
        wins=line.wins / UNIT,
        byes=line.byes,
        low=low,
        high=high,
        strength=mine.value if mine else None,
        strength_low=mine.interval[0] if mine else None,
        strength_high=mine.interval[1] if mine else None,
        best_rank=mine.ranks[0] if mine else None,
        worst_rank=mine.ranks[1] if mine else None,
        separated=bool(mine and theirs and mine.interval[0] > theirs.interval[1]),
    )
