"""Documents by which language models and their programs find the tools of `POST /mcp`."""

from importlib.resources import files
from typing import Any

from kontor_games.api.contract import Reply, Routes
from kontor_games.api.mcp import PATH, RESOURCE_PATH, base_url
from kontor_games.api.render import FRESH, Answer, json_response
from kontor_games.api.request import ANYONE, ApiRequest
from kontor_games.service import catalogue
from kontor_games.service.agents.protocol import EARLIER, MODERN
from kontor_games.service.agents.tools import LISTED
from kontor_games.service.people.tokens import PLAY
from kontor_games.service.version import VERSION

routes = Routes("agents", __name__, description="How language models find the tools of `POST /mcp`.")
_DOCUMENT = {"type": "object"}
"""The formats of these documents are defined elsewhere."""
_CARD = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
_SUMMARY = "Board games for people and programs, in matches that anyone can verify."


@routes.get(
    f"{RESOURCE_PATH}{PATH}",
    Reply(200, "What a token for the tools is, and how it is sent.", _DOCUMENT),
    who=ANYONE,
)
def get_protected_resource(request: ApiRequest) -> Answer:
    """Describe `POST /mcp` as a protected resource (RFC 9728).

    No authorisation server is named: tokens come from `POST /v1/players` and `POST /v1/tokens`.
    """
    base = base_url(request)
    about: dict[str, Any] = {
        "resource": f"{base}{PATH}",
        "resource_name": "Kontor",
        "bearer_methods_supported": ["header"],
        "scopes_supported": [PLAY],
        "resource_documentation": f"{base}/llms.txt",
    }
    return json_response(about)


@routes.get("/.well-known/mcp.json", Reply(200, "The card.", _DOCUMENT), who=ANYONE)
def get_server_card(request: ApiRequest) -> Answer:
    """Describe the server of tools for programs that look for one (MCP server card)."""
    header = {
        "name": "Authorization",
        "description": "Bearer and a token of this service, with the scope play.",
        "isRequired": True,
        "isSecret": True,
    }
    versions = [MODERN, *EARLIER]
    remote = {
        "type": "streamable-http",
        "url": f"{base_url(request)}{PATH}",
        "headers": [header],
        "supportedProtocolVersions": versions,
    }
    named = {"$schema": _CARD, "name": "games.kontor/kontor", "version": VERSION, "title": "Kontor"}
    return json_response({**named, "description": _SUMMARY, "remotes": [remote]})


@routes.get("/llms.txt", Reply(200, "A text for models.", {"type": "string"}, ("text/plain",)), who=ANYONE)
def get_llms_txt(request: ApiRequest) -> Answer:
    """Tell language models what this service is and where its descriptions are (llms.txt)."""
    base = base_url(request)
    games = [
        f"- [{one.title}]({base}/v1/games/{one.id}): rules, moves and data, for "
        f"{', '.join(map(str, one.seats))} players"
        for one in catalogue.game_summaries("en").games
    ]
    tools = [f"- `{tool['name']}`: {tool['title']}" for tool in LISTED]
    text = _LLMS.format(base=base, path=PATH, tools="\n".join(tools), games="\n".join(games))
    headers = {"Cache-Control": FRESH, "Vary": "Host"}
    return Answer(text.encode(), headers=headers, media_type="text/plain; charset=utf-8")


_LLMS = files("kontor_games.api.docs").joinpath("llms.txt").read_text(encoding="utf-8")
