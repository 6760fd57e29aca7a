"""The log over HTTP: checkpoints, tiles and entries as C2SP specifies them, proofs, and cosignatures."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from kontor_games.api import create_app
from kontor_games.domain.log_leaves import read_leaf
from kontor_games.domain.merkle import is_consistent, leaf_hash, root_from_inclusion
from kontor_games.domain.plain import canonical
from kontor_games.domain.signed_note import read_note, read_tree_head
from kontor_games.domain.tiles import TileTree, read_bundle, tile_path
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.log_store import Checkpoint
from kontor_games.service.trust.notes import cosigners, read_keys, signer_of
from tests.api.conftest import ApiUser, Clock
from tests.api.contract import CheckedClient
from tests.api.cosigning import NOW_S, WITNESS, cosignature_of, witness
from tests.api.routes.test_trust import KEYS, ME, OPEN, seated
from tests.support.plain_tree import root_of


@pytest.fixture
def taken(ada: ApiUser, kontor: Kontor, clock: Clock) -> list[Checkpoint]:
    """Several checkpoints, each with one match more than the one before, oldest first."""
    made = []
    for _ in range(5):
        ada.match(ME, OPEN)
        clock.now += 60_000
        checkpoint = kontor.checkpoints.take()
        assert checkpoint is not None
        made.append(checkpoint)
    return made


def test_the_newest_checkpoint_is_a_note_that_the_service_signed(
    anonymous: ApiUser, kontor: Kontor, taken: list[Checkpoint]
) -> None:
    answer = anonymous.get("/v1/log/checkpoint")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "public, max-age=2"
    assert answer.text == taken[-1].note
    note = read_note(answer.text)
    head = read_tree_head(note)
    assert (head.origin, head.size, head.root) == (kontor.checkpoints.origin, 6, taken[-1].root)
    [key] = read_keys(anonymous.get(KEYS).json["keys"])
    assert head.origin == f"localhost/{key.id}/v1/log", "another service has another origin"
    assert signer_of(note, head.origin, [key]) == key


def test_without_a_checkpoint_the_answer_is_404(anonymous: ApiUser) -> None:
    assert anonymous.get("/v1/log/checkpoint").json["code"] == "not_found"
    assert anonymous.get("/v1/log/tile/0/000.p/1").json["code"] == "not_found"
    assert anonymous.get("/v1/checkpoints").json == {"checkpoints": [], "next": None}


def test_checkpoints_are_listed_page_by_page(anonymous: ApiUser, taken: list[Checkpoint]) -> None:
    found, cursor = [], ""
    for expected in (2, 2, 1):
        page = anonymous.get(f"/v1/checkpoints?limit=2{cursor}").json
        assert len(page["checkpoints"]) == expected
        found += page["checkpoints"]
        cursor = f"&cursor={page['next']}"
    assert page["next"] is None
    assert found == [{"size": one.size, "at": one.at, "note": one.note} for one in taken[::-1]]


@pytest.mark.parametrize("cursor", ["abc", "AAAA", "______________", "AAAAAAAAAAAAAAAA"])
def test_a_malformed_cursor_is_refused(anonymous: ApiUser, cursor: str) -> None:
    answer = anonymous.get(f"/v1/checkpoints?cursor={cursor}")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_a_proof_shows_that_the_tree_only_grew(anonymous: ApiUser, taken: list[Checkpoint]) -> None:
    for first in taken:
        for second in taken[taken.index(first) :]:
            answer = anonymous.get(
                f"/v1/checkpoints/consistency?first={first.size}&second={second.size}"
            ).json
            assert (answer["first"], answer["second"]) == (first.size, second.size)
            assert is_consistent(first.size, first.root, second.size, second.root, answer["proof"])


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("first=1&second=99", 404),
        ("first=3&second=2", 404),
        ("first=0&second=2", 422),
        ("first=1", 422),
        ("", 422),
        ("first=1&second=2&x=1", 422),
    ],
)
def test_a_consistency_proof_needs_two_existing_sizes(
    anonymous: ApiUser, taken: list[Checkpoint], query: str, status: int
) -> None:
    assert anonymous.get(f"/v1/checkpoints/consistency?{query}").status_code == status


def proven(one: dict[str, Any], size: int) -> str:
    return root_from_inclusion(leaf_hash(canonical(one["leaf"])), one["index"], size, one["proof"])


def test_a_match_and_the_keys_are_proved_to_be_in_the_tree(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, kontor: Kontor
) -> None:
    paths = [seated(ada, ben) for _ in range(3)]
    newest = kontor.checkpoints.take()
    assert newest is not None
    [key] = anonymous.get(KEYS).json["keys"]
    for path in paths:
        proved = anonymous.get(f"{path}/inclusion?size={newest.size}").json
        assert proved["leaf"]["match"] == path.rpartition("/")[2]
        assert proved["leaf"]["head"] == anonymous.get(path).json["head"]
        assert proven(proved, newest.size) == newest.root
        [bound] = proved["keys"]
        assert bound["leaf"] == {"key": key["id"], "public_key": key["public_key"], "valid_from": 0}
        assert proven(bound, newest.size) == newest.root
        assert anonymous.get(f"/v1/log/keys?size={newest.size}").json == {
            "size": newest.size,
            "keys": proved["keys"],
        }


def test_a_match_created_after_a_checkpoint_is_not_in_it(
    ada: ApiUser, anonymous: ApiUser, taken: list[Checkpoint]
) -> None:
    later = f"/v1/matches/{ada.match(ME, OPEN)['id']}/inclusion"
    assert anonymous.get(f"{later}?size=6").json["detail"] == "The match is not in this checkpoint."
    assert anonymous.get(f"{later}?size=7").json["detail"] == "There is no checkpoint of this size."
    assert anonymous.get(later).status_code == 422


# --- tiles and entries --------------------------------------------------------------------------------------


def test_tiles_and_entries_give_the_signed_root(anonymous: ApiUser, taken: list[Checkpoint]) -> None:
    size = taken[-1].size
    answer = anonymous.get(f"/v1/log/tile/entries/000.p/{size}")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    entries = read_bundle(answer.data)
    assert len([read_leaf(entry) for entry in entries]) == size
    assert root_of([leaf_hash(entry) for entry in entries]) == taken[-1].root

    def read(level: int, index: int, width: int) -> bytes:
        return bytes(anonymous.get(f"/v1/log/tile/{level}/{tile_path(index, width)}").data)

    for one in taken:
        assert TileTree(read, one.size).root == one.root


@pytest.mark.parametrize(
    "path",
    [
        *("0/000", "0/000.p/7", "0/001.p/1", "1/000.p/1", "63/000", "entries/000", "entries/000.p/7"),
        *(
            "0/0",
            "0/000.p/0",
            "0/000.p/256",
            "0/x000/000",
            "64/000",
            "00/000",
            "-1/000",
            "entries/x",
            "entries/",
        ),
        *("x/000", "0/", "0/000/", "0/000.p/01", f"0/{tile_path(10**17)}", f"entries/{tile_path(10**17)}"),
    ],
)
def test_a_missing_tile_is_not_found(anonymous: ApiUser, taken: list[Checkpoint], path: str) -> None:
    answer = anonymous.get(f"/v1/log/tile/{path}")
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")


def test_a_problem_about_a_malformed_index_shows_a_valid_one(anonymous: ApiUser) -> None:
    assert "such as x001/234 or 007.p/30" in anonymous.get("/v1/log/tile/0/7").json["detail"]


# --- cosignatures -------------------------------------------------------------------------------------------


@pytest.fixture
def witnessed(kontor: Kontor, taken: list[Checkpoint]) -> Iterator[ApiUser]:
    """An anonymous user of the same service, started with one configured witness."""
    again = Kontor(replace(kontor.settings, witnesses=(WITNESS.public,)), kontor.clock)
    app = create_app(again)
    app.test_client_class = CheckedClient
    yield ApiUser(app.test_client())
    again.close()


def test_a_cosignature_is_listed_under_the_checkpoint(witnessed: ApiUser, taken: list[Checkpoint]) -> None:
    newest = taken[-1]
    for _ in range(2):
        answer = witnessed.post("/v1/log/cosignatures", cosignature_of(newest.note, newest.size))
        assert (answer.status_code, answer.json) == (201, {"size": 6, "witnesses": [WITNESS.public.name]})
    shown = witnessed.get("/v1/log/checkpoint").text
    assert shown.startswith(newest.note)
    assert len(read_note(shown).signatures) == 2
    assert cosigners(read_note(shown), [WITNESS.public]) == [(WITNESS.public.name, NOW_S)]
    listed = witnessed.get("/v1/checkpoints").json["checkpoints"]
    assert [one["note"] for one in listed] == [shown, *(one.note for one in taken[-2::-1])]


def test_an_older_checkpoint_can_be_cosigned_too(witnessed: ApiUser, taken: list[Checkpoint]) -> None:
    old = taken[1]
    assert witnessed.post("/v1/log/cosignatures", cosignature_of(old.note, old.size)).status_code == 201
    listed = {one["size"]: one["note"] for one in witnessed.get("/v1/checkpoints").json["checkpoints"]}
    assert [size for size, note in listed.items() if len(read_note(note).signatures) == 2] == [old.size]


def test_cosignatures_of_unknown_witnesses_are_refused(
    witnessed: ApiUser, anonymous: ApiUser, taken: list[Checkpoint]
) -> None:
    newest, stranger = taken[-1], witness("witness.example/w2", 8)
    impostor = witness(WITNESS.public.name, 9)
    right = cosignature_of(newest.note, newest.size)
    for who, body in (
        (anonymous, right),
        (witnessed, cosignature_of(newest.note, newest.size, stranger)),
        (witnessed, cosignature_of(newest.note, newest.size, impostor)),
        (witnessed, cosignature_of(taken[0].note, newest.size)),
        (witnessed, {**right, "signatures": newest.note.rpartition("\n\n")[2]}),
        (witnessed, {**right, "signatures": right["signatures"] + "— x AAAAAAAA\n"}),
    ):
        answer = who.post("/v1/log/cosignatures", body)
        assert (answer.status_code, answer.json["code"]) == (403, "unknown_witness")
    assert witnessed.get("/v1/log/checkpoint").text == newest.note


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"size": 99}, 404),
        ({"size": 0}, 422),
        ({"size": "6"}, 422),
        ({"signatures": ""}, 422),
        ({"signatures": "— a AAAAAAAA"}, 422),
        ({"signatures": "- a AAAAAAAA\n"}, 422),
        ({"signatures": "— a AAAAAAAB=\n"}, 422),
        ({"signatures": "— a+b AAAAAAAA\n"}, 422),
        ({"signatures": "— a AAAAAAAA\n" * 17}, 422),
        ({"more": 1}, 422),
    ],
)
def test_a_malformed_cosignature_is_refused(
    witnessed: ApiUser, taken: list[Checkpoint], changed: dict[str, Any], status: int
) -> None:
    body = {**cosignature_of(taken[-1].note, taken[-1].size), **changed}
    assert witnessed.post("/v1/log/cosignatures", body).status_code == status


def test_the_log_does_not_name_the_players_of_a_private_match(
    ada: ApiUser, ben: ApiUser, kontor: Kontor, anonymous: ApiUser, register: Callable[..., ApiUser]
) -> None:
    path = seated(ada, ben, private=True)
    newest = kontor.checkpoints.take()
    assert newest is not None
    entries = read_bundle(anonymous.get(f"/v1/log/tile/entries/000.p/{newest.size}").data)
    text = b"".join(entries).decode()
    assert path.rpartition("/")[2] in text
    assert ada.id not in text
    assert ben.id not in text
    assert register("Cem").get(f"{path}/inclusion?size={newest.size}").status_code == 404


def test_a_match_cannot_require_more_witnesses_than_there_are(ada: ApiUser) -> None:
    body = {"game": "fair", "seats": [{"type": "me"}, {"type": "open"}]}
    refused = ada.post("/v1/matches", {**body, "required_witnesses": 9})
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/required_witnesses")
    none = ada.post("/v1/matches", body).json
    assert (none["required_witnesses"], none["witnesses"]) == (0, [])


def test_a_match_pins_the_witnesses_that_it_requires(ada: ApiUser, kontor: Kontor) -> None:
    kontor.matches.defaults = replace(kontor.matches.defaults, witnesses=(WITNESS.public.text,))
    body = {"game": "fair", "seats": [{"type": "me"}, {"type": "open"}], "required_witnesses": 1}
    made = ada.post("/v1/matches", body).json
    assert (made["required_witnesses"], made["witnesses"]) == (1, [WITNESS.public.text])
