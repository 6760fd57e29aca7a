"""Each kind of user does the whole thing on one installation, with everything on that is on by default.

The tests build on each other and run in this order: the auditor examines what the others have left behind.
They use only what README.md and docs/ say, and a failed one prints what its user saw.
"""

import json
import random
import re
import signal
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from playwright.sync_api import Browser, expect

from kontor_client import Kontor, Match
from tests.client.service import ROOT
from tests.client.test_clients_page import block
from tests.client.test_readme import blocks
from tests.client.typescript import typescript_folder
from tests.journeys.bots import Entrant, RemoteBot, playing
from tests.journeys.guests import KINDS, Guest, guest
from tests.journeys.site import MIGRATE, Away, Site
from tests.support.installation import leader
from tests.support.push_receiver import Browser as PushBrowser
from tests.support.push_receiver import claims_of
from tests.support.shell import Shell
from tests.support.waiting import wait_until
from tests.web.matches import ApiPlayer
from tests.web.organiser_pictures import organise_on_the_page
from tests.web.test_clocks import compare
from tests.web.test_playing import MOVES

CUP = "docs/first-tournament.md"
TOURNAMENTS = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
NAMES = ("hanna", "ida", "karla", "lars")
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def test_two_guests_play_trade_and_check_a_match_of_settlers_of_europe(site: Site, browser: Browser) -> None:
    """README: Play in the browser."""
    with guest(browser, site.url, "#/new") as ada, guest(browser, site.url, "#/lobby") as ben:
        # Ada creates a match with a clock; the third seat is for a bot, the second for whoever has the link.
        ada.page.get_by_role("radio", name="Settlers of Europe").check()
        ada.page.get_by_role("combobox", name="Seat 3").select_option("bot:greedy")
        ada.page.get_by_role("radio", name="10 minutes + 5 s").check()
        ada.page.get_by_text("Options of Settlers of Europe").click()
        ada.page.get_by_label("Turn limit").fill("5")
        ada.press("Create the match")
        link = ada.page.get_by_label("Send this link to players and spectators").input_value()
        ben.page.goto(link)
        ben.page.get_by_role("button", name=re.compile("^Take this seat")).click()
        for one in (ada, ben):
            expect(one.page.locator(".table")).to_be_visible()
        for one, other in ((ada, ben), (ben, ada)):
            expect(one.page.locator(".table .players")).to_contain_text(other.account["name"])
        assert all(seat["key"] for seat in ada.match["seats"][:2]), "both sign their moves"
        site.matches["guests"] = [ada.match["id"]]

        trade(*take_turns_until_both_can_trade(ada, ben))

        # They play on to the end, and both pages show the clocks of the service throughout.
        while not ada.page.locator(".result").count():
            if not any(asked := [one for one in (ada, ben) if one.is_asked()]):
                ada.page.wait_for_timeout(50)
                continue
            for one in (ada, ben):
                compare(one.page, one.api, ada.match["id"])
                expect(one.page.get_by_text("free seat")).to_have_count(0)
            asked[0].step()
        for one in (ada, ben):
            expect(one.page.locator(".result")).to_be_visible()
            expect(one.page.locator(".clock, .player .turn")).to_have_count(0)
            one.page.locator(".result .button", has_text="Check this match").click()
            expect(one.page.locator(".verdict")).to_contain_text(
                "Everything that can be checked here is right."
            )


def take_turns_until_both_can_trade(ada: Guest, ben: Guest) -> tuple[Guest, Guest, str, str]:
    """Play with keys until one can offer the other a trade; return both, and what each gives."""
    while True:
        for one, other in ((ada, ben), (ben, ada)):
            if not one.is_asked():
                one.page.wait_for_timeout(100)
                continue
            mine, yours = one.hand, other.hand
            swaps = [(a, b) for a in KINDS for b in KINDS if a != b and mine[a] > 1 and yours[b] > 1]
            if swaps and one.page.get_by_role("button", name="Offer a trade").count():
                return one, other, *swaps[0]
            expect(one.page.locator(MOVES).first).to_be_enabled()
            end = one.page.locator(MOVES).filter(has_text="End your turn")
            (end if end.count() else one.page.locator(MOVES)).first.focus()
            one.page.keyboard.press("Enter")
            one.confirm()


def trade(one: Guest, other: Guest, given: str, wanted: str) -> None:
    """One offers a card for a card, the other wants two, and one agrees."""
    before = one.hand, other.hand
    one.propose("Offer a trade", {given: 1}, {wanted: 1}, without="Casual")
    offer = other.page.get_by_role("list").locator(".offer.for-me")
    expect(offer).to_contain_text(one.account["name"])
    other.propose("Counter-offer", {}, {given: 1})
    expect(one.page.locator(".offer.for-me")).to_contain_text(other.account["name"])
    one.press("Accept", one.page.locator(".offer.for-me"))
    one.confirm()
    expect(other.page.locator(".offer")).to_have_count(0)
    assert one.hand == {**before[0], given: before[0][given] - 2, wanted: before[0][wanted] + 1}
    assert other.hand == {**before[1], given: before[1][given] + 2, wanted: before[1][wanted] - 1}


def test_a_player_has_a_device_called_and_leaves(site: Site) -> None:
    """RUNBOOK: Calls to players who are away. What comes of it is seen a minute later, in another journey."""
    ada, ben = (ApiPlayer(site.url).register(name) for name in ("Ada", "Ben"))
    first, second = (ada.at(node.url) for node in site.installation.nodes)
    browser, phone, push_key = PushBrowser(), str(uuid4()), first.get("/v1/me/calls")["push_key"]
    first.put(f"/v1/me/push-devices/{phone}", browser.subscription(site.push.endpoint()) | {"language": "en"})
    assert second.get("/v1/me/calls") == {"push_key": push_key, "devices": [phone]}
    seats = [{"type": "me"}, {"type": "invited", "player": first.get("/v1/me")["id"]}]
    match = ben.post("/v1/matches", {"game": "speicherstadt", "seats": seats})["id"]
    site.away = Away(ada, browser, push_key, match)


def test_authors_of_bots_play_in_python_and_in_typescript(site: Site) -> None:
    """README: A bot in Python; docs/clients.md: A bot in TypeScript."""
    # Fresh accounts play at once, although each request can reach another node.
    for number in range(3):
        author = site.user(f"author-{number}")
        [program] = blocks("README.md", "python")
        (author.folder / "bot.py").write_text(to_site(program, site), encoding="utf-8")
        assert "'reason': 'played'" in author.run("python bot.py")
    for number in range(10):
        with Kontor(site.url, folder=site.folder / f"fresh-{number}") as kontor:
            kontor.sign_in(f"Fresh {number}")
            match = kontor.create_match("speicherstadt", [{"type": "me"}, {"type": "bot", "bot": "greedy"}])
            turn = next(kontor.turns(match.id))
            assert kontor.play(match.id, turn.legal_moves[0], turn.version).version > turn.version
            kontor.resign(match.id)
    folder = typescript_folder("journey")
    (folder / "bot.ts").write_text(to_site(block("ts", "await look();"), site), encoding="utf-8")
    (folder / "signing.ts").write_text(block("ts", "export async function createKey"), encoding="utf-8")
    shell = Shell(folder, site.operator.environment, site.operator.port)
    _, *commands = block("sh").splitlines()  # the packages are installed
    assert "reason: 'played'" in shell.run("\n".join(commands))


def test_a_language_model_plays_through_both_nodes(site: Site) -> None:
    """docs/agents.md: the hosted form, and the program without a client."""
    harness = site.user("harness")
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    [commands], [program] = (
        re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        for language in ("sh", "python")
    )
    token = harness.run(commands).splitlines()[0]
    (harness.folder / "harness.py").write_text(program, encoding="utf-8")
    assert "'reason': 'played'" in harness.run(f'python harness.py "$KONTOR_URL" {token}')
    calls = 'kontor_http_requests_total{operation="answer_mcp",status="200"}'
    for node in site.installation.nodes:
        [count] = re.findall(
            rf"^{re.escape(calls)} (\S+)$", httpx.get(f"{node.url}/metrics").text, re.MULTILINE
        )
        assert float(count) > 5, "the proxy has sent calls of the match to each node"


def test_three_remote_bots_play_one_match_of_settlers_of_europe(site: Site) -> None:
    """docs/clients.md: `run` asks again if somebody else acts first."""
    with ExitStack() as stack:
        bots = [stack.enter_context(Kontor(site.url, folder=site.folder / f"table-{n}")) for n in range(3)]
        ids = [bot.sign_in(f"Table bot {number}").id for number, bot in enumerate(bots)]
        seats = [{"type": "me"}, *({"type": "invited", "player": one} for one in ids[1:])]
        options = {"turn_limit": 30}
        match = (
            bots[0]
            .create_match("europe", seats, clock={"kind": "per_move", "ms": 60_000}, options=options)
            .id
        )
        for bot in bots[1:]:
            bot.join(match)

        def play(bot: Kontor) -> Match:
            return bot.run(lambda turn: random.choice(turn.legal_moves), [match])[match]

        with ThreadPoolExecutor(len(bots)) as threads:
            ended = list(threads.map(play, bots))
    assert [one.status for one in ended] == ["finished"] * 3
    assert all(seat["key"] for seat in ended[0].data["seats"])


def to_site(program: str, site: Site) -> str:
    """A program from a document, with the address of this installation."""
    assert "http://localhost:8000" in program
    return program.replace("http://localhost:8000", site.url)


def test_a_witness_and_an_auditor_keep_what_the_service_has_signed(site: Site) -> None:
    """docs/log.md: Witnesses, Check a match. The auditor comes back at the end."""
    auditor = site.user("auditor")
    site.users["auditor"] = auditor
    assert '"keys"' in auditor.run(
        'curl -sS "$KONTOR_URL/.well-known/kontor-keys.json" | tee kontor-keys.json'
    )
    # The witness makes a key; its cosignatures are refused until the operator has listed it.
    refused = auditor.refuse('kontor witness "$KONTOR_URL" --name witness.example/w1 --folder witness --once')
    [key] = re.findall(r"^witness\.example/w1\+\S+$", refused, re.MULTILINE)
    (auditor.folder / "witnesses.txt").write_text(f"{key}\n", encoding="utf-8")
    for process in (*site.installation.nodes, *site.installation.workers):
        process.configure(KONTOR_WITNESSES=key)
    site.operator.environment["KONTOR_WITNESSES"] = key
    auditor.run('kontor checkpoint fetch "$KONTOR_URL" > before.txt')


def test_the_player_who_left_was_called_once(site: Site) -> None:
    """A worker sent the message to the device that a node has stored, and the player follows it."""
    assert site.away is not None
    wait_until(lambda: site.push.messages)
    [message] = site.push.messages
    assert claims_of(message.headers["Authorization"], site.away.push_key)["sub"] == "https://kontor.example"
    assert json.loads(site.away.browser.decrypt(message.body)) == {
        "match": site.away.match,
        "text": "Ben invites you to The Speicherstadt.",
    }
    site.away.player.join(site.away.match, 1)
    assert site.away.player.get(f"/v1/matches/{site.away.match}")["status"] == "running"


def test_an_operator_upgrades_backs_up_and_loses_processes_while_others_play(
    site: Site, tmp_path: Path
) -> None:
    """RUNBOOK: Stop and upgrade, Back up, Restore. No acknowledged move is lost or made twice."""
    operator, nodes, workers = site.operator, site.installation.nodes, site.installation.workers
    assert "✗" not in operator.run("kontor doctor")
    bots = [RemoteBot(site.url, tmp_path / name, name) for name in ("Anna", "Bruno", "Clara", "Dirk")]
    with playing(bots) as go_on:
        go_on()
        # An upgrade in place: the tables, then one process after the other, with the setting of the witness.
        operator.run(MIGRATE)
        for node in nodes:
            assert node.end(signal.SIGTERM) == 0
            go_on()
            node.start()
            node.wait_until_ready()
        for worker in workers:
            assert worker.end(signal.SIGTERM) == 0
            worker.start()
        go_on()
        operator.run('kontor backup kontor.backup --database "$OWNER_URL"')
        # A node and the leading worker are lost.
        nodes[0].end(signal.SIGKILL)
        go_on()
        nodes[0].start()
        first = leader(workers)
        first.end(signal.SIGKILL)
        go_on()
        assert leader(workers) is not first
        first.start()
        nodes[0].wait_until_ready()
    for bot in bots:
        assert bot.recorded() == bot.moves, f"the moves of {bot.name}"
    assert stat.S_IMODE((operator.folder / "kontor.backup").stat().st_mode) == 0o600
    elsewhere = site.owner_url.replace("/kontor?", "/elsewhere?")
    operator.environment["ELSEWHERE"] = elsewhere
    operator.run(f'createdb --host="{site.cluster.folder}" --username=kontor elsewhere')
    operator.run('kontor restore kontor.backup --database "$ELSEWHERE"')
    assert re.search(r"([1-9]\d*) of \1 match", operator.run('kontor audit --all --database "$ELSEWHERE"'))
    assert "✗" not in operator.run("kontor doctor")


def test_an_organiser_runs_a_tournament_with_duplicate_deals_on_the_command_line(site: Site) -> None:
    """docs/tournaments.md: From the announcement to the signed standings."""
    with Kontor(site.url, folder=site.folder / "organiser-account") as account:
        token = account.register("Olga", bot=False).token
    organiser = site.user("organiser", KONTOR_TOKEN=token)
    organiser.run("kontor tournament template > all_terms.toml")
    [terms] = re.findall(r"^```toml\n(.*?)^```$", TOURNAMENTS, re.MULTILINE | re.DOTALL)
    one_round = terms.replace("rounds = 5", "rounds = 1")
    (organiser.folder / "cup.toml").write_text(one_round, encoding="utf-8")
    announced = organiser.run("kontor tournament announce cup.toml --open")
    cup = re.findall(r"^Announced .*: (\S+)$", announced, re.MULTILINE)[0]
    organiser.environment["ID"] = cup
    script, _ = blocks(CUP, "sh")
    [program] = re.findall(r"<<'END'\n(import random.*?)^END$", script, re.MULTILINE | re.DOTALL)
    bots = [Entrant(site.user(name), to_site(program, site), cup) for name in NAMES]
    wait_until(lambda: len(bots[0].account.standings(cup)["lines"]) == len(bots))
    assert "lars" in organiser.run('kontor tournament entrants "$ID"')
    organiser.run('kontor tournament start "$ID"')
    assert "All matches are played." in organiser.run('kontor tournament watch "$ID"')
    matches = [one for one in re.findall(UUID, organiser.run('kontor tournament tables "$ID"')) if one != cup]
    site.matches["block"] = matches
    assert len(matches) == len(NAMES), "the deal is played once from every seat"
    # Lars protests; the arbiter looks at the match and decides, and all agree.
    bots[-1].account.protest(cup, "My power failed in the last match.")
    assert "My power failed" in organiser.run('kontor tournament protests "$ID"')
    organiser.run(f'kontor tournament rule "$ID" {matches[0]} 1,2,2,4 --why "power cut"')
    assert "protest" in organiser.refuse('kontor tournament sign "$ID"')
    for bot in bots:
        bot.account.acknowledge(cup)
        bot.close()
    assert "final" in organiser.run('kontor tournament sign "$ID" --despite-protests')
    organiser.run('curl -sS "$KONTOR_URL/.well-known/kontor-keys.json" > kontor-keys.json')
    organiser.run('kontor tournament export "$ID" cup.ndjson')
    verified = organiser.run("kontor verify cup.ndjson --keys kontor-keys.json")
    assert "4 matches verified move by move" in " ".join(verified.split())
    assert "power cut" in " ".join(verified.split())
    organiser.run(f"node {ROOT}/docs/verifier/verify.mjs cup.ndjson")
    organiser.run('kontor tournament report "$ID" report.html')
    assert "power cut" in (organiser.folder / "report.html").read_text(encoding="utf-8")


def first_json(output: str) -> Any:
    """The JSON at the beginning of the output of a command."""
    return json.JSONDecoder().raw_decode(output)[0]


def test_an_organiser_runs_a_tournament_on_the_page(site: Site, browser: Browser) -> None:
    """docs/organisers.md, step by step; the entrants use the API."""
    entrants = [ApiPlayer(site.url).register(name) for name in ("Edda", "Fritz", "Greta", "Heinz")]
    with guest(browser, site.url, "#/tournaments/new") as organiser:
        organise_on_the_page(organiser.page, entrants, lambda _name, _top: None)


def test_an_auditor_finds_everything_in_order_and_accuses_nobody(site: Site) -> None:
    """docs/log.md and docs/trust.md, with what the auditor kept before; RUNBOOK: the audit."""
    auditor, operator = site.users["auditor"], site.operator
    audited = operator.run("kontor audit --all --html audit.html")
    assert re.search(r"([1-9]\d*) of \1 match", audited)
    # Only one match of a block counts, because they share a deal; its draws are counted once.
    first, *_ = block_matches = site.matches["block"]
    alone, together = (
        first_json(operator.run(f"kontor audit --json {' '.join(some)}")) for some in ([first], block_matches)
    )
    assert (alone["chance"], together["repeated_deals"]) == (together["chance"], len(block_matches) - 1)
    report = first_json(auditor.run('curl -sS "$KONTOR_URL/v1/fairness"'))
    assert report["anomalies"] == []
    assert report["p_value"] is None or report["p_value"] > 0.0001
    # The log has only grown since, the witness cosigns it, and an old match can be checked against it.
    auditor.run('kontor witness "$KONTOR_URL" --folder witness --once')
    fetch = 'kontor checkpoint fetch "$KONTOR_URL" --witnesses witnesses.txt --require-witnesses 1 > kept.txt'
    auditor.run(fetch)
    operator.run(f'kontor checkpoint verify "{auditor.folder}/before.txt"')
    auditor.run('kontor checkpoint search "$KONTOR_URL"')
    auditor.run(f'curl -sS "$KONTOR_URL/v1/matches/{first}/export" > match.ndjson')
    verified = auditor.run(
        'kontor verify match.ndjson --keys kontor-keys.json --checkpoint kept.txt --url "$KONTOR_URL"'
        " --witnesses witnesses.txt --require-witnesses 1"
    )
    assert "✗" not in verified
