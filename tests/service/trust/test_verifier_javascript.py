"""The second verifier, in JavaScript, written from the documents alone: it agrees with the first."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.commands import Abort, Create, Leave, RevealSecret
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import PositionSet
from kontor_games.domain.position import dump_position
from kontor_games.domain.stream import HOUSE
from kontor_games.service.cli.verify_report import match_checks
from kontor_games.service.trust.verifier import verify
from tests.corpus.record import CORPUS
from tests.domain.installed_fair import the_fair_is_installed
from tests.service.trust.test_player_signatures import Signed, begun, finished
from tests.service.trust.test_verifier_flips import flipped, whole_match
from tests.support.forging import lines_of
from tests.support.node import FOLDER, ROOT, node, problems, verdicts, written
from tests.support.recording import KEYS, OPEN, PLAYERS, KnownKeys, Recording, announcement, table_of

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

__all__ = ["the_fair_is_installed"]

TOURNAMENTS = {"tournament.mjs", "standings.mjs"}
APART = {
    "draws.mjs",
    "small_order.mjs",
    "forms.mjs",
    "vectors.mjs",
    "report.mjs",
    "verify.mjs",
} | TOURNAMENTS
"""Modules outside the limit of lines: data, vectors, sentences, command line."""

COMMENT = ("//", "/**", "*")

# The program


def modules() -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.mjs"))}


def test_it_is_short_and_has_no_dependency() -> None:
    sources = modules()
    code = {
        name: [line for line in map(str.strip, text.splitlines()) if line and not line.startswith(COMMENT)]
        for name, text in sources.items()
    }
    assert sum(len(lines) for name, lines in code.items() if name not in APART) <= 1000
    assert sum(len(lines) for name, lines in code.items() if name in TOURNAMENTS) <= 850
    for name, text in sources.items():
        text = re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)  # types come from elsewhere, too
        imported = re.findall(r'^(?:import|\}) .*from "(.+)";$|\bimport\("(.+)"\)', text, re.MULTILINE)
        imported = [one or other for one, other in imported]
        assert len(imported) == len(re.findall(r"^import|\bimport\(", text, re.MULTILINE))
        assert all(
            one.startswith("./") or (name == "verify.mjs" and one.startswith("node:")) for one in imported
        )


def test_all_but_the_command_line_runs_in_browsers_too() -> None:
    for name, text in modules().items():
        if name != "verify.mjs":
            assert re.findall(r"node:|\bBuffer\b|\bprocess\b|\brequire\b", text) == [], name


def test_its_bindings_of_draws_are_those_of_the_document() -> None:
    text = modules()["draws.mjs"]
    embedded = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert embedded == json.loads((ROOT / "docs/draws.json").read_bytes())


def test_it_agrees_with_all_published_vectors() -> None:
    assert node("--vectors", ROOT / "docs/vectors") == (0, ["all vectors agree"])


LAST_PARTS = {
    "chain.json": '"proof"',
    "chance.json": '"answers"',
    "ed25519.json": '"signature"',
    "signatures.json": '"version"',
    "standings.json": '"finishes"',
}


@pytest.mark.parametrize("part", LAST_PARTS)
def test_it_would_notice_a_wrong_vector(part: str, tmp_path: Path) -> None:
    for name in LAST_PARTS:
        text = (ROOT / "docs/vectors" / name).read_text(encoding="utf-8")
        if name == part:
            text = text.replace('"valid": true', '"valid": false', 1)
            place = text.rindex(LAST_PARTS[part])
            digit = next(n for n in range(place, len(text)) if text[n] in "123456789")
            text = text[:digit] + ("1" if text[digit] != "1" else "2") + text[digit + 1 :]
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert node("--vectors", tmp_path)[0] == 2


WITH_ANOTHER_WEBCRYPTO = """
const {{ subtle }} = globalThis.crypto;
Object.defineProperty(globalThis, "crypto", {{ value: {crypto} }});
const {{ readFileSync }} = await import("node:fs");
"""
CHECK_FILES = """
const {{ verifyExport }} = await import("{folder}/kontor-verify.mjs");
for (const file of process.argv.slice(2)) {{
  try {{ console.log((await verifyExport(new Uint8Array(readFileSync(file)))).signed_commands); }}
  catch (error) {{ console.log(error.message); }}
}}
"""
CHECK_VECTORS = """
const {{ isSigned, fromHex, hex }} = await import("{folder}/crypto.mjs");
const base64 = (text) => btoa(String.fromCharCode(...fromHex(text)));
const vectors = JSON.parse(readFileSync(process.argv[2]));
for (const {{ key, message, signature, valid }} of Object.values(vectors).flat())
  if (!valid && (await isSigned(base64(key), base64(signature), fromHex(message))))
    console.log(key, signature);
"""
ACCEPTS_EVERYTHING = "{ subtle: { importKey: async () => 0, verify: async () => true } }"
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493


def test_a_lenient_webcrypto_gets_no_key_of_small_order_and_no_second_encoding(tmp_path: Path) -> None:
    program = tmp_path / "vectors.mjs"
    source = WITH_ANOTHER_WEBCRYPTO.format(crypto=ACCEPTS_EVERYTHING) + CHECK_VECTORS.format(folder=FOLDER)
    program.write_text(source, encoding="utf-8")
    code, output = node(ROOT / "docs/vectors/ed25519.json", program=program)
    assert code == 0
    assert output  # signatures that only the equation refuses
    vectors = json.loads((ROOT / "docs/vectors/ed25519.json").read_bytes())
    small = {one["key"] for one in vectors["small_order"]}
    for line in output:
        key, signature = map(bytes.fromhex, line.split())
        assert key.hex() not in small
        assert int.from_bytes(key, "little") & ~(1 << 255) < P
        assert int.from_bytes(signature[:32], "little") & ~(1 << 255) < P
        assert int.from_bytes(signature[32:], "little") < ORDER


@pytest.mark.parametrize("crypto", ["undefined", '{ subtle: { importKey() { throw new Error("no") } } }'])
def test_without_webcrypto_it_says_that_it_can_check_no_signature(crypto: str, tmp_path: Path) -> None:
    program = tmp_path / "browser.mjs"
    source = WITH_ANOTHER_WEBCRYPTO.format(crypto=crypto) + CHECK_FILES.format(folder=FOLDER)
    program.write_text(source, encoding="utf-8")
    output = node(*written(tmp_path, [whole_match("fair"), finished(begun())]), program=program)
    assert output == (0, ["signatures can't be checked here: WebCrypto with Ed25519 is missing"] * 2)


IN_A_BROWSER = """
import {{ createContext, SourceTextModule }} from "node:vm";
import {{ readFileSync }} from "node:fs";
const there = {{ TextEncoder, TextDecoder, crypto, atob, btoa, Promise, Uint8Array, ArrayBuffer, console }};
const context = createContext(there), known = new Map();
function load(name) {{
  if (!known.has(name))
    known.set(name, new SourceTextModule(readFileSync(`{folder}/${{name}}`, "utf-8"), {{ context }}));
  return known.get(name);
}}
const main = load("kontor-verify.mjs"), words = load("report.mjs");
for (const one of [main, words]) {{ await one.link((name) => load(name.slice(2))); await one.evaluate(); }}
const verdict = await main.namespace.verifyExport(new Uint8Array(readFileSync(process.argv[2])));
for (const sentence of words.namespace.report(verdict)) console.log(sentence);
"""


def test_it_needs_only_what_every_browser_has(tmp_path: Path) -> None:
    program = tmp_path / "browser.mjs"
    program.write_text(IN_A_BROWSER.format(folder=FOLDER), encoding="utf-8")
    (file,) = written(tmp_path, [finished(begun())])
    code, output = node(file, program=program, options=("--experimental-vm-modules", "--no-warnings"))
    assert code == 0, output
    assert output == [line.strip() for line in node(file)[1][1:]]


# Good files


def test_it_accepts_all_recorded_matches(tmp_path: Path) -> None:
    files = sorted(CORPUS.glob("*/*.ndjson"))
    for file, output in zip(files, verdicts(tmp_path, [file.read_bytes() for file in files]), strict=True):
        assert output["good"], (file, output)
        assert output["bound"] == (file.parent.name != "fair")
        kinds = {line["fact"]["type"] for line in lines_of(file.read_bytes())[1:-1]}
        assert output["loose"] == (["number of token_placed"] if "token_placed" in kinds else [])


def test_it_accepts_valid_files_of_every_game_and_of_running_matches(tmp_path: Path) -> None:
    contents = [whole_match(game) for game in ("fair", *installed_games())]
    contents += [table_of("fair", 3).play_on(2).export(viewer) for viewer in (-1, 0, 2)]
    contents += [
        table_of(game, 3).play_on(50).export(viewer) for game in installed_games() for viewer in (-1, 1)
    ]
    contents += [Recording(announcement("fair", OPEN, OPEN)).export()]
    assert problems(tmp_path, contents) == [None] * len(contents)


def test_it_accepts_a_file_with_a_rotated_key(tmp_path: Path) -> None:
    recording = table_of("fair", 2).play_on()
    recording.signer = KnownKeys(("old", 0), ("new", recording.entries[-2].at), ("newer", recording.at + 1))
    assert problems(tmp_path, [recording.export()]) == [None]


# Reports


def open_seed() -> bytes:
    recording = Recording(announcement("fair", OPEN, OPEN, open_seed="7"))
    recording.join("ann")
    recording.do("ann", Leave())
    for player in ("ben", "cid"):
        recording.join(player, contribution=player)
    return recording.play_on().export()


def branch() -> bytes:
    source = table_of("europe", 3).play_on(60)
    position = PositionSet(source.id, source.match.version, dump_position(source.match.state))
    recording = Recording(announcement("europe", OPEN, OPEN, OPEN, branch=True), position=position)
    for player in PLAYERS[:3]:
        recording.join(player, contribution=player)
    recording.play_on(60, seed="branch")
    return recording.export() if recording.match.over else ended(recording)


def ended(recording: Recording) -> bytes:
    for player in PLAYERS[:3]:
        recording.do(player, Abort())
    return recording.export()


def created_with(contribution: str) -> bytes:
    create = Create(takes_seat=True, bot=False, contribution=contribution)
    recording = Recording(announcement("fair", OPEN, OPEN), create)
    recording.join("ben")
    return recording.play_on().export()


def half_signed() -> bytes:
    match = Signed(announcement("fair", OPEN, OPEN))
    match.join("ann", contribution="a" * 64)
    match.join("cid")
    return finished(match)


def in_a_block() -> bytes:
    """A match whose first fact says that a tournament fixed its deal, although nobody has one."""
    recording = table_of("fair", 2, in_block=True).play_on()
    recording.do(HOUSE, RevealSecret())
    return recording.export()


KINDS: dict[str, Callable[[], bytes]] = {
    "in a block": in_a_block,
    "open seed": open_seed,
    "branch": branch,
    "nobody contributed": lambda: created_with(""),
    "contributed too early": lambda: created_with("a" * 64),
    "signed": lambda: finished(begun()),
    "half signed": half_signed,
    "usual": lambda: whole_match("speicherstadt"),
}
ALIKE = ("seed", "contributions", "players", "position")
"""The rows of the report that both verifiers word in the same way."""


def test_it_says_the_same_as_kontor_verify(tmp_path: Path) -> None:
    contents = [make() for make in KINDS.values()]
    found = verdicts(tmp_path, contents)
    output = node(*written(tmp_path, contents))[1]
    starts = [place for place, line in enumerate(output) if not line.startswith("  ")]
    for number, (name, content) in enumerate(zip(KINDS, contents, strict=True)):
        verdict = verify(content)
        rows: Mapping[str, Any] = {row: words for row, _, words in match_checks(verdict, "")}
        end = starts[number + 1] if number + 1 < len(starts) else len(output)
        sentences = dict(line.strip().split(": ", 1) for line in output[starts[number] + 1 : end])
        assert {row: sentences.get(row) for row in ALIKE} == {row: rows.get(row) for row in ALIKE}, name
        for field in (
            "match",
            "game",
            "complete",
            "facts",
            "draws",
            "status",
            "open_seed",
            "branch",
            "in_block",
            "trusted",
            "signed_commands",
        ):
            assert found[number][field] == getattr(verdict, field), (name, field)
        for field in ("players", "house_bots", "keys", "player_keys", "contributions"):
            assert found[number][field] == list(getattr(verdict, field)), (name, field)


def test_neither_verifier_ticks_the_contributions_of_a_match_in_a_block(tmp_path: Path) -> None:
    words = "in a block: nobody's contribution counted here; check the file of its tournament"
    content = in_a_block()
    assert ("contributions", None, words) in match_checks(verify(content), "")
    output = "\n".join(node(*written(tmp_path, [content]))[1])
    assert f"contributions: {words}" in output
    assert "contributed" not in output


def test_it_says_where_the_keys_come_from_that_draws_have_no_bindings_and_that_rules_are_not_checked(
    tmp_path: Path,
) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": KEYS.published()}), encoding="utf-8")
    files = written(tmp_path, [whole_match("fair"), whole_match("europe")])
    own, given = node(*files)[1], node(*files, "--keys", keys)[1]
    assert (
        sum(
            "taken from the file itself; use --keys to check them against the published keys" in line
            for line in own
        )
        == 2
    )
    assert sum(line.endswith(", published by the service") for line in given) == 2
    assert (
        sum("checked without bindings: these rules are not in docs/draws.json" in line for line in own) == 1
    )
    assert sum("each belongs to its fact" in line for line in own) == 1
    assert sum(line.startswith("  rules: not checked here") for line in own) == 2


def test_it_says_what_cannot_be_checked_while_a_match_runs(tmp_path: Path) -> None:
    match = begun()
    output = [node(*written(tmp_path, [match.export(viewer)]))[1] for viewer in (-1, 0)]
    for lines in output:
        assert "  seed and draws: can't be checked before the match is over" in lines
    hidden = [re.findall(r"(\d+) hidden commands can't be checked", "".join(lines)) for lines in output]
    assert int(hidden[0][0]) > int(hidden[1][0]) > 0


# Damaged files


def test_it_refuses_files_with_one_flipped_byte(tmp_path: Path) -> None:
    contents = [
        changed for game in ("fair", *installed_games()) for _, changed in flipped(whole_match(game), 40)
    ]
    assert [content for content in problems(tmp_path, contents) if content is None] == []
