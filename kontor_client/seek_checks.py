"""Compares a match that was found for a player with the terms that the player sought."""

import json
from pathlib import Path

from kontor_client.checks import Checks
from kontor_client.connection import Connection
from kontor_client.files import id_name, service_name, write_private
from kontor_client.model import Json

_OPEN = ("waiting", "offered")


class SeekChecks:
    """Keeps the terms of each seek of a player in a file, until the seek has ended."""

    def __init__(self, connection: Connection, folder: Path, checks: Checks) -> None:
        self._connection, self._checks = connection, checks
        self._folder = folder / f"{service_name(connection.url)}.seeks"

    def keep(self, seek: str, requested: Json) -> None:
        """Store what was sought."""
        write_private(self._kept() / f"{id_name(seek)}.json", json.dumps(requested) + "\n")

    def _kept(self) -> Path:
        return self._folder / id_name(self._checks.player())

    def check(self, match: str, data: Json) -> None:
        """Check that a match which the service offers for a seek has the terms of the seek."""
        kept = {file.stem: file for file in self._kept().glob("*.json")}
        if not kept:
            return
        seeks = {id_name(one["id"]): one for one in self._connection.get("/v1/seeks", mine=True)["seeks"]}
        for name, file in kept.items():
            seek = seeks.get(name, {"status": "ended", "match": None})
            if seek["match"] == match:
                self._require(data, json.loads(file.read_bytes()))
            if seek["status"] not in _OPEN:
                file.unlink(missing_ok=True)

    def _require(self, data: Json, requested: Json) -> None:
        taken = [seat | {"type": "open"} if seat["type"] == "invited" else seat for seat in data["seats"]]
        wanted = {**requested, "seats": [{"type": "open"}] * requested["seats"]}
        self._checks.check_terms("found", {**data, "seats": taken}, wanted)
