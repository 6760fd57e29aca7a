"""An account is reused from run to run, and only its owner can read the token."""

import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kontor_client import Kontor, KontorError
from kontor_client.files import default_token_file
from tests.client.service import Service


@pytest.fixture
def kontor(service: Service) -> Iterator[Kontor]:
    with closing(Kontor(service.url)) as client:
        yield client


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_an_account_is_reused_under_its_name(kontor: Kontor, state_folder: Path) -> None:
    first = kontor.sign_in("Ada")
    [file] = state_folder.glob("*.token")
    assert file == default_token_file(kontor.connection.url, "Ada")
    assert (mode_of(state_folder), mode_of(file)) == (0o700, 0o600)
    assert file.read_text(encoding="ascii") == first.token + "\n"
    assert kontor.sign_in("Ada") == first == kontor.me()
    assert kontor.sign_in("Ben").id != first.id


def test_a_file_that_others_could_read_becomes_private(kontor: Kontor, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("kontor_unknown", encoding="ascii")
    file.chmod(0o644)
    player = kontor.sign_in("Ada", token_file=file)
    assert (file.read_text(encoding="ascii").strip(), mode_of(file)) == (player.token, 0o600)
    [key] = tmp_path.glob("*.key")
    assert mode_of(key) == 0o600
    assert {*tmp_path.iterdir()} == {file, key, tmp_path / f"{key.name}.lock"}


def test_every_account_has_a_file_of_its_own(state_folder: Path) -> None:
    urls = "http://127.0.0.1:8000", "http://example.org/games/"
    names = "Ada", "../Ada", "A d/a", "A%20d%2fa", "Ä", "あ" * 40, "🂡" * 40
    files = [default_token_file(url, name) for url in urls for name in names]
    state_folder.mkdir(parents=True)
    for file in files:
        assert file.parent == state_folder
        file.touch(exist_ok=False)


def test_without_a_setting_the_file_is_in_the_home_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (
        default_token_file("http://localhost", "Ada") == tmp_path / ".local/state/kontor/localhost-Ada.token"
    )


def test_an_erased_account_is_replaced_by_a_new_one(
    kontor: Kontor, state_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = kontor.sign_in("Ada")
    kontor.connection.command("DELETE", "/v1/me")
    second = kontor.sign_in("Ada")
    assert second.id != first.id
    [file] = state_folder.glob("*.token")
    assert caplog.messages == [f"The service refuses the token in {file}; registering a new account."]
    assert kontor.sign_in("Ada") == second


def test_the_token_in_the_environment_takes_precedence(
    kontor: Kontor, ada: Kontor, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor.sign_in("Ben")
    kept = {file: file.read_bytes() for file in state_folder.iterdir()}
    monkeypatch.setenv("KONTOR_TOKEN", ada.me().token)
    assert kontor.sign_in() == kontor.sign_in("Ada") == ada.me()
    monkeypatch.setenv("KONTOR_TOKEN", "kontor_unknown")
    with pytest.raises(KontorError, match="refuses the token in KONTOR_TOKEN") as refused:
        kontor.sign_in("Ben")
    assert refused.value.status == 401
    now = {file: file.read_bytes() for file in state_folder.iterdir()}
    assert {file: now.pop(file) for file in kept} == kept
    new = sorted(file.name.partition(ada.me().id)[2] for file in now)
    assert new == [".key", ".key.lock"], "the key of her account"


def test_the_token_of_another_account_in_the_environment_is_refused_by_name(
    kontor: Kontor, ada: Kontor, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KONTOR_TOKEN", ada.me().token)
    with pytest.raises(KontorError, match="the token of Ada, but this program signs in as Ben") as refused:
        kontor.sign_in("Ben")
    assert refused.value.code == "other_account"
    assert not state_folder.exists()
    monkeypatch.delenv("KONTOR_TOKEN")
    assert kontor.sign_in("Ben").name == "Ben"
    with pytest.raises(ValueError, match="Give the name of an account"):
        kontor.sign_in()


@pytest.mark.parametrize("text", ["", "alias ll='ls -l'\n", "Ä"])
def test_a_file_with_other_content_is_not_overwritten(kontor: Kontor, tmp_path: Path, text: str) -> None:
    file = tmp_path / "precious"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="precious does not contain a token"):
        kontor.sign_in("Ada", token_file=file)
    assert file.read_text(encoding="utf-8") == text


def test_an_error_that_is_not_about_the_token_does_not_replace_it(
    kontor: Kontor, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor.sign_in("Ada")
    [file] = state_folder.glob("*.token")
    kept = file.read_bytes()
    monkeypatch.setattr(kontor, "me", lambda: kontor.connection.get("/v1/nothing"))
    with pytest.raises(KontorError) as failed:
        kontor.sign_in("Ada")
    assert (failed.value.status, file.read_bytes()) == (404, kept)
