"""The service with an additional route, the ceiling: the fastest durable answer that this stack can give.

It has the same server, middleware and database settings as a move. It does what any Flask route that stores
something has to do: read the JSON body, check it with a schema, store it by one prepared INSERT, and answer
with JSON of typical size. It does nothing else that a move does: token, rate limit, rules, hash chain,
receipt, wake-ups, view and legal moves.
"""

import os
from functools import partial
from threading import Lock
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from flask import Flask, Response, request
from marshmallow import Schema, fields
from msgspec.json import encode
from psycopg_pool import ConnectionPool

from kontor_games import api
from kontor_games.service.kontor import Kontor
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings

CEILING = "/bench/insert"
TABLE = (
    "CREATE TABLE IF NOT EXISTS bench_rows (id uuid, version bigint, topic text, state bytea,"
    " number bigserial UNIQUE, PRIMARY KEY (id, version))"
)
_INSERT = "INSERT INTO bench_rows (id, version, topic, state) VALUES (%s, 1, 'bench', %s)"
_ROW = "x" * 460
_ANSWER = {"answer": "x" * 2000}


class _Sent(Schema):
    type = fields.String(required=True)


def create_app() -> Flask:
    """The application with the additional route."""
    settings = Settings.from_environ(os.environ)
    kontor = Kontor(settings)
    set_up_logging(settings)
    kontor.start()
    app = api.create_app(kontor)
    pool: Any = ConnectionPool(
        settings.database_url,
        min_size=settings.pool_size,
        max_size=2 * settings.pool_size,
        kwargs={"autocommit": True},
        open=False,
    )
    opening, sent = Lock(), _Sent()

    def insert() -> Response:
        command = sent.load(request.get_json())
        with opening:
            pool.open()
        with pool.connection() as connection:
            connection.execute(_INSERT, (uuid4(), encode({"command": command, "facts": _ROW})), prepare=True)
        return Response(encode(_ANSWER), 201, content_type="application/json")

    app.add_url_rule(CEILING, "ceiling", insert, methods=["POST"])
    in_flask = SimpleNamespace(respond=lambda *_: partial(Flask.wsgi_app, app))
    app.responders["ceiling"] = in_flask  # the door passes it on to Flask
    return app
