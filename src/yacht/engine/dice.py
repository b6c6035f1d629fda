"""Sealed dice: every throw of a game follows from one secret seed, published as its hash.

docs/sealed-dice.md says the same for people who write a verifier.
"""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from itertools import count

from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, Dice, Ruleset

SEED_BYTES = 32
MOST_SEAT_BYTES = 32
_LABEL = b"yacht-dice-1"


def fingerprint(seed: bytes) -> str:
    """The SHA-256 of a seed in hex: published before the game, it binds the seed."""
    return sha256(seed).hexdigest()


def dice_key(seed: bytes, seat_bytes: Sequence[bytes]) -> bytes:
    """The 32-byte key of a game's dice, from its seed and what each seat added (0 to 32 bytes).

    Raises IllegalMove(TOO_MANY_BYTES).
    """
    for seat, added in enumerate(seat_bytes, 1):
        if len(added) > MOST_SEAT_BYTES:
            raise IllegalMove(
                Reason.TOO_MANY_BYTES, seat=seat, value=len(added), most=MOST_SEAT_BYTES
            )
    message = _LABEL + b"".join(bytes([len(added)]) + added for added in seat_bytes)
    return hmac.digest(seed, message, "sha256")


def throw(key: bytes, seat: int, turn: int, roll: int, ruleset: Ruleset = CLASSIC) -> Dice:
    """The face of every position at one roll; seat, turn and roll count from 0."""
    keyed = hmac.new(key, digestmod="sha256")
    return tuple(
        _face(keyed, bytes([seat, turn, roll, position]), ruleset.faces)
        for position in range(ruleset.dice)
    )


def _face(keyed: hmac.HMAC, place: bytes, faces: int) -> int:
    """An unbiased face: bytes at or over the last multiple of ``faces`` are passed over."""
    limit = 256 - 256 % faces
    for counter in count():
        for byte in _digest(keyed, place + bytes([counter])):
            if byte < limit:
                return byte % faces + 1
    raise AssertionError  # pragma: no cover (it counts without end)


def _digest(keyed: hmac.HMAC, message: bytes) -> bytes:
    """Unlike ``hmac.digest`` this keeps Python's lock, which another thread else takes."""
    hashed = keyed.copy()
    hashed.update(message)
    return hashed.digest()
