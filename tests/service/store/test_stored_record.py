"""Audits compare facts as stored bytes: the fast encoder gives the stored bytes for all facts."""

import msgspec
import pytest

from kontor_games.domain.match_facts import MATCH_FACTS, fact_codec
from kontor_games.service.store.stored_record import written_facts
from tests.support.matches import Table, every_table, played_match


@pytest.mark.parametrize("table", every_table(), ids=str)
def test_facts_of_every_game_are_written_as_they_are_stored(table: Table) -> None:
    encode = fact_codec(table.rules).encode
    batches = played_match(table).batches
    assert len({type(fact) for batch in batches for fact in batch} - set(MATCH_FACTS)) > 5
    for batch in batches:
        assert written_facts(batch) == msgspec.json.encode([encode(fact) for fact in batch])
