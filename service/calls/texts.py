"""The sentences of calls, in the language of their reader."""

from kontor_games.domain.games import installed_games
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Translations, phrase

_MESSAGES = Translations("kontor_games.service.calls")


def text(language: str, key: str, **values: str | int) -> str:
    """Return a text in a language, with its values filled in."""
    return _MESSAGES[language].show(phrase(key, **values))


def sentence(language: str, kind: str, game: str, name: str) -> str:
    """Return the sentence that says what waits in a match of a game; `name` is who invites."""
    titles = installed_games()[game].titles
    title = titles.get(language, titles[DEFAULT_LANGUAGE])
    return text(language, f"call.{kind}", game=title, name=name)
