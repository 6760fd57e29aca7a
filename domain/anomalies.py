"""What a check of a record finds wrong: a code and values, which a message of each language puts in words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from kontor_games.domain.codec import Plain
from kontor_games.domain.narration import MESSAGES
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Phrase

Code = Literal[
    "at_version", "newest_checkpoint", "private", "no_record", "unlisted", "facts_taken_away",
    "rewritten", "unreadable", "stored_hash", "malformed", "not_canonical", "not_allowed",
    "not_executed", "missing_facts", "earlier", "signature_wrong", "unsigned", "no_creation", "secret",
    "creator", "no_position", "fact_count", "wrong_clock", "rules_missing", "data_differs",
    "other_fact", "extra_field", "missing_field", "other_value", "same_fact", "by_service", "time_by_service",
    "erased_by_service", "service_acted", "foreign_seat", "sent_unsigned", "sent_as_stored",
    "sent_other_moves", "bot_moves", "bot_no_move", "bot_move", "no_checkpoint", "never_signed",
    "unknown_key", "rolled_back", "leaves_rewritten", "key_unpublished",
]  # fmt: skip
"""Stored with the results of audits: a code keeps its meaning for ever."""
_UNTRANSLATED = "detail"
"""The value that stays in English: a message of the rules of a game, or of a library."""


@dataclass(frozen=True, slots=True)
class Anomaly:
    """Something that is wrong in a record; as a text it is an English sentence without a full stop."""

    code: Code
    values: "Mapping[str, str | int | Anomaly]"

    def __str__(self) -> str:
        return self.told(DEFAULT_LANGUAGE)

    def told(self, language: str, english: Callable[[str], str] = str) -> str:
        """Return the sentence in a language; `english` marks the parts that are not translated."""
        return MESSAGES[language].show(self._phrase(str if language == DEFAULT_LANGUAGE else english))

    def _phrase(self, english: Callable[[str], str]) -> Phrase:
        values = {
            name: value._phrase(english)
            if isinstance(value, Anomaly)
            else english(str(value))
            if name == _UNTRANSLATED
            else value
            for name, value in self.values.items()
        }
        return Phrase(f"anomalies.{self.code}", values)

    def plain(self) -> Plain:
        """Return the form in which results of audits are stored."""
        values = {name: one.plain() if isinstance(one, Anomaly) else one for name, one in self.values.items()}
        return {"code": self.code, "values": values}


def anomaly(code: Code, **values: str | int | Anomaly) -> Anomaly:
    """Return an anomaly with the values that its message needs."""
    return Anomaly(code, values)


def read_anomaly(data: Plain) -> Anomaly:
    """Read the stored form; raise LookupError if the code is not known here."""
    if data["code"] not in get_args(Code):
        raise LookupError(f"there is no anomaly {data['code']}")
    values = {
        name: read_anomaly(one) if isinstance(one, dict) else one for name, one in data["values"].items()
    }
    return Anomaly(cast(Code, data["code"]), values)
