"""`kontor witness`: follows the log of a service, checks that it only grows, and cosigns its checkpoints."""

import fcntl
import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from kontor_games.domain.signed_note import UnreadableNoteError
from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.service.cli.arguments import file_option, number_option
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.log_files import log_client, read_json_file
from kontor_games.service.cli.terminal import console, explained
from kontor_games.service.settings import state_folder
from kontor_games.service.trust.inclusion_check import LogEvidenceError, read_kept_note
from kontor_games.service.trust.log_client import LogClient, LogRefusedError, LogUnreachableError
from kontor_games.service.trust.notes import UnreadableKeysError, UnsignedNoteError
from kontor_games.service.trust.witness import (
    InconsistentLogError,
    Witness,
    WitnessKey,
    WitnessState,
    new_witness_key,
    read_witness_key,
    state_path,
    stored_state,
    trusted_keys,
)

_CACHED_S: Final = 2.5
"""Longer than a cache may keep a checkpoint (`max-age=2`)."""


@command()
@click.argument("url")
@click.option("--name", metavar="NAME", help="Name of the witness, for a new key: witness.example/w1.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=lambda: state_folder() / "witness",
    metavar="FOLDER",
    help="Folder for key, state and evidence. Default: ~/.local/state/kontor/witness.",
)
@file_option("--keys", help_text="Public keys of the service to trust. Default: those that it publishes.")
@click.option("--once", is_flag=True, help="Check once and exit.")
@click.option("--no-submit", is_flag=True, help="Check only: submit no cosignatures.")
@number_option(
    "--interval", default=30, maximum=86_400, metavar="SECONDS", help_text="Time between two checks."
)
def witness(
    *, url: str, name: str | None, folder: Path, keys: Path | None, once: bool, no_submit: bool, interval: int
) -> None:
    """Follow the log of a service, and cosign its checkpoints.

    Each checkpoint must be signed by the service and extend the previous one, at whatever address the log
    was read before. If it does not, both are saved to a file as evidence, and the exit code is 1.
    The operator lists the public key of the witness in KONTOR_WITNESSES.
    """
    client = log_client(url)
    folder.mkdir(parents=True, exist_ok=True)
    key = _own_key(folder / "witness.key", name)
    try:
        _follow(partial(_check_once, folder, client, key, keys, submit=not no_submit), once, interval)
    except InconsistentLogError as refused:
        evidence = folder / f"{urlsplit(url).netloc.replace(':', '_')}.fork-{int(time.time())}.json"
        evidence.write_text(
            json.dumps(refused.evidence, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        raise click.ClickException(
            f"This log is not consistent: {refused}. Both checkpoints were saved to {evidence}."
        ) from refused
    except (LogEvidenceError, UnsignedNoteError, UnreadableKeysError) as error:
        raise click.ClickException(f"The checkpoint cannot be trusted: {error}.") from error
    except LogRefusedError as error:
        hint = (
            f"Ask the operator to add {key.public.text} to KONTOR_WITNESSES, or only check with --no-submit."
        )
        raise click.ClickException(f"{error} {hint}") from error


def _own_key(path: Path, name: str | None) -> WitnessKey:
    """Return the key in the file; create it if it is missing."""
    with explained(str(path), UnreadableNoteError, UnicodeDecodeError):
        if path.exists():
            key = read_witness_key(path.read_text(encoding="utf-8"))
            if name not in (None, key.public.name):
                raise click.UsageError(f"{path} is the key of {key.public.name}.")
            return key
        if name is None:
            raise click.UsageError("A new witness needs --name, such as witness.example/w1.")
        key = new_witness_key(name)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(key.text)
    click.echo(f"New key of this witness, for the operator's KONTOR_WITNESSES:\n{key.public.text}")
    return key


def _state(folder: Path, keys: Path | None, client: LogClient, origin: str) -> WitnessState:
    """Return the saved state of the log; on the first run, a state with the keys to trust."""
    with explained(f"A state in {folder} is damaged", ValueError, UnreadableKeysError):
        state = stored_state(folder, client.url, origin)
    if state is not None:
        return state
    given = None if keys is None else read_json_file(keys)
    if given is None:
        click.echo("First contact: trusting the keys that the service publishes now.", err=True)
    return WitnessState(trusted_keys(given, client))


def _follow(check: Callable[[], None], once: bool, interval: int) -> None:  # noqa: FBT001
    with console(stderr=True).status("fetching the log …") as status:
        while True:
            try:
                check()
                status.update(f"waiting for the next checkpoint, checking every {interval} s")
            except LogUnreachableError as error:
                if once or isinstance(error, LogRefusedError):
                    raise
                click.echo(f"{error} Trying again.", err=True)
            if once:
                return
            time.sleep(interval)


def _check_once(folder: Path, client: LogClient, key: WitnessKey, keys: Path | None, *, submit: bool) -> None:
    """Check and cosign; one process at a time, because several addresses can show the same log."""
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        origin = read_kept_note(client.checkpoint())[1].origin
        path = state_path(folder, origin)
        state = _state(folder, keys, client, origin)
        follower = Witness(client, key, state, lambda new: new.write(path), _CACHED_S)
        result = follower.check()
        cosigned = submit and follower.submit(int(time.time()))
    if result.new or cosigned:
        grown = f"extends {result.grown_from:,}" if result.grown_from else "the first one"
        done = "cosigned" if cosigned else "not cosigned"
        click.echo(f"✓ checkpoint of {count_phrase(f'{result.size:,}', 'leaf', 'leaves')}, {grown}, {done}")
