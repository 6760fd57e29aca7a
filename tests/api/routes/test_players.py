from collections.abc import Callable

from tests.api.conftest import ApiUser, Clock

KEY = {"Idempotency-Key": "3f6f4f1f-2f11-4d0e-9a57-0b5c1c9e6a1f"}


def test_a_new_player_gets_a_token_once(anonymous: ApiUser) -> None:
    made = anonymous.post("/v1/players", {"name": "Ada", "bot": True})
    assert made.status_code == 201
    assert made.headers["Location"] == f"/v1/players/{made.json['id']}"
    assert made.headers["Cache-Control"] == "no-store"
    shown = {
        "id": made.json["id"],
        "name": "Ada",
        "bot": True,
        "created_at": "2026-03-01T12:00:00.000Z",
        "public_key": None,
    }
    assert made.json == {**shown, "token": made.json["token"]}
    assert made.json["token"].startswith("kontor_")
    profile = {**shown, "online": False, "ratings": []}
    assert anonymous.get(f"/v1/players/{made.json['id']}").json == profile


def test_a_retry_gets_the_same_player_and_token(anonymous: ApiUser) -> None:
    first = anonymous.post("/v1/players", {"name": "Ada"}, headers=KEY)
    again = anonymous.post("/v1/players", {"name": "Ada"}, headers=KEY)
    assert again.json == first.json
    assert (first.headers.get("Idempotency-Replayed"), again.headers.get("Idempotency-Replayed")) == (
        None,
        "true",
    )


def test_another_request_under_the_same_key_is_refused(anonymous: ApiUser) -> None:
    anonymous.post("/v1/players", {"name": "Ada"}, headers=KEY)
    answer = anonymous.post("/v1/players", {"name": "Ben"}, headers=KEY)
    assert (answer.status_code, answer.json["code"]) == (409, "key_reused")


def test_a_key_that_leads_to_a_token_must_be_hard_to_guess(anonymous: ApiUser) -> None:
    answer = anonymous.post("/v1/players", {"name": "Ada"}, headers={"Idempotency-Key": "1"})
    assert (answer.status_code, answer.json["errors"][0]["header"]) == (422, "Idempotency-Key")


def test_a_name_must_be_visible(anonymous: ApiUser) -> None:
    answer = anonymous.post("/v1/players", {"name": "Ada\u202e"})
    assert (answer.status_code, answer.json["code"]) == (409, "name_not_allowed")


def test_names_are_stored_unchanged_as_plain_text(register: Callable[..., ApiUser]) -> None:
    name = "<script>alert('1')</script> '; --"
    player = register(name)
    assert player.get("/v1/me").json["name"] == name


def test_me_is_the_owner_of_the_token(ada: ApiUser) -> None:
    assert ada.get("/v1/me").json["id"] == ada.id


def test_a_new_name_takes_effect_immediately(ada: ApiUser, anonymous: ApiUser) -> None:
    assert ada.patch("/v1/me", {"name": "Ada L."}).json["name"] == "Ada L."
    assert anonymous.get(f"/v1/players/{ada.id}").json["name"] == "Ada L."


def test_an_erased_player_keeps_nothing_but_an_id(ada: ApiUser, anonymous: ApiUser) -> None:
    match = ada.match()
    gone = ada.delete("/v1/me")
    assert (gone.status_code, gone.data) == (204, b"")
    assert ada.get("/v1/me").status_code == 401
    assert anonymous.get(f"/v1/players/{ada.id}").json["name"] is None
    assert anonymous.get(f"/v1/matches/{match['id']}").json["seats"][0]["player"] == {
        "id": ada.id,
        "name": None,
        "bot": False,
    }


def test_a_missing_player_is_not_found(anonymous: ApiUser) -> None:
    answer = anonymous.get("/v1/players/00000000-0000-4000-8000-000000000000")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")
    assert anonymous.get("/v1/players/house").status_code == 404


def test_tokens_are_listed_without_their_text(ada: ApiUser, clock: Clock) -> None:
    clock.now += 1000
    made = ada.post("/v1/tokens", {"label": "laptop", "scopes": ["play"], "expires_in_ms": 60_000})
    assert made.status_code == 201
    text = made.json["token"]
    assert made.json == {
        "token": text,
        "id": made.json["id"],
        "label": "laptop",
        "scopes": ["play"],
        "created_at": "2026-03-01T12:00:01.000Z",
        "expires_at": "2026-03-01T12:01:01.000Z",
        "last_four": text[-4:],
    }
    listed = ada.get("/v1/tokens").json["tokens"]
    assert [one["label"] for one in listed] == ["registration", "laptop"]
    assert text not in ada.get("/v1/tokens").text


def test_an_expired_or_revoked_token_is_refused(ada: ApiUser, clock: Clock) -> None:
    short = ada.post("/v1/tokens", {"label": "a", "scopes": ["play"], "expires_in_ms": 1000}).json
    other = ada.post("/v1/tokens", {"label": "b", "scopes": ["play"]}).json
    assert ApiUser(ada.client, other["token"]).get("/v1/me").status_code == 200
    assert ada.delete(f"/v1/tokens/{other['id']}").status_code == 204
    revoked = ApiUser(ada.client, other["token"]).get("/v1/me")
    assert (revoked.status_code, revoked.json["code"]) == (401, "unauthorised")
    assert revoked.headers["WWW-Authenticate"] == 'Bearer realm="kontor"'
    clock.now += 1000
    assert ApiUser(ada.client, short["token"]).get("/v1/me").status_code == 401


def test_a_token_cannot_create_one_with_more_scopes(ada: ApiUser) -> None:
    body = {"label": "weak", "scopes": ["play", "account"]}
    weak = ApiUser(ada.client, ada.post("/v1/tokens", body).json["token"])
    answer = weak.post("/v1/tokens", {"label": "strong", "scopes": ["organise"]})
    assert (answer.status_code, answer.json["code"]) == (403, "forbidden")
    assert weak.post("/v1/tokens", {"label": "strong", "scopes": ["admin"]}).status_code == 403


def test_a_retried_token_is_the_same(ada: ApiUser) -> None:
    body = {"label": "laptop", "scopes": ["play"]}
    first, again = (ada.post("/v1/tokens", body, headers=KEY) for _ in range(2))
    assert again.json == first.json
    assert again.headers["Idempotency-Replayed"] == "true"


def test_the_tokens_of_others_cannot_be_revoked(ada: ApiUser, ben: ApiUser) -> None:
    token = ada.get("/v1/tokens").json["tokens"][0]["id"]
    assert ben.delete(f"/v1/tokens/{token}").status_code == 404


def test_the_tokens_of_a_player_are_limited(ada: ApiUser) -> None:
    statuses = [ada.post("/v1/tokens", {"label": "x", "scopes": ["play"]}).status_code for _ in range(50)]
    assert statuses == [201] * 49 + [409]
