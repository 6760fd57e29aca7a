"""Finding the end of a request in the bytes that have arrived."""

import pytest
from gunicorn.http import errors  # type: ignore[import-untyped]

from kontor_games.api.server.plain_request import (
    HEAD_LIMIT,
    BodyTooLargeError,
    ChunkedBody,
    TooManyChunksError,
    body_of,
    find_head_end,
    find_header,
)

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


@pytest.mark.parametrize(
    ("fields", "value"),
    [
        (b"Expect: 100-continue\r\n", "100-continue"),
        (b"A: b\r\nEXPECT:\t one \t\r\nExpect: two\r\n", "one"),
        (b"Expect:\r\n", ""),
        (b"Not-Expect: a\r\nA: Expect: b\r\n", ""),
        (b"Expect:" + b" " * 32_000 + b"x\ry\r\n", "x\ry"),
        (b"Expect:" + b"\t x" * 10_000 + b"\r\n", "\t x" * 9_999 + "\t x"),
    ],
)
def test_a_header_is_found_by_its_name_at_the_beginning_of_a_line(fields: bytes, value: str) -> None:
    assert find_header(b"GET / HTTP/1.1\r\n" + fields + b"\r\n", "Expect") == value.strip(" \t")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (b"", (0, False)),
        (b"content-length: 12\r\n", (12, False)),
        (b"Content-Length: 12\r\nContent-Length: 12\r\n", (0, False)),
        (b"Content-Length: \xb2\r\n", (0, False)),
        (b"Content-Length: " + b"1" * 16 + b"\r\n", (0, False)),
        (b"Transfer-Encoding: Chunked\r\n", (0, True)),
        (b"Transfer-Encoding: gzip\r\n", (0, False)),
        (b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", (0, False)),
    ],
)
def test_the_head_says_how_long_the_body_is(fields: bytes, expected: tuple[int, bool]) -> None:
    assert body_of(b"POST / HTTP/1.1\r\n" + fields + b"\r\n") == expected


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


def test_a_body_of_very_many_chunks_is_refused() -> None:
    assert ChunkedBody(65_536).find_end(bytearray(b"1\r\n \r\n" * 1024)) is None
    with pytest.raises(TooManyChunksError):
        ChunkedBody(65_536).find_end(bytearray(b"1\r\n \r\n" * 1025))
