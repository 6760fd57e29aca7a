"""Requests by which players talk to each other, block and report each other, and set up e-mail."""

from kontor_games.api.schemas import fields as req
from kontor_games.api.schemas.fields import RequestSchema, between, length, matching, one_of
from kontor_games.domain.plain import MAX_INTEGER
from kontor_games.domain.toolkit.languages import LANGUAGES
from kontor_games.service.matches.phrases import PHRASES
from kontor_games.service.people.reports import OUTCOMES, REASONS


class PhraseRequest(RequestSchema):
    """What a player says."""

    phrase = req.text("The phrase.", one_of(*PHRASES), schema={"examples": ["good_luck"]})


class PhrasesQuery(RequestSchema):
    """Which phrases to return."""

    after = req.query_integer(
        "Return only phrases after this number.", between(0, MAX_INTEGER), load_default=0
    )


class ReportRequest(RequestSchema):
    """A report about a player."""

    reason = req.text(
        "`name`: an offensive name; `stalling`: keeps others waiting on purpose; `cheating`; `other`.",
        one_of(*REASONS),
        schema={"examples": ["stalling"]},
    )
    text = req.text("What happened, in your words.", length(0, 500), load_default="")
    match = req.id_of("Id of the match in which it happened.", **req.NULLABLE)


class ReportsQuery(RequestSchema):
    """Which reports to return."""

    closed = req.query_flag("Return those about which was decided, instead of open ones.")
    limit = req.query_integer("Maximum number of reports.", between(1, 500), load_default=100)


class ReportOutcome(RequestSchema):
    """What an administrator has decided about a report."""

    outcome = req.text(
        "`dismissed`, `warned` (outside of this service), or `banned`: the player is banned with the reason.",
        one_of(*OUTCOMES),
        schema={"examples": ["dismissed"]},
    )


class MailRequest(RequestSchema):
    """An address to which e-mail is sent."""

    address = req.text(
        "The e-mail address, in ASCII.",
        matching(r"[A-Za-z0-9._%+'-]{1,64}@([A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}", "an e-mail address"),
        schema={"examples": ["ada@example.org"]},
    )
    language = req.text(
        "The language of the messages.", one_of(*LANGUAGES), schema={"examples": ["en"]}, load_default="en"
    )


class MailConfirmation(RequestSchema):
    """The code that was sent to an address."""

    code = req.id_of("The code in the link.")
