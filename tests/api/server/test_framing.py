"""Finding the end of a request in the bytes that have arrived."""

import pytest
from gunicorn.http import errors  # type: ignore[import-untyped]

from kontor_games.api.server.framing import HEAD_LIMIT, BodyTooLargeError, ChunkedBody, find_head_end

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def test_a_head_ends_with_an_empty_line_however_it_arrives() -> None:
    for cut in range(len(HEAD)):
        assert find_head_end(bytearray(HEAD[:cut]), 0) is None
        assert find_head_end(bytearray(HEAD + b"body"), cut) == len(HEAD)


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (b"GET / HTTP/1.1\nHost: x\n\n", errors.InvalidRequestLine),
        (b"GET /" + b"x" * 9000, errors.LimitRequestLine),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * (HEAD_LIMIT // 6), errors.LimitRequestHeaders),
    ],
)
def test_an_invalid_head_is_refused_before_it_ends(sent: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        find_head_end(bytearray(sent), 0)


CHUNKS = b"5\r\nhello\r\n3;a=b\r\nyou\r\n0\r\n\r\n"


def test_a_chunked_body_ends_after_the_empty_chunk_however_it_arrives() -> None:
    body, buffer = ChunkedBody(100), bytearray()
    for byte in CHUNKS[:-1]:
        buffer.append(byte)
        assert body.find_end(buffer) is None
    assert body.find_end(buffer + CHUNKS[-1:] + b"GET") == len(CHUNKS)


def test_trailers_belong_to_the_body() -> None:
    sent = b"1\r\na\r\n0\r\nA: b\r\n\r\n"
    assert ChunkedBody(100).find_end(bytearray(sent[:-1])) is None
    assert ChunkedBody(100).find_end(bytearray(sent + b"GET")) == len(sent)


@pytest.mark.parametrize(
    "sent", [b"x\r\n", b"\r\n", b"-1\r\n", b"f" * 17 + b"\r\n", b"1" * 5000, b"0\r\n" + b"A: b\r\n" * 2000]
)
def test_a_malformed_body_counts_as_complete_so_that_the_parser_refuses_it(sent: bytes) -> None:
    assert ChunkedBody(100).find_end(bytearray(sent)) == len(sent)


@pytest.mark.parametrize(
    "sent", [b"65\r\n", b"32\r\n" + b"x" * 50 + b"\r\n33\r\n", b"1;" + b"e" * 4000 + b"\r\nx\r\n"]
)
def test_a_chunked_body_that_is_too_large_is_refused_by_the_declared_sizes(sent: bytes) -> None:
    with pytest.raises(BodyTooLargeError):
        ChunkedBody(100).find_end(bytearray(sent * 10))
