"""Trust: signatures, checkpoints, exports, the verifier, audits and statistics."""
