"""Malformed requests, and the answers to them: of the service itself, and of nginx in front of it."""

import json
import socket

HEAD = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
END = b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

MALFORMED = [
    (b"hello\r\n\r\n", 400, "bad_request"),
    (b"GET / HTTP/1.1\nHost: x\n\n", 400, "bad_request"),
    (b"G{T / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
    (b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", 505, "http_version_not_supported"),
    (b"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505, "http_version_not_supported"),
    (b"GET /a b" + END, 400, "bad_request"),
    (b"get /" + END, 400, "bad_request"),
    (b"GET http://[::1" + END, 400, "bad_request"),
    (b"\x00\xff\xfe\r\n\r\n", 400, "bad_request"),
    (b"TRACE /" + END, 405, "method_not_allowed"),
    (b"CONNECT /" + END, 405, "method_not_allowed"),
    (b"GET /../../etc/passwd" + END, 404, "not_found"),
    (b"GET /v1/%00" + END, 404, "not_found"),
    (b"GET /" + b"a" * 20_000 + END, 414, "uri_too_long"),
    (
        b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 20_000 + b"\r\n\r\n",
        431,
        "request_header_fields_too_large",
    ),
    (b"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400, "bad_request"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nA B: c\r\n\r\n", 400, "bad_request"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 400, "bad_request"),
    (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "bad_request"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", 417, "expectation_failed"),
    (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri_too_long"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 9000 + b"\r\n\r\n", 431, "request_header_fields_too_large"),
    (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 65 + b"\r\n", 431, "request_header_fields_too_large"),
    (HEAD + b"Content-Length: -1\r\n\r\n", 400, "bad_request"),
    (HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 400, "bad_request"),
    (HEAD + b"Transfer-Encoding: gzip\r\n\r\n", 400, "bad_request"),
    (HEAD + b"Transfer-Encoding: tea\r\n\r\n", 400, "bad_request"),
    (HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", 400, "bad_request"),
    (CHUNKED + b"x\r\n", 400, "bad_request"),
    (CHUNKED + b"2\r\n{}x\r\n0\r\n\r\n", 400, "bad_request"),
    (CHUNKED + b"2;\r\n{}\r\n0\r\n\r\n", 400, "bad_request"),
    (CHUNKED + b"1\r\n \r\n" * 1025 + b"0\r\n\r\n", 400, "bad_request"),
    (CHUNKED + b"10001\r\n" + b" " * 0x10001 + b"\r\n0\r\n\r\n", 413, "body_too_large"),
    (CHUNKED + b"ffff\r\n" + b" " * 0xFFFF + b"\r\n2\r\n{}\r\n0\r\n\r\n", 413, "body_too_large"),
    (HEAD + b"Content-Length: 70000\r\n\r\n" + b" " * 70000, 413, "body_too_large"),
]
"""What is sent, and status and code of the problem."""

BEHIND_NGINX = {
    b"GET / HTTP/1.1\nHost: x\n\n": 200,
    b"GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n": 200,
    b"GET /../../etc/passwd" + END: 400,
    b"GET /v1/%00" + END: 400,
    CHUNKED + b"2;\r\n{}\r\n0\r\n\r\n": 422,
}
"""Other statuses behind nginx: it refuses such paths, repairs line ends and chunks, and drops Expect."""


def answer_of(port: int, sent: bytes) -> bytes:
    """Everything that a server on this machine sends until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(sent)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def first_answer(port: int, sent: bytes) -> bytes:
    """The first answer to a request, after which the connection may stay open."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection, connection.makefile("rb") as reader:
        connection.sendall(sent)
        head = b"".join(iter(reader.readline, b"\r\n"))
        fields = dict(line.split(b": ", 1) for line in head.lower().split(b"\r\n")[1:-1])
        return head + b"\r\n" + reader.read(int(fields[b"content-length"]))


def is_listening(port: int) -> bool:
    """Whether a server accepts connections."""
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def read_problem(answer: bytes) -> tuple[int, str, str]:
    """Status, code and media type of an answer with a problem."""
    head, _, body = answer.partition(b"\r\n\r\n")
    kind = next(line for line in head.decode().split("\r\n") if line.startswith("Content-Type: "))
    read = json.loads(body)
    assert read["status"] == int(answer[9:12])
    return read["status"], read["code"], kind.removeprefix("Content-Type: ")
