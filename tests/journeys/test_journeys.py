"""Each kind of user does the whole thing on one installation, with everything on that is on by default.

The tests build on each other and run in this order: the auditor examines what the others have left behind.
They use only what README.md and docs/ say, and a failed one prints what its user saw.
"""

import re
import signal
import stat
from pathlib import Path

from kontor_client import Kontor
from tests.client.test_clients_page import block
from tests.client.test_readme import blocks
from tests.client.typescript import typescript_folder
from tests.journeys.bots import RemoteBot, playing
from tests.journeys.site import MIGRATE, Site
from tests.support.installation import leader
from tests.support.shell import Shell


def test_authors_of_bots_play_in_python_and_in_typescript(site: Site) -> None:
    """README: A bot in Python; docs/clients.md: A bot in TypeScript."""
    # Fresh accounts play at once, although each request can reach another node.
    for number in range(3):
        author = site.user(f"author-{number}")
        [program] = blocks("A bot in Python", "python")
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
    (folder / "bot.ts").write_text(to_site(block("ts"), site), encoding="utf-8")
    shell = Shell(folder, site.operator.environment, site.operator.port)
    _, *commands = block("sh").splitlines()  # the packages are installed
    assert "reason: 'played'" in shell.run("\n".join(commands))


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
