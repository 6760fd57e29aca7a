import csv
import io
import json

import pytest

from kontor_games.api.page_files import POLICY
from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser, Clock
from tests.api.tournament_stages import TERMS, Stages


@pytest.fixture
def stages(kontor: Kontor, ada: ApiUser, ben: ApiUser, anonymous: ApiUser) -> Stages:
    made = anonymous.post("/v1/players", {"name": "Olga"}).json
    return Stages(kontor, ApiUser(anonymous.client, made["token"], made["id"]), ada, ben)


@pytest.fixture
def guest(anonymous: ApiUser) -> ApiUser:
    """A player who has not entered the tournament."""
    made = anonymous.post("/v1/players", {"name": "Gast"}).json
    return ApiUser(anonymous.client, made["token"], made["id"])


def test_an_announcement_answers_with_the_terms_a_signed_commitment_and_a_receipt(stages: Stages) -> None:
    again = stages.organiser.post("/v1/tournaments", TERMS, headers={"Idempotency-Key": "cup"})
    assert again.headers["Location"] == f"/v1/tournaments/{again.json['id']}"
    tournament = again.json
    assert (tournament["status"], tournament["version"], tournament["format"]) == ("announced", 1, "swiss")
    assert tournament["terms"]["rules_version"] == 1
    assert tournament["chance"]["signed"]["signature"]
    assert tournament["receipt"]["head"] == tournament["head"]
    assert tournament["facts"][0]["hidden"] == ["server_secret"]
    replayed = stages.organiser.post("/v1/tournaments", TERMS, headers={"Idempotency-Key": "cup"})
    assert replayed.headers["Idempotency-Replayed"] == "true"
    assert replayed.json == tournament


def test_a_tournament_from_the_announcement_to_the_signed_standings(stages: Stages, ada: ApiUser) -> None:
    stages.final()
    tournament = ada.get(stages.path).json
    assert (tournament["status"], tournament["edition"], tournament["you"]) == ("final", 1, 0)
    assert len(tournament["chance"]["server_secret"]) == 64
    standings = ada.get(f"{stages.path}/standings").json
    assert [(line["place"], line["points"], line["player"]["name"]) for line in standings["lines"]] == [
        (1, 2.0, "Ben"),
        (2, 0.0, "Ada"),
    ]
    facts = ada.get(f"{stages.path}/events").json
    assert [event["fact"]["type"] for event in facts["events"]] == [
        "tournament_announced", "entry_opened", "entrant_entered", "entrant_entered", "contributions_due",
        "contribution_opened", "contribution_opened", "tournament_started",
        "round_paired", "match_opened", "result_recorded", "standings_posted", "standings_acknowledged",
        "standings_acknowledged", "edition_signed",
    ]  # fmt: skip
    assert facts["next"] is None
    assert facts["events"][-1]["fact"]["digest"] == standings["digest"]


def test_standings_come_as_csv_lines_and_a_page_too(stages: Stages, ada: ApiUser) -> None:
    stages.final()
    path = f"{stages.path}/standings"
    lines = ada.get(path).json["lines"]
    table = list(csv.DictReader(io.StringIO(ada.get(path, headers={"Accept": "text/csv"}).text)))
    assert [(row["place"], row["name"], row["points"]) for row in table] == [
        ("1", "Ben", "2.0"),
        ("2", "Ada", "0.0"),
    ]
    ndjson = ada.get(path, headers={"Accept": "application/x-ndjson"})
    rows = [json.loads(line) for line in ndjson.text.splitlines()]
    assert [(row["player"], row["sixtieths"]) for row in rows] == [
        (line["player"]["id"], line["sixtieths"]) for line in lines
    ]
    assert {f"tie_break_{name}" for name in lines[0]["tie_breaks"]} <= rows[0].keys()
    page = ada.get(path, headers={"Accept": "text/html"})
    assert (page.headers["Content-Security-Policy"], "<style" in page.text) == (POLICY, False)
    assert page.text.index("<td>Ben</td>") < page.text.index("<td>Ada</td>")
    varies = ndjson.headers["Vary"].split(", ")
    assert sorted(page.headers["Vary"].split(", ")) == sorted([*varies, "Accept-Language"])


def test_the_page_with_the_standings_is_in_the_chosen_language_or_that_of_the_browser(
    stages: Stages, ada: ApiUser
) -> None:
    stages.final()
    path, html = f"{stages.path}/standings", {"Accept": "text/html", "Accept-Language": "fr-CA, en;q=0.5"}
    by_browser, chosen = ada.get(path, headers=html), ada.get(f"{path}?language=de", headers=html)
    for answer, language, sentence in (
        (by_browser, "fr", "Définitif, ronde 1 sur 1, édition 1."),
        (chosen, "de", "Endgültig, Runde 1 von 1, Ausgabe 1."),
    ):
        assert (answer.headers["Content-Language"], f'<html lang="{language}">' in answer.text) == (
            language,
            True,
        )
        assert f"<p>{sentence}</p>" in answer.text
    assert "Punkte je Partie (95 %)</th>" in chosen.text
    assert ada.get(f"{path}?language=xx", headers=html).status_code == 422
    assert "Content-Language" not in ada.get(path, headers={"Accept-Language": "fr"}).headers


def test_names_are_escaped_in_csv_and_html(stages: Stages, ada: ApiUser) -> None:
    ada.patch("/v1/me", {"name": "=1+<b>"})
    stages.entered()
    path = f"{stages.path}/standings"
    assert "'=1+<b>" in ada.get(path, headers={"Accept": "text/csv"}).text
    assert "=1+&lt;b&gt;" in ada.get(path, headers={"Accept": "text/html"}).text


def test_a_later_correction_makes_a_second_edition(stages: Stages) -> None:
    stages.final()
    corrected = stages.organiser.post(
        f"{stages.path}/corrections", {"match": stages.match, "places": [1, 1], "why": "clerical error"}
    )
    assert (corrected.status_code, corrected.json["edition"]) == (201, 2)


def test_a_round_says_why_its_tables_were_paired(stages: Stages) -> None:
    stages.paired()
    table = stages.organiser.get(f"{stages.path}/rounds/1").json["tables"][0]
    assert sorted(player["name"] for player in table["players"]) == ["Ada", "Ben"]
    assert (table["repeated_meetings"], table["points_before"]) == (0, [0.0, 0.0])
    assert stages.organiser.get(f"{stages.path}/rounds/2").status_code == 404


def test_pages_of_facts_continue_where_the_last_one_ended(stages: Stages) -> None:
    stages.entered()
    first = stages.organiser.get(f"{stages.path}/events?limit=3").json
    assert (len(first["events"]), first["next"]) == (3, 3)
    rest = stages.organiser.get(f"{stages.path}/events?after=3").json
    assert [event["version"] for event in rest["events"]] == [4]


def test_a_long_poll_ends_with_its_time(stages: Stages, clock: Clock) -> None:
    page = stages.organiser.get(f"{stages.path}/events?after=1&wait=1").json
    assert (page["events"], page["next"]) == ([], 1)


@pytest.mark.parametrize("kind", ["text/event-stream", "application/x-ndjson"])
def test_one_stream_has_all_tables_of_a_tournament(stages: Stages, kind: str) -> None:
    stages.final()
    version = stages.organiser.get(stages.path).json["version"]
    stream = stages.organiser.get(f"{stages.path}/events", headers={"Accept": kind})
    lines = stream.text.splitlines()
    data = [line.removeprefix("data: ") for line in lines if line.startswith(("data: ", "{"))]
    facts = [json.loads(line) for line in data if '"fact"' in line]
    assert facts == stages.organiser.get(f"{stages.path}/events").json["events"]
    if kind == "text/event-stream":
        assert f"event: end\nid: {version}\n" in stream.text
    resumed = {"Accept": kind, "Last-Event-ID": str(version - 1)}
    last = stages.organiser.get(f"{stages.path}/events", headers=resumed)
    assert '"type":"edition_signed"' in last.text
    assert '"type":"standings_posted"' not in last.text
    over = stages.organiser.get(f"{stages.path}/events?after={version}", headers={"Accept": kind})
    assert over.status_code == 204


def test_the_start_of_a_table_is_a_fact_recorded_once(stages: Stages, ada: ApiUser, ben: ApiUser) -> None:
    stages.paired()
    for who in (ada, ben):
        who.post(f"/v1/matches/{stages.match}/seats")
    for _ in range(2):
        stages.kontor.tournament_worker().step_all()
    facts = ada.get(f"{stages.path}/events").json["events"]
    assert [one["fact"]["type"] for one in facts][-2:] == ["match_opened", "match_began"]
    matches = ada.get(f"{stages.path}/rounds/1").json["tables"][0]["matches"]
    assert [one["status"] for one in matches] == ["playing"]


def test_an_invalid_last_event_id_is_refused(stages: Stages) -> None:
    headers = {"Accept": "text/event-stream", "Last-Event-ID": "last"}
    assert stages.organiser.get(f"{stages.path}/events", headers=headers).status_code == 400


def test_the_list_has_filters_and_pages(stages: Stages, ada: ApiUser) -> None:
    stages.entered()
    other = stages.organiser.post("/v1/tournaments", {**TERMS, "title": "Other"}).json["id"]
    listed = ada.get("/v1/tournaments?limit=1").json
    assert len(listed["tournaments"]) == 1
    assert listed["next"]
    assert [one["id"] for one in ada.get(f"/v1/tournaments?player={ada.id}").json["tournaments"]] == [
        stages.id
    ]
    assert [one["id"] for one in ada.get("/v1/tournaments?status=announced").json["tournaments"]] == [other]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([], ""),
        ({"title": "Cup"}, "/game"),
        ({**TERMS, "game": 7}, "/game"),
        ({**TERMS, "options": []}, "/options"),
        ({**TERMS, "options": {"cards": []}}, "/options/cards"),
        ({**TERMS, "points": [1]}, "/points"),
        ({**TERMS, "points": [1, 2]}, "/points"),
        ({**TERMS, "seats": 2.5}, "/seats"),
        ({**TERMS, "forbidden": [[1]]}, "/forbidden/0/0"),
        ({**TERMS, "organiser": "me"}, "/organiser"),
        ({**TERMS, "format": "lottery"}, "/format"),
    ],
)
def test_an_invalid_announcement_is_refused_with_a_pointer(ada: ApiUser, body: object, pointer: str) -> None:
    answer = ada.post("/v1/tournaments", body)
    assert (answer.status_code, pointer in [e["pointer"] for e in answer.json["errors"]]) == (422, True), (
        answer.json
    )


@pytest.mark.parametrize(
    ("stage", "who", "what", "body", "status", "code"),
    [
        ("opened", 0, "start", None, 403, "not_organiser"),
        ("entered", 0, "entrants", {}, 409, "already_entered"),
        ("started", 0, "entrants", {}, 409, "entry_closed"),
        ("opened", None, "start", None, 409, "too_few_entrants"),
        ("opened", None, "rounds", {"tables": [[0]]}, 409, "wrong_stage"),  # the tables are not read
        ("started", 0, "rounds", {"tables": [[0]]}, 403, "not_organiser"),
        ("paired", None, "rounds", {}, 409, "results_missing"),
        ("played", None, "rounds", {}, 409, "no_round_left"),
        ("started", None, "rounds", {"tables": [[0, 7]]}, 409, "wrong_tables"),
        ("started", None, "rounds", {"tables": [[0]]}, 422, "malformed"),
        ("opened", None, "provisional-standings", None, 409, "wrong_stage"),
        (
            "provisional",
            0,
            "rulings",
            {"match": "00000000-0000-4000-8000-000000000000", "places": [1, 2], "why": "x"},
            403,
            "not_arbiter",
        ),
        (
            "final",
            None,
            "rulings",
            {"match": "00000000-0000-4000-8000-000000000000", "places": [1, 2], "why": "x"},
            409,
            "wrong_stage",
        ),
        (
            "provisional",
            None,
            "rulings",
            {"match": "00000000-0000-4000-8000-000000000000", "places": [1, 2], "why": "x"},
            409,
            "no_such_match",
        ),
        ("provisional", None, "sign-off", {}, 409, "correction_open"),
        ("opened", 0, "protests", {"why": "no"}, 409, "wrong_stage"),
        ("full", "guest", "entrants", {}, 409, "tournament_full"),
        ("final", "guest", "entrants", {}, 409, "entry_closed"),
        ("cancelled", "guest", "entrants", {}, 409, "entry_closed"),
        ("announced", "guest", "entrants", {}, 409, "entry_closed"),
        ("opened", "guest", "entrants", {"contribution": "abc"}, 422, "malformed"),
        (
            "final",
            None,
            "replays",
            {"match": "00000000-0000-4000-8000-000000000000", "why": "x"},
            409,
            "wrong_stage",
        ),
        ("started", None, "rounds", {"tables": [[0, 0]]}, 409, "wrong_tables"),
        ("withdrawn", None, "rounds", {"tables": [[0, 1]]}, 409, "wrong_tables"),
        ("provisional", "guest", "acknowledgements", None, 403, "not_entrant"),
    ],
)
def test_every_misuse_is_answered_with_a_specific_problem_and_changes_nothing(
    stages: Stages,
    guest: ApiUser,
    stage: str,
    who: int | str | None,
    what: str,
    body: object,
    status: int,
    code: str,
) -> None:
    getattr(stages, stage)()
    caller = guest if who == "guest" else stages.organiser if who is None else stages.entrants[int(who)]
    before = stages.organiser.get(f"{stages.path}/events").json
    answer = caller.post(f"{stages.path}/{what}", body)
    assert (answer.status_code, answer.json["code"]) == (status, code), answer.json
    assert stages.organiser.get(f"{stages.path}/events").json == before


def test_wrong_points_are_refused_and_the_id_of_a_match_is_not_a_tournament(
    stages: Stages, ada: ApiUser
) -> None:
    before = ada.get("/v1/tournaments").json
    for points in ([2], [3, 2, 0], [2, 0, 0, 0, 0, 0]):
        answer = ada.post("/v1/tournaments", {**TERMS, "points": points})
        assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/points")
    assert ada.get("/v1/tournaments").json == before
    stages.paired()
    for path in ("", "/standings", "/events", "/export", "/rounds/1", "/inclusion?size=1"):
        assert ada.get(f"/v1/tournaments/{stages.match}{path}").status_code == 404, path
    assert ada.get(f"/v1/matches/{stages.id}").status_code == 404


def test_a_withdrawn_entrant_is_not_paired_and_can_return(stages: Stages, ada: ApiUser) -> None:
    stages.entered()
    assert ada.post(f"{stages.path}/entrants/me/withdrawal").json["entrants"] == 1
    assert ada.post(f"{stages.path}/entrants").json["entrants"] == 2
    assert (
        stages.organiser.post(f"{stages.path}/withdrawals", {"entrant": 1, "why": "asleep"}).json["entrants"]
        == 1
    )


def test_a_match_is_played_again_and_a_protest_is_answered(stages: Stages, ada: ApiUser) -> None:
    stages.paired()
    first = stages.match
    answer = stages.organiser.post(f"{stages.path}/replays", {"match": first, "why": "power cut"})
    assert answer.json["facts"][0]["type"] == "match_voided"
    stages.kontor.tournament_worker().step_all()
    assert stages.match != first
    ruled = stages.organiser.post(
        f"{stages.path}/rulings", {"match": stages.match, "places": [1, 2], "why": "lot"}
    )
    assert ruled.status_code == 201
    stages.organiser.post(f"{stages.path}/provisional-standings")
    assert ada.post(f"{stages.path}/protests", {"why": "I was winning."}).json["protests"] == [
        {"entrant": 0, "why": "I was winning."}
    ]


def test_a_cancelled_tournament_is_exported_whole(stages: Stages) -> None:
    assert stages.organiser.post(f"{stages.path}/cancellation", {"why": "rain"}).json["status"] == "cancelled"
    export = stages.organiser.get(f"{stages.path}/export")
    assert export.data.count(b"\n") == 4
    assert stages.id in export.headers["Content-Disposition"]
