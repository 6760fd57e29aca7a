"""Free memory returns to the system, and /metrics shows what is in use."""

from kontor_games.service.metrics import MemoryReport, resident, resident_bytes, return_free_memory


def test_memory_between_blocks_in_use_is_returned() -> None:
    blocks = [bytes(2000) for _ in range(20_000)]
    full = resident_bytes()
    kept = blocks[::50]
    del blocks[:]
    return_free_memory()
    assert resident_bytes() < full - 20_000_000
    assert len(kept) == 400


def test_reports_show_what_is_in_use_and_return_free_memory_once_a_minute() -> None:
    report = MemoryReport()
    blocks = [bytes(2000) for _ in range(20_000)]
    kept = blocks[::50]
    report.report()
    full = resident._value.get()
    del blocks[:]
    for _ in range(11):
        report.report()
    assert resident._value.get() < full - 20_000_000
    assert len(kept) == 400
