"""A mail server on loopback that keeps what it is given."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread


@dataclass
class MailServer:
    """The messages that have come, and the mailboxes that do not exist."""

    url: str = ""
    messages: list[EmailMessage] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    is_busy: bool = False

    def take(self) -> list[EmailMessage]:
        """The messages since the last call."""
        taken, self.messages = self.messages, []
        return taken


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Run a mail server."""
    mailboxes = MailServer()

    class Session(StreamRequestHandler):
        def handle(self) -> None:
            self.say("220 ready")
            while line := self.rfile.readline().decode().strip():
                command = line[:4].upper()
                if command == "QUIT":
                    return self.say("221 bye")
                if command == "DATA":
                    self.receive()
                elif command == "RCPT" and line.partition("<")[2].rstrip(">") in mailboxes.missing:
                    self.say("550 no such mailbox")
                elif command == "RCPT" and mailboxes.is_busy:
                    self.say("451 try again later")
                else:
                    self.say("250 ok")
            return None

        def receive(self) -> None:
            self.say("354 go on")
            lines = []
            while (line := self.rfile.readline()) != b".\r\n":
                lines.append(line)
            message = message_from_bytes(b"".join(lines), policy=policy.default)
            assert isinstance(message, EmailMessage)
            mailboxes.messages.append(message)
            self.say("250 kept")

        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    with ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        server.daemon_threads = True
        mailboxes.url = f"smtp://127.0.0.1:{server.server_address[1]}"
        Thread(target=server.serve_forever, daemon=True).start()
        yield mailboxes
        server.shutdown()
