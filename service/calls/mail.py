"""Calls by e-mail, for slow matches: at most one message for each match and day, and a link to end them."""

import smtplib
import ssl
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit
from uuid import UUID

from prometheus_client import Counter

from kontor_games.domain.match import Match
from kontor_games.service.calls.mail_addresses import DAY_MS, MailAddress, MailAddresses
from kontor_games.service.calls.texts import sentence, text
from kontor_games.service.calls.waiting import Waiting
from kontor_games.service.people.players import Players
from kontor_games.service.settings import Settings

PAUSE_MS = 600_000
"""How long a match must wait, and its player be away, before a message is sent."""
SLOW_MS = 12 * 3600 * 1000
"""A match without a clock, or with at least this time for a move, is slow."""
_WAIT_S = 10.0
_POLICY = SMTP.clone(max_line_length=400)
"""Links in headers are not folded, which some programs don't expect."""
mails = Counter("kontor_mails", "E-mails by how their delivery ended.", ["result"])


def is_slow(match: Match) -> bool:
    """Whether players of a match need not be here while it is played."""
    clock = match.created.clock
    return clock.kind == "none" or clock.ms >= SLOW_MS


class MailCalls:
    """Sends calls, and requests to confirm an address."""

    name = "mail"

    def __init__(
        self, addresses: MailAddresses, players: Players, settings: Settings, clock: Callable[[], int]
    ) -> None:
        self._addresses = addresses
        self._players = players
        self._settings = settings
        self._clock = clock

    def players(self) -> frozenset[str]:
        """Return the players who have confirmed an address."""
        return self._addresses.players()

    def due(self, match: Match, seen_at: int, called_at: int) -> int | None:
        """When a player is called; in quick matches never, in others at most once a day."""
        if not is_slow(match):
            return None
        return max(match.at + PAUSE_MS, seen_at + PAUSE_MS, called_at + DAY_MS)

    def send(self, match_id: UUID, match: Match, waiting: Waiting) -> None:
        """Send the message to the player, unless they have removed their address."""
        one = self._addresses.get(waiting.player)
        if one is None or not one.confirmed:
            return
        known = self._players.get_many([waiting.by]) if waiting.kind == "invited" and waiting.by else {}
        name = next((player.name for player in known.values()), None) or ""
        said = sentence(one.language, waiting.kind, match.created.game, name)
        self._deliver(one, said, said, f"match/{match_id}")

    def ask(self) -> int:
        """Ask new addresses for confirmation; return how many there were."""
        asked = self._addresses.unasked() if self._addresses.offered else []
        for one in asked:
            if self._addresses.mark_asked(one):
                link = f"mail?confirm={self._addresses.code('confirm', one)}"
                subject, said = text(one.language, "mail.confirm"), text(one.language, "mail.confirm_text")
                self._deliver(one, subject, said, link)
        return len(asked)

    def _deliver(self, one: MailAddress, subject: str, said: str, link: str) -> None:
        try:
            with _connected(self._settings.smtp_url) as server:
                server.send_message(self._message(one, subject, said, link))
        except smtplib.SMTPRecipientsRefused as error:
            [(code, _)] = error.recipients.values()
            if code >= 500:  # the mailbox does not exist
                self._addresses.remove(one.player)
            mails.labels("gone" if code >= 500 else "failed").inc()
        except (smtplib.SMTPException, OSError):
            mails.labels("failed").inc()
        else:
            mails.labels("delivered").inc()

    def _message(self, one: MailAddress, subject: str, said: str, link: str) -> EmailMessage:
        page = f"{self._settings.public_url}/#/"
        stop = self._addresses.code("stop", one)
        message = EmailMessage(_POLICY)
        message["From"], message["To"] = self._settings.mail_from, one.address
        message["Subject"] = subject
        message["Date"] = formatdate(self._clock() / 1000)
        message["Message-ID"] = make_msgid(domain=self._settings.mail_from.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message["List-Unsubscribe"] = f"<{self._settings.public_url}/v1/mail-stops/{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        ending = text(one.language, "mail.stop")
        message.set_content(f"{said}\n\n{page}{link}\n\n-- \n{ending}\n{page}mail?stop={stop}\n")
        return message


def _connected(url: str) -> smtplib.SMTP:
    """Connect to the mail server of the operator: with TLS, unless it is on this machine."""
    parts = urlsplit(url)
    host, context = str(parts.hostname), ssl.create_default_context()
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, parts.port or 465, timeout=_WAIT_S, context=context)
    else:
        server = smtplib.SMTP(host, parts.port or 587, timeout=_WAIT_S)
    try:
        if parts.scheme == "smtp" and not _is_here(host):
            server.starttls(context=context)
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
    except (smtplib.SMTPException, OSError):
        server.close()
        raise
    return server


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
