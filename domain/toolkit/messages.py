"""Messages in several languages: templates in which translators change only the text.

The templates are a small part of ICU MessageFormat, without its quoting:

    {who}                                                    a value
    {card.the}                                               a form of a phrase: the message `cards.ship.the`
    {n, plural, =0 {no coin} one {# coin} other {# coins}}   by a number, or by the length of a list
    {reason, select, played {…} other {…}}                   by a word
    {n, spell}                                               a number in words, up to twelve
    {who.whose}                                              the genitive of a name

A `Phrase` is independent of the language: a key and values, which may be phrases themselves. The
forms of a phrase (articles, cases) are defined by each language.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Union

from kontor_games.domain.codec import Plain
from kontor_games.domain.data import read_json
from kontor_games.domain.toolkit.languages import LANGUAGES, Grammar

Value = Union[str, int, "Phrase", tuple["Value", ...]]
"""A name is a text and stays as it is; a list is joined by commas and `and`."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text in any language: the key of a message, and the values for its placeholders."""

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)


def phrase(key: str, **values: Value) -> Phrase:
    """Return a phrase with the values of its placeholders."""
    return Phrase(key, values)


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder of a template."""

    name: str
    form: str = ""
    kind: str = ""
    """`plural`, `select`, `spell`, or empty for the value itself."""
    branches: Mapping[str, "Template"] = field(default_factory=dict)


Template = tuple[str | Slot, ...]
_SLOT = re.compile(r"\{\s*(#|\w+)(?:\.(\w+))?\s*(?:,\s*(plural|select|spell)\s*)?")
_BRANCH = re.compile(r"\s*,?\s*(=?\w+)\s*\{")
_END = re.compile(r"\s*\}")
_HASH = Slot("#")


class BadTemplateError(ValueError):
    """A template is not well-formed."""


def parse(text: str) -> Template:
    """Return a template as its parts; raise BadTemplateError if it is not well-formed."""
    template, end = _parse_parts(text, 0, inside=False)
    if end != len(text):
        raise BadTemplateError(f"there is a }} too many in {text!r}")
    return template


def _parse_parts(text: str, at: int, *, inside: bool) -> tuple[Template, int]:
    parts: list[str | Slot] = []
    while at < len(text) and text[at] != "}":
        if text[at] == "{":
            slot, at = _parse_slot(text, at)
            parts.append(slot)
        elif text[at] == "#" and inside:
            parts.append(_HASH)
            at += 1
        else:
            found = re.compile(r"[^{}#]+" if inside else r"[^{}]+").match(text, at)
            parts.append(found[0] if found else text[at])
            at = found.end() if found else at + 1
    return tuple(parts), at


def _parse_slot(text: str, start: int) -> tuple[Slot, int]:
    found = _SLOT.match(text, start)
    if found is None:
        raise BadTemplateError(f"no placeholder at {start} of {text!r}")
    at, branches = found.end(), dict[str, Template]()
    while branch := _BRANCH.match(text, at):
        branches[branch[1]], at = _parse_parts(text, branch.end(), inside=True)
        at += 1
    end = _END.match(text, at)
    if end is None or (found[3] in ("plural", "select")) != ("other" in branches):
        raise BadTemplateError(f"the placeholder {found[1]!r} of {text!r} is not well-formed")
    return Slot(found[1], found[2] or "", found[3] or "", branches), end.end()


def slots(template: Template) -> Iterator[Slot]:
    """Return every placeholder of a template, those in branches included."""
    for part in template:
        if isinstance(part, Slot) and part is not _HASH:
            yield part
            for branch in part.branches.values():
                yield from slots(branch)


class Messages:
    """All messages of a game, or of the match itself, in one language."""

    def __init__(self, language: str, texts: Mapping[str, Plain]) -> None:
        """`texts` may be nested: `{"facts": {"rolled": …}}` has the message `facts.rolled`."""
        self.language = language
        self.grammar: Grammar = LANGUAGES[language]
        self.texts = dict(_flat(texts))
        self._templates: dict[str, Template] = {}

    def group(self, prefix: str) -> dict[str, str]:
        """Return the messages whose keys begin with a prefix, by the rest of their keys."""
        return {key.removeprefix(prefix): text for key, text in self.texts.items() if key.startswith(prefix)}

    def template(self, key: str) -> Template:
        known = self._templates.get(key)
        if known is None:
            known = self._templates[key] = parse(self.texts[key])
        return known

    def sentence(self, value: Phrase) -> str:
        """Return a phrase as a complete sentence; it begins with a capital, unless it begins with a name."""
        text = self._fill(self.template(value.key), value.values)
        is_name = self._is_name(self.template(value.key), value.values)
        return text if is_name else text[:1].upper() + text[1:]

    def _is_name(self, template: Template, values: Mapping[str, Value]) -> bool:
        """Return whether a text begins with a name, which is not capitalised."""
        first = template[0] if template else ""
        if isinstance(first, str) or first.name not in values:
            return False
        if first.branches:
            return self._is_name(self._branch(first, values), values)
        value = values[first.name]
        while isinstance(value, tuple) and value:
            value = value[0]
        if isinstance(value, Phrase):
            key = f"{value.key}.{first.form}" if first.form else value.key
            return self._is_name(self.template(key), value.values)
        return isinstance(value, str)

    def _fill(self, template: Template, values: Mapping[str, Value], number: str = "") -> str:
        text = ""
        for part in template:
            if isinstance(part, str):
                text += part
            else:
                shown = number if part is _HASH else self._slot(part, values, number)
                text = self.grammar.joined(text, shown)
        return text

    def _slot(self, slot: Slot, values: Mapping[str, Value], number: str) -> str:
        value = values[slot.name]
        if slot.kind == "spell":
            return self.grammar.spelled(value if isinstance(value, int) else 0)
        if slot.branches:
            count = str(_count(value)) if slot.kind == "plural" else number
            return self._fill(self._branch(slot, values), values, count)
        return self.show(value, slot.form)

    def _branch(self, slot: Slot, values: Mapping[str, Value]) -> Template:
        value, branches = values[slot.name], slot.branches
        if slot.kind == "select":
            return branches.get(str(value), branches["other"])
        count = _count(value)
        usual = branches.get(self.grammar.category(count), branches["other"])
        return branches.get(f"={count}", usual)

    def show(self, value: Value, form: str = "") -> str:
        """Return a value as a part of a sentence."""
        if isinstance(value, Phrase):
            return self._fill(self.template(f"{value.key}.{form}" if form else value.key), value.values)
        if isinstance(value, tuple):
            return self.grammar.listed([self.show(item, form) for item in value])
        text = value if isinstance(value, str) else str(value)
        return self.grammar.possessive(text) if form == "whose" else text


def _count(value: Value) -> int:
    return len(value) if isinstance(value, tuple) else value if isinstance(value, int) else 0


def _flat(texts: Mapping[str, Plain], before: str = "") -> Iterator[tuple[str, str]]:
    for key, text in texts.items():
        if isinstance(text, str):
            yield before + key, text
        else:
            yield from _flat(text, f"{before}{key}.")


class Translations(dict[str, Messages]):
    """Messages by language, each read from its file on first use."""

    def __init__(self, package: str, folder: str = "messages") -> None:
        """The files are `<language>.json` in a folder of the package."""
        self._package = package
        self._folder = folder

    def __missing__(self, language: str) -> Messages:
        if language not in LANGUAGES:
            raise KeyError(language)
        self[language] = Messages(language, read_json(self._package, f"{self._folder}/{language}.json"))
        return self[language]

    def words(self) -> dict[str, dict[str, str]]:
        """Return the names of things by language and id: the section `words`, where there is one."""
        found = {language: self[language].group("words.") for language in LANGUAGES}
        return {language: names for language, names in found.items() if names}
