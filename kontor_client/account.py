"""An account: its token and its signing keys, which are stored in files for later runs."""

import os
from pathlib import Path

from kontor_client.connection import Connection, KontorError, log
from kontor_client.ed25519 import sign, to_base64
from kontor_client.evidence import canonical
from kontor_client.files import (
    PlayerKeys,
    default_folder,
    default_token_file,
    id_name,
    read_token,
    service_name,
    write_private,
)
from kontor_client.model import Json, Player


class Account:
    """The methods of `Kontor` for accounts, tokens and keys."""

    def __init__(self, connection: Connection, folder: str | Path | None) -> None:
        self.connection = connection
        self._folder = Path(folder or default_folder())
        self._player: Player | None = None
        self._keys: PlayerKeys | None = None
        self._key: str | None = None  # the public key with which new seats are taken

    def sign_in(
        self,
        name: str | None = None,
        *,
        bot: bool = True,
        token_file: str | Path | None = None,
        signing: bool = True,
    ) -> Player:
        """Use the account of earlier runs, or register a new one and store its token for later runs.

        If the environment variable KONTOR_TOKEN is set, the account of that token is used; it must have the
        name, if one is given. Otherwise the token is read from a file that only you can read: `token_file`,
        or a default file for each service and name. If the service refuses the token in the file, a new
        account is registered and replaces it. Unless `signing` is False, your commands are signed with a key
        that is stored in the same folder.
        """
        self._keys = self._key = None
        file = Path(token_file or default_token_file(self.connection.url, name or "", self._folder))
        if given := os.environ.get("KONTOR_TOKEN"):
            player = self._account_of(given, name)
        elif name is None:
            raise ValueError("Give the name of an account, or set KONTOR_TOKEN to its token.")
        else:
            player = self._account(name, bot=bot, file=file)
        if signing:
            key_file = f"{service_name(self.connection.url)}-{id_name(player.id)}.key"
            self._use_key(PlayerKeys(file.parent / key_file), player.public_key)
        return player

    def _account_of(self, token: str, name: str | None) -> Player:
        """Return the account of the token in KONTOR_TOKEN; raise KontorError if it has another name."""
        self.connection.token = token
        try:
            player = self.me()
        except KontorError as error:
            if error.status != 401:
                raise
            detail = "The service refuses the token in KONTOR_TOKEN."
            raise KontorError(error.problem | {"detail": detail}) from error
        if name not in (None, player.name):
            self.connection.token = self._player = None
            detail = (
                f"KONTOR_TOKEN is the token of {player.name}, but this program signs in as {name}. "
                "Unset the variable, or sign in without a name."
            )
            raise KontorError({"status": 0, "code": "other_account", "detail": detail})
        return player

    def _account(self, name: str, *, bot: bool, file: Path) -> Player:
        self.connection.token = read_token(file)
        try:
            if self.connection.token:
                return self.me()
        except KontorError as error:
            if error.status != 401:
                raise
            log.warning("The service refuses the token in %s; registering a new account.", file)
            self.connection.token = None
        player = self.register(name, bot=bot)
        write_private(file, player.token + "\n")
        return player

    def register(self, name: str, *, bot: bool = True) -> Player:
        """Create an account and use it from now on. The service shows its token only once."""
        data = self.connection.command("POST", "/v1/players", {"name": name, "bot": bot})
        return self._use(data, data["token"])

    def device_code(self) -> Json:
        """Return a one-time `code` with which another device can use this account, and its expiry time."""
        return dict(self.connection.command("POST", "/v1/me/device-codes", {}))

    def redeem(self, code: str) -> Player:
        """Use the account of another device from now on, with a one-time code created there."""
        data = self.connection.command("POST", "/v1/device-codes/redeem", {"code": code})
        return self._use(data, data["token"])

    def me(self) -> Player:
        """Return the account that this object uses."""
        return self._use(self.connection.get("/v1/me"), self.connection.token or "")

    def _use(self, data: Json, token: str) -> Player:
        self.connection.token = token
        self._player = Player(data["id"], data["name"], data["bot"], token, data.get("public_key"))
        return self._player

    def settings(self) -> Json:
        """Return your account with settings, quotas and the scopes of the token."""
        return dict(self.connection.get("/v1/me"))

    def accept_invitations_from(self, whom: str) -> None:
        """Set who may invite you: `everyone`, `met` (players you have played with) or `nobody`."""
        self.connection.command("PUT", "/v1/me/invitations", {"invitations_from": whom})

    def _me(self) -> Player:
        return self._player or self.me()

    def _use_key(self, keys: PlayerKeys, registered: str | None) -> None:
        """Sign with the registered key. It is never replaced automatically: other machines may use it."""
        self._keys = keys
        if registered is None:
            self._register_first_key(keys)
        elif registered in keys.seeds:
            self._key = registered
        else:
            log.warning(
                "The registered signing key of the account is not in %s, so it cannot be used to take seats. "
                "Copy the file from the machine on which the key was created, or call rotate_key().",
                keys.file,
            )

    def _register_first_key(self, keys: PlayerKeys) -> None:
        try:
            self._register_key(keys.newest() or keys.add())
        except KontorError as error:
            if error.code != "forbidden":
                raise
            log.warning("This token may not register a signing key, so commands are not signed.")

    def _register_key(self, public: str) -> None:
        statement = {"player": self._me().id, "public_key": public}
        proof = sign(self._seed(public), b"kontor.player-key.1\n" + canonical(statement))
        body = {"public_key": public, "proof": to_base64(proof)}
        self.connection.command("PUT", "/v1/me/key", body)
        self._key = public

    def rotate_key(self) -> str:
        """Sign with a new key from now on, and return its public part.

        Seats that you already hold keep their keys, so old keys stay in the key file.
        """
        if self._keys is None:
            raise ValueError("Call sign_in first: it loads the keys.")
        self._register_key(public := self._keys.add())
        return public

    def _seed(self, public: str) -> bytes:
        """Return the private key that belongs to a public key."""
        seed = self._keys.seeds.get(public) if self._keys else None
        if seed is None:
            where = f"is not in {self._keys.file}" if self._keys else "is not loaded: call sign_in first"
            detail = f"The private key of {public}, with which this seat was taken, {where}."
            raise KontorError({"status": 0, "code": "key_missing", "detail": detail})
        return seed
