"""An operator who cheats curl (docs/first-match.md) and the bot in TypeScript: kept receipts show it.

Neither checks anything while the match is played. Both keep receipts, which `kontor verify` compares.
"""

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kontor_client import Kontor
from kontor_games.domain.commands import Resign, ResignErased
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import THE_SERVICE, Caller
from tests.client.dishonest_service.cheating_operator import Operator
from tests.client.service import KONTOR, ROOT, run_program
from tests.client.test_clients_page import block
from tests.client.test_readme import blocks
from tests.client.typescript import typescript_folder

SITE = "http://localhost:8000"
LOOP, RESIGNATION = "while MOVE=$(turn) && [", "send \"/v1/matches/$MATCH/resignation\" -d '{}' > /dev/null"
VERIFY = ".venv/bin/kontor verify match.ndjson --keys kontor-keys.json --receipts answers.ndjson"


# What the operator does


def nothing(_: Operator) -> None:
    """Keep to the protocol."""


def exchange_the_secret(operator: Operator) -> None:
    """Exchange the secret once the contribution is known, and show the old commitment."""
    operator.ignore_signatures()
    operator.grind(lambda _: True)
    operator.hide_swapped_commitments()


def replace_a_move(operator: Operator) -> None:
    """When the match is over, replace its player's first move by another legal one, and resign for them."""
    operator.ignore_signatures()

    def act(match: str) -> None:
        by, moves = operator.take_back_moves(match)
        call = Call(Caller(by, bot=False, scopes=frozenset({"play"}), token=""))
        other = next(one for one in operator.legal_moves(call, match) if one not in moves)
        operator.kontor.matches.play(call, match, [other])
        operator.kontor.matches.execute(call, match, Resign())

    operator.before_export(act)


def erase_the_account(operator: Operator) -> None:
    """When the match is over, say that its player's account was erased before their first move."""

    def act(match: str) -> None:
        operator.take_back_moves(match)
        operator.kontor.matches.execute(Call(THE_SERVICE, "erased"), match, ResignErased(0))

    operator.before_export(act)


def make_another_move(operator: Operator) -> None:
    """Make another move at once than the one that was sent, and give a receipt for it."""

    def handle(honest: Any, call: Any, match: str, moves: list[Any]) -> Any:
        legal = operator.legal_moves(call, match)
        others = [one for one in legal if one != moves[0]]
        return honest(call, match, others[:1] if moves[0] in legal else moves)

    operator.on_moves(handle)


# What the players do


def play_with_curl(operator: Operator, folder: Path) -> None:
    """Run the commands up to the files that are verified; resign after the first move."""
    script = "\n".join(blocks("docs/first-match.md", "sh")[:-1])
    assert (script.count(LOOP), script.count(VERIFY), script.count("localhost:8000")) == (1, 1, 1)
    script = script.replace(SITE, operator.url).replace(LOOP, f"{RESIGNATION}\n{LOOP}")
    script = script[: script.index(VERIFY)]
    done = subprocess.run(
        ["sh", "-eu"], input=script, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    (folder / "answers.ndjson").rename(folder / "receipts.ndjson")


@cache
def compiled_bot() -> Path:
    """Compile the bot of docs/clients.md as the page says, once; return its folder."""
    work = typescript_folder("dishonest")
    for name, about in (("bot.ts", "await look();"), ("signing.ts", "export async function createKey")):
        (work / name).write_text(block("ts", about), encoding="utf-8")
    _, *commands = block("sh").replace(f"{SITE}/openapi.json", str(ROOT / "openapi.yaml")).splitlines()
    run_program("sh", "-euc", "\n".join(commands).replace("&& node bot.js", ""), cwd=work)
    return work


def play_with_typescript(operator: Operator, folder: Path) -> None:
    """Run the bot of docs/clients.md, and fetch what the page says."""
    work = compiled_bot()
    program = (work / "bot.js").read_text(encoding="utf-8").replace(SITE, operator.url)
    (work / "bot-here.js").write_text(program, encoding="utf-8")
    printed = run_program("sh", "-euc", "exec 2>&1; node bot-here.js > receipts.ndjson", cwd=work)
    [match] = re.findall(r"[0-9a-f-]{36}", printed)
    receipts = (work / "receipts.ndjson").read_bytes()
    assert receipts.count(b"\n") == receipts.count(match.encode()) > 5
    (folder / "receipts.ndjson").write_bytes(receipts)
    with Kontor(operator.url) as reader:
        (folder / "match.ndjson").write_bytes(reader.connection.download(f"/v1/matches/{match}/export"))
        keys = reader.connection.download("/.well-known/kontor-keys.json")
        (folder / "kontor-keys.json").write_bytes(keys)


def verified(folder: Path, *options: str) -> tuple[int, str]:
    """The exit code and the output of `kontor verify` with the published keys."""
    command: list[str | Path] = [KONTOR, "verify", "match.ndjson", "--keys", "kontor-keys.json", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


Player = Callable[[Operator, Path], None]
Mode = Callable[[Operator], None]
ACCEPTED, OTHER_HISTORY = "receipts", "the service has signed another history"
UNSIGNED, OTHER = "the player did not sign", "the signature of the player does not fit"
CASES: dict[str, tuple[Player, Mode, str, str]] = {
    "curl, honest": (play_with_curl, nothing, "", ACCEPTED),
    "curl, secret exchanged": (play_with_curl, exchange_the_secret, "", OTHER_HISTORY),
    "curl, move replaced": (play_with_curl, replace_a_move, "", OTHER_HISTORY),
    "curl, account erased": (play_with_curl, erase_the_account, "", OTHER_HISTORY),
    "curl, another move at once": (play_with_curl, make_another_move, "", ACCEPTED),
    "TypeScript, honest": (play_with_typescript, nothing, "", ACCEPTED),
    "TypeScript, secret exchanged": (play_with_typescript, exchange_the_secret, OTHER, OTHER),
    "TypeScript, move replaced": (play_with_typescript, replace_a_move, UNSIGNED, UNSIGNED),
    "TypeScript, account erased": (play_with_typescript, erase_the_account, "", OTHER_HISTORY),
}
"""The player, what the operator does, and what `verify` says without and with the receipts."""


@pytest.mark.parametrize("case", CASES)
def test_kept_receipts_show_what_the_operator_did(operator: Operator, tmp_path: Path, case: str) -> None:
    """Of a move that was replaced before its receipt was signed they show nothing: only a signature does."""
    play, act_dishonestly, alone, with_receipts = CASES[case]
    act_dishonestly(operator)
    play(operator, tmp_path)
    code, said = verified(tmp_path)
    assert (code, alone in said) == (1 if alone else 0, True), said
    code, said = verified(tmp_path, "--receipts", "receipts.ndjson")
    assert (code, with_receipts in said) == (0 if with_receipts is ACCEPTED else 1, True), said
