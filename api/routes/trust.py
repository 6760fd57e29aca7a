"""Evidence: keys, exports, inclusion proofs, and the results of audits."""

from msgspec import convert

from kontor_games.api.contract import Reply, Routes, export_reply
from kontor_games.api.document_language import DocumentQuery, document, document_language
from kontor_games.api.page_files import document_file
from kontor_games.api.render import JSON, PRIVATE, Answer, export_response, json_response, moment, varying
from kontor_games.api.request import ANYONE, ApiRequest
from kontor_games.api.schemas.queries import InclusionQuery
from kontor_games.domain.codec import Plain
from kontor_games.service.documents.texts import texts_in
from kontor_games.service.trust import answers
from kontor_games.service.trust.fairness_page import fairness_page

routes = Routes(
    "trust",
    __name__,
    description="Evidence: signing keys, exports, proofs of inclusion, results of audits.",
)
_HTML = "text/html"
_ONE_MINUTE = "public, max-age=60"


@routes.get(
    "/.well-known/kontor-keys.json",
    Reply(200, "All signing keys, past and present.", answers.KeyList),
    who=ANYONE,
    problems=(503,),
)
def list_keys(request: ApiRequest) -> Answer:
    """List the public keys for checking receipts, exports and checkpoints."""
    keys = [answers.PublicKey(**key.plain()) for key in request.kontor.signer.public_keys()]
    return json_response(answers.KeyList(keys), cache_control=_ONE_MINUTE)


@routes.get(
    "/v1/matches/<id:match_id>/export", export_reply("docs/export.md"), cost="stream", headers=("Match-Key",)
)
def export_match(request: ApiRequest, match_id: str) -> Answer:
    """Export a match as one self-contained file, for `kontor verify` or your own verifier.

    If the match is over, the file is complete and the same for everyone who may see the match. Before that,
    it contains what you may see, and commitments to the rest.
    """
    response = export_response(request.kontor.exports.export(request.reader, match_id), f"kontor-{match_id}")
    return varying(response, "Authorization")


@routes.get(
    "/v1/matches/<id:match_id>/inclusion",
    Reply(200, "The leaf and the proof.", answers.MatchInclusion),
    query=InclusionQuery(),
    headers=("Match-Key",),
)
def prove_inclusion(request: ApiRequest, match_id: str) -> Answer:
    """Prove that a match is in the tree of a checkpoint: its newest leaf there, with an inclusion proof.

    The response also proves which signing keys are in the tree, and which outages touch the time of the
    match. `kontor verify --proof` reads it.
    """
    size, checkpoints = request.query["size"], request.kontor.checkpoints
    first, last = request.kontor.queries.times_of(request.reader, match_id)
    proven = checkpoints.inclusion(match_id, size)
    outages = [one.plain() for one in checkpoints.outages(size, first, last)]
    answer = {"size": size, **proven.plain(), "keys": _keys(request, size), "outages": outages}
    return json_response(convert(answer, answers.MatchInclusion), cache_control=PRIVATE)


def _keys(request: ApiRequest, size: int) -> Plain:
    return [one.plain() for one in request.kontor.checkpoints.keys(size)]


@routes.get(
    "/v1/tournaments/<id:tournament_id>/inclusion",
    Reply(200, "The leaf and the proof.", answers.TournamentInclusion),
    query=InclusionQuery(),
)
def prove_tournament_inclusion(request: ApiRequest, tournament_id: str) -> Answer:
    """Prove that a tournament is in the tree of a checkpoint: its newest leaf there, with an inclusion proof.

    A tournament gets a leaf when it is announced, started, signed off or cancelled,
    and once a minute while it changes.
    """
    request.kontor.tournaments.get(request.caller, tournament_id)
    size = request.query["size"]
    proven = request.kontor.checkpoints.inclusion(tournament_id, size, "tournament")
    answer = {"size": size, **proven.plain(), "keys": _keys(request, size)}
    return json_response(convert(answer, answers.TournamentInclusion), cache_control=PRIVATE)


@routes.get(
    "/v1/fairness",
    Reply(200, "The report.", answers.Fairness, (JSON, _HTML)),
    query=DocumentQuery(),
    headers=("Accept-Language",),
)
def get_fairness(request: ApiRequest) -> Answer:
    """Get the audit results of all matches that are over, with statistical tests of all random values.

    `Accept: text/html` returns an HTML page, in the language that `language` or `Accept-Language` names.
    """
    report = request.kontor.audits.fairness()
    if request.media_type == JSON:
        response = json_response(report.answer(), cache_control=_ONE_MINUTE)
    else:
        now, language = moment(request.kontor.clock()).replace("T", ", ")[:17], document_language(request)
        texts = texts_in(language)
        page = fairness_page(
            report, texts("fairness.title"), texts("fairness.made", now=now), "/v1/fairness", language,
            document_file("documents.css"),
        )  # fmt: skip
        response = document(page, language, _ONE_MINUTE)
    return varying(response, "Accept")
