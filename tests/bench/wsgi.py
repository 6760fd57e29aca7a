"""The service with one route more: a constant after one raw INSERT, which is as fast as this stack can be durable."""

import os
from threading import Lock
from typing import Any
from uuid import uuid4

from flask import Flask, Response
from psycopg_pool import ConnectionPool

from kontor_games import api
from kontor_games.service.kontor import Kontor
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings

CEILING = "/bench/insert"
TABLE = "CREATE TABLE IF NOT EXISTS bench_rows (id uuid, version bigint, topic text, state bytea, number bigserial UNIQUE, PRIMARY KEY (id, version))"
_INSERT = "INSERT INTO bench_rows (id, version, topic, state) VALUES (%s, 1, 'bench', %s)"
_ROW = b"x" * 500
_ANSWER = b'{"answer":"' + b"x" * 2000 + b'"}'


def create_app() -> Flask:
    """The application as it is served, and the ceiling beside it."""
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
    opening = Lock()

    def insert() -> Response:
        with opening:
            pool.open()
        with pool.connection() as connection:
            connection.execute(_INSERT, (uuid4(), _ROW), prepare=True)
        return Response(_ANSWER, 201, content_type="application/json")

    app.add_url_rule(CEILING, "ceiling", insert, methods=["POST"])
    return app
