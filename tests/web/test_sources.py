"""The files of the page: strings in five languages, vendored files, no build step."""

import hashlib
import importlib
import inspect
import json
import re
from pathlib import Path

import pytest

from kontor_games.domain.codec import key_of
from kontor_games.domain.games import installed_games
from kontor_games.domain.refusals import Refusal
from kontor_games.domain.toolkit.messages import parse, slots

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
LANGUAGES = ("en", "de", "fr", "it", "es")
SCRIPTS = sorted(path for path in WEB.rglob("*.js") if "vendor" not in path.parts)
OWN_SCRIPTS = [path for path in SCRIPTS if path.relative_to(WEB).parts[0] != "games"]
PAGE_FOLDERS = sorted({WEB / "i18n", *WEB.glob("games/*/i18n"), *WEB.glob("games/*/guide/i18n")})
OF_CONTRACT = ("operation.", "tag.")
"""Texts whose English form is in the contract; `tests/api/test_contract.py` compares them."""
STRING_FOLDERS = [ROOT / "service/documents/messages", *PAGE_FOLDERS]


def strings(folder: Path, language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
    return found


def names(text: str) -> set[str]:
    """The values of a message; a language may need no plural where English does."""
    return {slot.name for slot in slots(parse(text))}


@pytest.mark.parametrize("folder", STRING_FOLDERS, ids=lambda folder: folder.parent.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_string_with_the_same_values(folder: Path, language: str) -> None:
    english, other = strings(folder, "en"), strings(folder, language)
    other = {key: text for key, text in other.items() if not key.startswith(OF_CONTRACT)}
    assert other.keys() == english.keys()
    assert [key for key, text in other.items() if not text.strip()] == []
    assert {key: names(text) for key, text in other.items()} == {
        key: names(text) for key, text in english.items()
    }


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_refusal_of_a_game_exists_in_every_language(game: str) -> None:
    module = importlib.import_module(f"kontor_games.domain.games.{game}.refusals")
    classes = [
        one for _, one in inspect.getmembers(module, inspect.isclass) if one.__module__ == module.__name__
    ]
    english = {key_of(one): inspect.getdoc(one) for one in classes if issubclass(one, Refusal)}
    shown = {
        language: {
            key.removeprefix("refused."): text
            for key, text in strings(WEB / "games" / game / "i18n", language).items()
            if key.startswith("refused.")
        }
        for language in LANGUAGES
    }
    assert shown["en"] == english
    for language in LANGUAGES[1:]:
        assert shown[language].keys() == english.keys()
        assert not set(shown[language].values()) & set(english.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_house_bot_has_a_name_and_a_sentence(game: str, language: str) -> None:
    expected = {f"bot.{bot}" for bot in installed_games()[game].all_bots}
    sentences = strings(WEB / "games" / game / "i18n", language)
    assert {key for key in sentences if key.startswith("bot.")} == expected
    named = [text for key, text in strings(WEB / "i18n", language).items() if key in expected]
    assert (len(named), len(set(named))) == (len(expected), len(expected))
    if language != "en":
        english = strings(WEB / "games" / game / "i18n", "en")
        assert {sentences[key] for key in expected} & {english[key] for key in expected} == set()


def test_every_string_that_the_page_uses_exists() -> None:
    known = strings(WEB / "i18n", "en")
    asked, prefixes = set(), set()
    for script in OWN_SCRIPTS:
        source = script.read_text(encoding="utf-8")
        asked |= set(re.findall(r'(?<!\.)\bt\(\s*"([^"]+)"', source))
        asked |= set(re.findall(r'Untrusted\(\s*"([^"]+)"', source))
        prefixes |= set(re.findall(r"\bt\(\s*`([^$`]+)\$\{", source))
    assert {key for key in asked if key not in known} == set()
    assert {prefix for prefix in prefixes if not any(key.startswith(prefix) for key in known)} == set()


def test_every_string_is_used() -> None:
    known = strings(WEB / "i18n", "en")
    source = "\n".join(script.read_text(encoding="utf-8") for script in OWN_SCRIPTS)
    prefixes = tuple(set(re.findall(r"`([a-z_.]+\.)(?:\$\{)", source)))
    used = set(re.findall(r'"([a-z_]+(?:\.[a-z_0-9]+)+)"', source))
    assert {key for key in known if key not in used and not key.startswith(prefixes)} == set()


def test_the_vendored_files_are_unchanged() -> None:
    folder = WEB / "vendor" / "lit-html"
    _, *lines = (folder / "SHA256.txt").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split() for line in lines)}
    found = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.suffix == ".js" or path.name == "LICENSE"
    }
    assert found == listed
    assert "BSD 3-Clause" in (folder / "LICENSE").read_text(encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(WEB).as_posix())
def test_a_script_needs_no_build_and_nothing_from_other_hosts(script: Path) -> None:
    source = script.read_text(encoding="utf-8")
    imported = re.findall(r'(?:\bfrom |^import |\bimport\(\s*)"([^"\n]+)"', source, re.MULTILINE)
    types = (script.parent / name for name in imported)
    assert [str(name) for name in types if not (name.is_file() or name.with_suffix(".d.ts").is_file())] == []
    assert re.findall(r"https?://(?!www\.w3\.org)", source) == []
    assert re.findall(r"innerHTML|insertAdjacentHTML|\beval\(|new Function|unsafeHTML", source) == []


def test_no_type_is_any() -> None:
    """`any` would switch off the type checker; what may be anything is `unknown`."""
    files = [path for suffix in ("js", "mjs", "d.ts") for path in WEB.rglob(f"*.{suffix}")]
    pattern = re.compile(r"[{<(\[|&,:=>?] ?any(?:\[\])*\s*[}>)\]|&,;=?]")
    assert [path.name for path in files if pattern.search(path.read_text(encoding="utf-8"))] == []


def test_no_template_has_inline_styles_or_handlers() -> None:
    files = [*SCRIPTS, *WEB.rglob("*.html")]
    assert [
        path.name
        for path in files
        if re.search(r'\sstyle="|<style|\son[a-z]+="|<script(?![^>]* src=)', path.read_text(encoding="utf-8"))
    ] == []
