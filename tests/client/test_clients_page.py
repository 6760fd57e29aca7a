"""The programs in docs/clients.md work as printed: they are run against a real service."""

import json
import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from kontor_games.domain.games import installed_games
from kontor_games.service.matches.replay import json_patch
from tests.api.two_services import mid_game
from tests.client.service import ROOT, Service, run_program
from tests.client.tables import GAMES, create_bot_match
from tests.client.typescript import typescript_folder

PAGE = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")


def block(language: str, about: str = "") -> str:
    """Return the only code block in a language, or the only one that contains a text."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    [wanted] = [text for text in found if about in text]
    return str(wanted)


def test_the_bot_in_python_is_short_and_plays(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    program = block("python")
    assert len(program.splitlines()) <= 10
    assert "'reason': 'played'" in run_program(
        sys.executable, "-c", program.replace("http://localhost:8000", service.url), cwd=ROOT
    )


def test_the_bot_in_typescript_is_short_signs_and_plays(service: Service) -> None:
    folder = typescript_folder("documented")
    program = block("ts", "await look();").replace("http://localhost:8000", service.url)
    signing = block("ts", "export async function createKey")
    assert len(program.splitlines()) <= 46
    assert len(signing.splitlines()) <= 24
    program += "console.error((await look()).seats[0]!.key === public_key);"
    (folder / "bot.ts").write_text(program, encoding="utf-8")
    (folder / "signing.ts").write_text(signing, encoding="utf-8")
    install, *commands = block("sh").replace("http://localhost:8000", service.url).splitlines()
    assert install.startswith("npm install openapi-fetch openapi-typescript typescript")
    output = run_program("sh", "-euc", "\n".join(["exec 2>&1", *commands]), cwd=folder)
    assert "reason: 'played'" in output
    assert output.endswith("true\n"), "the seat has the key"


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_the_patches_of_a_replay_are_read_as_the_page_says(game: str, tmp_path: Path) -> None:
    rules = installed_games()[game].rules()
    views = [rules.view(mid_game(rules, 3, moves, "replay"), 0) for moves in range(0, 200, 5)]
    positions = [{"view": views[0]}, *({"patch": json_patch(*pair)} for pair in pairwise(views))]
    (tmp_path / "positions.json").write_text(json.dumps(positions), encoding="utf-8")
    (tmp_path / "views.mjs").write_text(block("js", "export function views"), encoding="utf-8")
    program = """
        import { readFileSync } from "node:fs";
        import { views } from "./views.mjs";
        console.log(JSON.stringify(views(JSON.parse(readFileSync("positions.json", "utf8")))));
    """
    (tmp_path / "main.mjs").write_text(program, encoding="utf-8")
    assert json.loads(run_program("node", "main.mjs", cwd=tmp_path)) == views


def test_a_stream_is_read_with_fetch_as_the_page_says(service: Service, tmp_path: Path) -> None:
    with service.player("Ada") as ada:
        match, token = create_bot_match(ada, GAMES[-1]).id, ada.connection.token
        (tmp_path / "follow.mjs").write_text(block("js", "export async function* follow"), encoding="utf-8")
        program = f"""
            import {{ follow }} from "./follow.mjs";
            const url = "{service.url}/v1/matches/{match}";
            const headers = {{ Authorization: "Bearer {token}", "Content-Type": "application/json" }};
            const seen = [];
            for await (const event of follow(
              `${{url}}/events?turns=true&wait=1`, "{token}", new AbortController().signal)) {{
              seen.push([event.kind, event.version]);
              if (event.kind !== "turn") continue;
              const moves = seen.filter(([kind]) => kind === "turn").length;
              if (moves === 3)
                await new Promise((resolve) => setTimeout(resolve, 1500)); // the stream ends meanwhile
              const path = moves < 6 ? "moves" : "resignation";
              const body = moves < 6 ? JSON.stringify(event.legal_moves[0]) : "{{}}";
              const answer = await fetch(`${{url}}/${{path}}`, {{ method: "POST", headers, body }});
              if (!answer.ok) throw new Error(await answer.text());
            }}
            const wrong = await follow(
              "{service.url}/v1/matches/nope/events", "{token}", new AbortController().signal)
              .next().catch((error) => error);
            console.log(JSON.stringify({{ seen, code: wrong.code }}));
        """
        (tmp_path / "main.mjs").write_text(program, encoding="utf-8")
        output = json.loads(run_program("node", "main.mjs", cwd=tmp_path))
        version = ada.match(match).version
    facts = [at for kind, at in output["seen"] if kind == "fact"]
    assert facts == list(range(1, version + 1)), "every fact arrives exactly once"
    assert output["seen"][-1] == ["end", version]
    assert output["code"] == "not_found"


def test_every_linked_page_exists() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", PAGE)
    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
