"""The path `/`: the web page for browsers, links to the main resources for programs."""

from kontor_games.api.answers import Entrance, EntranceLinks
from kontor_games.api.contract import NOT_MODIFIED, Reply, Routes
from kontor_games.api.page_files import POLICY, page
from kontor_games.api.render import FRESH, JSON, Answer, conditional, encode
from kontor_games.api.request import ANYONE, ApiRequest
from kontor_games.service.version import VERSION

routes = Routes("page", __name__, description="The web page, and the entry point of the API.")


@routes.get(
    "/",
    Reply(200, "Links to the main resources.", Entrance, (JSON, "text/html"), headers=("ETag",)),
    NOT_MODIFIED,
    who=ANYONE,
    cost=None,
    headers=("If-None-Match",),
)
def get_entrance(request: ApiRequest) -> Answer:
    """Get links to the main resources of this service; `Accept: text/html` returns the web page."""
    if request.media_type == JSON:
        links = EntranceLinks("/v1/games", "/v1/matches", "/docs", "/openapi.json")
        content = encode(Entrance("Kontor", VERSION, page().build, links))
        response = Answer(content, headers={"ETag": f'"{page().build}-{VERSION}"'})
    else:
        content, headers = page().index.encoded(request.http.headers.get("Accept-Encoding", ""))
        response = Answer(content, headers={**dict(headers), "Content-Security-Policy": POLICY})
    response.headers["Cache-Control"] = FRESH
    response.headers["Vary"] = "Accept-Encoding, Accept"
    return conditional(request.http, response)
