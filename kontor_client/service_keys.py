"""The public keys of a service, which are pinned on first use."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from kontor_client.connection import UntrustedServiceError
from kontor_client.ed25519 import from_base64, is_signed
from kontor_client.evidence import canonical
from kontor_client.files import write_private
from kontor_client.model import Json


class ServiceKeys:
    """Verifies signatures of a service with the keys in a file; the service can only add later keys.

    The file has the form of `/.well-known/kontor-keys.json`, so `kontor verify --keys` reads it.
    """

    def __init__(self, file: Path, fetch: Callable[[], Any]) -> None:
        self.file = file
        self._fetch = fetch
        self._keys: list[Json] = []
        self._latest = -1
        """The latest time of a checked signature; keys that are added afterwards must become valid later."""

    def check(self, what: str, prefix: str, statement: Json, signed: Any) -> None:
        """Raise UntrustedServiceError unless the service signed a statement with its key at that time."""
        if not isinstance(signed, dict) or not isinstance(signed.get("signature"), str):
            raise UntrustedServiceError(f"The service has not signed {what}.")
        at, name = statement["at"], signed.get("key")
        if type(at) is not int:
            raise UntrustedServiceError(f"The service has signed {what} without a time.")
        key = self._key_at(at, name)
        if key is None or key["id"] != name:
            detail = f"The service has signed {what} with the key {name}, which was not its key at that time."
            raise UntrustedServiceError(detail)
        if not _is_signed(
            key["public_key"], signed["signature"], prefix.encode() + b"\n" + canonical(statement)
        ):
            raise UntrustedServiceError(f"The signature of the service on {what} is wrong.")
        self._latest = max(self._latest, at)

    def _key_at(self, at: int, name: Any) -> Json | None:
        """Return the key that was valid at a time; fetch new keys if the id is unknown."""
        if not self._keys and self.file.exists():
            self._keys = self._pinned()
        if name not in [key["id"] for key in self._keys]:
            self._update()
        return next((key for key in reversed(self._keys) if key["valid_from"] <= at), None)

    def _pinned(self) -> list[Json]:
        try:
            return _read(json.loads(self.file.read_bytes()))
        except (ValueError, UntrustedServiceError) as error:
            raise ValueError(f"{self.file} does not contain the keys of a service.") from error

    def _update(self) -> None:
        """Fetch the published keys, and pin the new ones."""
        published = _read(self._fetch())
        for key in self._keys:
            if key not in published:
                raise UntrustedServiceError(
                    f"The service no longer publishes its key {key['id']} as it did before: either another "
                    "service answers at this address now, or this one disowns what it has signed. If you "
                    f"know that the service was set up again from scratch, delete {self.file}."
                )
        pinned_until = max([self._latest, *(key["valid_from"] for key in self._keys)])
        for key in published:
            if key not in self._keys and key["valid_from"] <= pinned_until:
                raise UntrustedServiceError(
                    f"The service has added the key {key['id']} for a time for which it had another key: "
                    f"it could disown what it has signed. Its earlier keys are in {self.file}."
                )
        self._keys = published
        write_private(self.file, json.dumps({"keys": published}, indent=1) + "\n")


def _is_signed(public_key: str, signature: str, message: bytes) -> bool:
    try:
        return is_signed(from_base64(public_key), from_base64(signature), message)
    except ValueError:
        return False


def _read(published: Any) -> list[Json]:
    """Return the published keys, oldest first, without unknown fields."""
    try:
        names = ("id", "algorithm", "public_key", "valid_from")
        keys = [{name: key[name] for name in names} for key in published["keys"]]
        keys.sort(key=lambda key: (key["valid_from"], key["id"]))
        named = all(sha256(from_base64(key["public_key"])).hexdigest()[:16] == key["id"] for key in keys)
        if keys and named and all(type(key["valid_from"]) is int for key in keys):
            return keys
    except (KeyError, TypeError, ValueError):
        pass
    raise UntrustedServiceError("The service does not publish valid signing keys.")
