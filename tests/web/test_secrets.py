"""Two players and a spectator in one match: neither pages nor answers contain hidden information."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from playwright.sync_api import expect

from tests.web.browser import Visitor
from tests.web.matches import ApiPlayer, confirm_if_asked
from tests.web.test_playing import MOVES

RECORDER = """
window.received = [];
const ask = window.fetch;
window.fetch = async (...request) => {
  const answer = await ask(...request);
  if (answer.body) record(answer.clone()).catch(() => {});
  return answer;
};
async function record(answer) {
  const place = window.received.push({ url: answer.url, text: "" }) - 1;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read())
    window.received[place].text += part.value;
}
"""
"""Records every body that the page receives, streams included, as it arrives."""
PLANTED = "planted"
"""An open seed with which no other card of the kind that Ada buys is played."""
BEN = {"type": "open"}
BOT = {"type": "bot", "bot": "greedy"}


class RecordingBrowser:
    """The browser of a player or spectator of a match, which records everything that it receives."""

    def __init__(self, visitor: Visitor, match: str, player: ApiPlayer | None = None) -> None:
        visitor.context.add_init_script(RECORDER)
        address = f"#/match/{match}"
        self.page = player.open_page(visitor, address) if player else visitor.open(address)
        expect(self.page.locator(".table")).to_be_visible()

    def act(self) -> None:
        """Make the first move in the list, by clicks."""
        self.page.locator(MOVES).first.click()
        confirm_if_asked(self.page)

    def wait_for_version(self, version: int) -> None:
        """Wait until the page shows a version."""
        self.page.wait_for_function(
            "(version) => Number(document.querySelector('.table').dataset.version) >= version", arg=version
        )

    def received(self) -> str:
        """Return all bodies that were received about the match."""
        bodies: list[dict[str, str]] = self.page.evaluate("window.received")
        texts = [body["text"] for body in bodies if "/v1/matches/" in body["url"]]
        assert any("event: fact" in text for text in texts), "the recording includes the stream"
        return "\n".join(texts)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield every JSON object in every body about the match."""
        for text in self.received().split("\n"):
            line = text.removeprefix("data: ")
            if line.startswith("{"):
                yield from _objects(json.loads(line))


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _objects(part)


def open_browsers(
    visit: Callable[..., Visitor], url: str, game: str, **wish: Any
) -> tuple[ApiPlayer, ApiPlayer, str, dict[str, RecordingBrowser]]:
    """Start a match of Ada, Ben and a bot; open it in browsers of both players and a spectator."""
    ada, ben = (ApiPlayer(url).register(name) for name in ("Ada", "Ben"))
    match = ada.create_and_join(game, BEN, BOT, **wish)
    ben.join(match, 1)
    there = {"ada": ada, "ben": ben, "watcher": None}
    return ada, ben, match, {name: RecordingBrowser(visit(), match, player) for name, player in there.items()}


def test_no_card_of_the_pile_is_sent_to_anybody_before_it_is_turned_up(
    visit: Callable[..., Visitor], url: str
) -> None:
    ada, ben, match, browsers = open_browsers(visit, url, "speicherstadt")
    for name in ("ada", "ben") if ada.get(f"/v1/matches/{match}")["to_act"] == [0] else ("ben", "ada"):
        browsers[name].act()
    seen = ada.get(f"/v1/matches/{match}")
    for one in browsers.values():
        one.wait_for_version(seen["version"])
    received = {name: one.received() for name, one in browsers.items()}
    drawn = {name: one.page.content() for name, one in browsers.items()}
    ada.post(f"/v1/matches/{match}/resignation")
    ben.post(f"/v1/matches/{match}/resignation")
    facts = [one["fact"] for one in ada.get(f"/v1/matches/{match}/events?limit=500")["events"]]
    secret = next(fact["server_secret"] for fact in facts if fact["type"] == "match_created")
    pile = next(fact["pile"] for fact in facts if fact["type"] == "pile_stacked")
    hidden = pile[len(pile) // 2 :]  # after so few moves nobody has seen these cards
    # Which cards are left is public, their order is not; by chance some may lie as they are listed.
    listed = _list(seen["view"]["pile"].values())
    runs = [run for at in range(len(hidden) - 3) if (run := _list(hidden[at : at + 4])[1:-1]) not in listed]
    assert len(runs) > 5
    for name in browsers:
        assert [word for word in (secret, *runs) if word in received[name]] == []
        assert [card for card in (secret, *hidden) if "_" in card and card in drawn[name]] == []
        assert f'"{pile[0]}"' in received[name], "a public card is found, so the search works"


def _list(items: Iterable[Any]) -> str:
    return json.dumps(list(items), separators=(",", ":"))


def test_a_bought_card_and_a_hand_are_sent_only_to_their_owner(
    visit: Callable[..., Visitor], url: str
) -> None:
    ada, ben, match, browsers = open_browsers(visit, url, "europe", seed=PLANTED)
    play_until_ada_buys_a_card(ada, ben, match)
    seen = ada.get(f"/v1/matches/{match}")
    for one in browsers.values():
        one.wait_for_version(seen["version"])
    assert_drawn_for_ada_alone(browsers, seen["view"]["players"][0], ada.get("/v1/games/europe")["words"])
    known = [record for record in browsers["ada"].records() if record.get("type") == "card_bought"]
    assert {bool(record["card"]) for record in known if record["seat"] == 0} == {True}
    for name in ("ben", "watcher"):
        records = list(browsers[name].records())
        bought = [one for one in records if one.get("type") == "card_bought" and one["seat"] == 0]
        hands = [
            one["players"][0] for one in records if isinstance(one.get("players"), list) and "robber" in one
        ]
        assert bought
        assert hands
        assert [one for one in bought if one.get("card") is not None] == []
        assert [one for one in hands if {"resources", "cards", "new_card"} & set(one)] == []


def assert_drawn_for_ada_alone(
    browsers: dict[str, RecordingBrowser], held: dict[str, Any], words: dict[str, str]
) -> None:
    """Check that only Ada's page shows her new card and how many of each resource she has."""
    card = held["new_card"]
    drawn = {name: one.page.content().lower() for name, one in browsers.items()}
    found = {
        name: [word for word in (card, words[card]) if word.lower() in text] for name, text in drawn.items()
    }
    assert found == {"ada": [card, words[card]], "ben": [], "watcher": []}
    counts = [*map(str, held["resources"].values()), str(held["gold"])]
    assert browsers["ada"].page.locator(".hand .resource-card b").all_inner_texts() == counts
    assert [browsers[name].page.locator(".hand").count() for name in browsers] == [1, 1, 0]


PREFERRED = ("buy_card", "buy_resource", "roll_dice", "trade_with_supply")


def play_until_ada_buys_a_card(ada: ApiPlayer, ben: ApiPlayer, match: str) -> None:
    """Play by the API until Ada has bought a development card."""
    for _ in range(3000):
        for player in (ada, ben):
            moves = [one for one in player.get(f"/v1/matches/{match}")["legal_moves"] if "schema" not in one]
            if moves:
                move = min(moves, key=lambda one: _preference(one) if player is ada else 0)
                player.post(f"/v1/matches/{match}/moves", move)
                if player is ada and move["type"] == "buy_card":
                    return
    raise AssertionError("no card could be bought")


def _preference(move: dict[str, Any]) -> int:
    wanted = {move.get("resource"), move.get("take")} & {"wool", "salt"}
    if move["type"] in ("buy_resource", "trade_with_supply") and not wanted:
        return len(PREFERRED) + 1
    return PREFERRED.index(move["type"]) if move["type"] in PREFERRED else len(PREFERRED)
