"""Statements that can't be taken back: signed, logged, and proved by one file.

    signer = Signer.from_key_file("signing.keys")
    text = signer.sign(OpeningStatement.make(...))  # what the operator says
    signed = read_statement(text, KeySet.parse_jwks(published))  # what anybody may believe that it said

The room knows rounds, records and bets as values. It never hears of a database, a wallet or an account.
"""

from .beacon import BeaconValue, round_at
from .evidence import InclusionProof, LogEvidence
from .guarantees import PROOF_GUARANTEES
from .key_file import new_key_file, read_key_file, rotate_key_file
from .keys import KeySet, VerificationKey
from .proof import verify_proof
from .reading import SignedStatement, read_statement
from .signing import PrivateKey, Signer
from .statements import (
    AcceptanceStatement,
    BeaconRound,
    ClosingStatement,
    LogPromise,
    OpeningStatement,
    ReceiptStatement,
)

__all__ = [
    "PROOF_GUARANTEES",
    "AcceptanceStatement",
    "BeaconRound",
    "BeaconValue",
    "ClosingStatement",
    "InclusionProof",
    "KeySet",
    "LogEvidence",
    "LogPromise",
    "OpeningStatement",
    "PrivateKey",
    "ReceiptStatement",
    "SignedStatement",
    "Signer",
    "VerificationKey",
    "new_key_file",
    "read_key_file",
    "read_statement",
    "rotate_key_file",
    "round_at",
    "verify_proof",
]
