"""The keys of a service are pinned at the first contact; later ones may only be added."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from kontor_client import UntrustedServiceError
from kontor_client.ed25519 import public_key_of, sign, to_base64
from kontor_client.evidence import canonical
from kontor_client.service_keys import ServiceKeys


class Signer:
    """A key of a service, made from a text."""

    def __init__(self, text: str, valid_from: int) -> None:
        self._seed = sha256(text.encode()).digest()
        public = public_key_of(self._seed)
        self.id = sha256(public).hexdigest()[:16]
        self.published = {
            "id": self.id,
            "algorithm": "Ed25519",
            "public_key": to_base64(public),
            "valid_from": valid_from,
        }

    def signed(self, statement: dict[str, Any]) -> dict[str, Any]:
        return {"key": self.id, "signature": to_base64(sign(self._seed, b"test.1\n" + canonical(statement)))}


class PublishedKeys:
    """The keys that a service publishes, and how often they were fetched."""

    def __init__(self, *keys: Signer) -> None:
        self.keys = [key.published for key in keys]
        self.fetched = 0

    def fetch(self) -> Any:
        self.fetched += 1
        return {"keys": self.keys}


FIRST, SECOND, EARLY = Signer("first", 0), Signer("second", 5000), Signer("early", 1000)


def check(keys: ServiceKeys, signer: Signer, at: int) -> None:
    keys.check("a statement", "test.1", {"at": at}, signer.signed({"at": at}))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "service-keys.json"


def pin(file: Path, *keys: Signer) -> None:
    check(ServiceKeys(file, PublishedKeys(*keys).fetch), keys[-1], 9000)


def test_keys_are_fetched_once_and_used_by_later_runs(file: Path) -> None:
    published = PublishedKeys(FIRST)
    for _ in range(2):
        keys = ServiceKeys(file, published.fetch)
        check(keys, FIRST, 10)
        check(keys, FIRST, 20)
    assert published.fetched == 1
    assert json.loads(file.read_bytes()) == {"keys": [FIRST.published]}


def test_a_later_key_is_added(file: Path) -> None:
    pin(file, FIRST)
    keys = ServiceKeys(file, PublishedKeys(FIRST, SECOND).fetch)
    check(keys, SECOND, 5000)
    check(keys, FIRST, 4999)
    assert json.loads(file.read_bytes()) == {"keys": [FIRST.published, SECOND.published]}


@pytest.mark.parametrize(("signer", "at"), [(FIRST, 5000), (SECOND, 4999)])
def test_a_key_is_valid_only_at_its_time(file: Path, signer: Signer, at: int) -> None:
    with pytest.raises(UntrustedServiceError, match=f"{signer.id}, which was not its key at that time"):
        check(ServiceKeys(file, PublishedKeys(FIRST, SECOND).fetch), signer, at)


def test_a_service_that_no_longer_publishes_a_pinned_key_is_not_trusted(file: Path) -> None:
    pin(file, FIRST)
    before = file.read_bytes()
    with pytest.raises(UntrustedServiceError, match=f"no longer publishes its key {FIRST.id}") as caught:
        check(ServiceKeys(file, PublishedKeys(SECOND).fetch), SECOND, 6000)
    assert f"delete {file}" in str(caught.value)
    assert file.read_bytes() == before


def test_a_service_that_changes_the_time_of_a_key_is_not_trusted(file: Path) -> None:
    pin(file, FIRST, SECOND)
    moved = PublishedKeys(FIRST, Signer("second", 7000), Signer("third", 8000))
    with pytest.raises(UntrustedServiceError, match=f"no longer publishes its key {SECOND.id} as it did"):
        check(ServiceKeys(file, moved.fetch), Signer("third", 8000), 8000)


def test_a_backdated_key_is_not_added(file: Path) -> None:
    """It would make signatures of the old key invalid after the fact."""
    pin(file, FIRST, SECOND)
    with pytest.raises(UntrustedServiceError, match=f"added the key {EARLY.id} for a time"):
        check(ServiceKeys(file, PublishedKeys(FIRST, SECOND, EARLY).fetch), EARLY, 2000)


def test_a_key_for_a_time_at_which_another_key_has_signed_is_not_added(file: Path) -> None:
    published = PublishedKeys(FIRST)
    keys = ServiceKeys(file, published.fetch)
    check(keys, FIRST, 5000)
    published.keys.append(SECOND.published)
    with pytest.raises(UntrustedServiceError, match="it could disown what it has signed"):
        check(keys, SECOND, 5001)


def test_a_wrong_signature_is_named(file: Path) -> None:
    signed = FIRST.signed({"at": 10})
    keys = ServiceKeys(file, PublishedKeys(FIRST).fetch)
    for wrong in (FIRST.signed({"at": 11})["signature"], "", "Ä", signed["signature"].rstrip("=")):
        with pytest.raises(UntrustedServiceError, match="on a statement is wrong"):
            keys.check("a statement", "test.1", {"at": 10}, {**signed, "signature": wrong})
    with pytest.raises(UntrustedServiceError, match="on a statement is wrong"):
        keys.check("a statement", "test.2", {"at": 10}, signed)


@pytest.mark.parametrize("signed", [None, {}, [], "signed", {"key": FIRST.id}, {"signature": 7}])
def test_an_unsigned_statement_is_named(file: Path, signed: Any) -> None:
    with pytest.raises(UntrustedServiceError, match="has not signed a statement"):
        ServiceKeys(file, PublishedKeys(FIRST).fetch).check("a statement", "test.1", {"at": 10}, signed)


@pytest.mark.parametrize("at", [None, "10", 10.0, True])
def test_a_signature_has_a_time(file: Path, at: Any) -> None:
    with pytest.raises(UntrustedServiceError, match="without a time"):
        ServiceKeys(file, PublishedKeys(FIRST).fetch).check(
            "a statement", "test.1", {"at": at}, FIRST.signed({"at": at})
        )


NO_KEYS = {
    "nothing": {},
    "an empty list": {"keys": []},
    "a text": {"keys": "none"},
    "another name": {"keys": [{**FIRST.published, "id": SECOND.id}]},
    "a time as text": {"keys": [{**FIRST.published, "valid_from": "0"}]},
    "not Base64": {"keys": [{**FIRST.published, "public_key": "Ä"}]},
}


@pytest.mark.parametrize("answer", NO_KEYS.values(), ids=NO_KEYS)
def test_an_answer_without_valid_keys_is_not_pinned(file: Path, answer: Any) -> None:
    with pytest.raises(UntrustedServiceError, match="does not publish valid signing keys"):
        check(ServiceKeys(file, lambda: answer), FIRST, 10)
    assert not file.exists()


def test_unknown_fields_of_keys_are_ignored(file: Path) -> None:
    check(ServiceKeys(file, lambda: {"keys": [{**FIRST.published, "new": 1}], "more": 2}), FIRST, 10)
    assert json.loads(file.read_bytes()) == {"keys": [FIRST.published]}


@pytest.mark.parametrize("content", ["", "{}", "Ä"])
def test_a_file_with_other_content_is_not_overwritten(file: Path, content: str) -> None:
    file.parent.mkdir()
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"service-keys\.json does not contain the keys"):
        check(ServiceKeys(file, PublishedKeys(FIRST).fetch), FIRST, 10)
    assert file.read_text(encoding="utf-8") == content
