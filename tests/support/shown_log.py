"""A log as a dishonest operator could show it: any signed leaves, with all proofs that fit them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kontor_games.domain.codec import Plain
from kontor_games.domain.log_leaves import KeyLeaf, Leaf, MatchLeaf, OutageLeaf
from kontor_games.domain.merkle import consistency_proof, inclusion_proof
from kontor_games.domain.signed_note import Note, NoteSignature, TreeHead, decode_base64
from kontor_games.service.trust.log_client import LogClient, LogRefusedError
from kontor_games.service.trust.notes import note_key
from tests.support.plain_tree import root_of, subtree_of
from tests.support.recording import NOON, KnownKeys

ORIGIN = "kontor.example/v1/log"


class ShownLog(LogClient):
    """Gives the answers that the service would give over HTTP."""

    def __init__(
        self, leaves: Sequence[Leaf], signer: KnownKeys, origin: str = ORIGIN, *, hidden: bool = False
    ) -> None:
        super().__init__("https://kontor.example")
        self.leaves = list(leaves)
        self.signer = signer
        self.origin = origin
        self.hidden = hidden
        """Whether the log is shown only to one reader, and never to a witness."""
        self.cosignatures: list[NoteSignature] = []
        self.withheld: frozenset[int] = frozenset()
        """The places of leaves that are never proven."""
        self.before: ShownLog | None = None
        """An earlier log that the operator has kept in order to answer requests for proofs."""

    @property
    def head(self) -> TreeHead:
        """The size and root of the tree."""
        return TreeHead(self.origin, len(self.leaves), root_of(self._hashes(len(self.leaves))))

    @property
    def note(self) -> Note:
        """The checkpoint over all leaves."""
        text = self.head.text
        name, signature = self.signer.sign(text.encode(), NOON)
        [key] = [one for one in self.signer.public_keys() if one.id == name]
        named = note_key(self.origin, key)
        return Note(text, (NoteSignature(named.name, named.id, decode_base64(signature)), *self.cosignatures))

    def checkpoint(self) -> str:
        return self.note.write()

    def older_checkpoints(self) -> Iterator[str]:
        yield self.checkpoint()

    def entries(self, size: int) -> Iterator[bytes]:
        yield from [leaf.content for leaf in self.leaves[:size]]

    def consistency(self, first: int, second: int) -> Plain:
        if not 0 < first <= second <= len(self.leaves):
            raise LogRefusedError("There are no checkpoints of these sizes.")
        subtree = subtree_of(self._hashes(second))
        return {"first": first, "second": second, "proof": consistency_proof(subtree, first, second)}

    def key_proofs(self, size: int) -> Plain:
        keys = [place for place, leaf in enumerate(self.leaves[:size]) if isinstance(leaf, KeyLeaf)]
        return {"size": size, "keys": [self._proven(place, size) for place in keys]}

    def inclusion(self, subject: str, size: int, kind: str = "matches") -> Plain:
        if self.before is not None:
            return self.before.inclusion(subject, size)
        places = [
            place
            for place, leaf in enumerate(self.leaves[:size])
            if isinstance(leaf, MatchLeaf) and leaf.match == subject and place not in self.withheld
        ]
        if not places or size > len(self.leaves):
            raise LogRefusedError("The match is not in this checkpoint.")
        outages = [place for place, leaf in enumerate(self.leaves[:size]) if isinstance(leaf, OutageLeaf)]
        proven = {"outages": [self._proven(place, size) for place in outages]}
        return {**self._proven(places[-1], size), **self.key_proofs(size), **proven}

    def _proven(self, place: int, size: int) -> Plain:
        return {
            "leaf": json.loads(self.leaves[place].content),
            "index": place,
            "proof": inclusion_proof(subtree_of(self._hashes(size)), place, size),
        }

    def _hashes(self, size: int) -> list[str]:
        return [leaf.hash for leaf in self.leaves[:size]]

    def grown(self, *leaves: Leaf) -> "ShownLog":
        """The log with further leaves."""
        return ShownLog([*self.leaves, *leaves], self.signer, self.origin)

    def first(self, size: int) -> "ShownLog":
        """The log as it was at a size."""
        return ShownLog(self.leaves[:size], self.signer, self.origin)

    def changed(self, place: int, **fields: str | int) -> "ShownLog":
        """The log with another leaf at a place."""
        leaves = [*self.leaves]
        leaves[place] = replace(leaves[place], **fields)  # type: ignore[arg-type]
        return ShownLog(leaves, self.signer, self.origin)
