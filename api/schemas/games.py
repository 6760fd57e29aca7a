"""Queries of data sets."""

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas.fields import RequestSchema


class DataSetQuery(RequestSchema):
    """Options for the picture of a data set."""

    pieces = req.query_flag("Whether the picture shows the pieces as they are set up.", default=True)
