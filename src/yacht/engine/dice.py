"""Sealed dice: every throw of a game follows from one secret seed, published as its hash.

What computer players leave to chance follows from it too, under another label.

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
_DICE = b"yacht-dice-1"
_PLAYER = b"yacht-player-1"


def fingerprint(seed: bytes) -> str:
    """The SHA-256 of a seed in hex: published before the game, it binds the seed."""
    return sha256(seed).hexdigest()


def dice_key(seed: bytes, seat_bytes: Sequence[bytes]) -> bytes:
    """The 32-byte key of a game's dice, from its seed and what each seat added (0 to 32 bytes).

    Raises IllegalMove(TOO_MANY_BYTES).
    """
    return _key(_DICE, seed, seat_bytes)


def player_key(seed: bytes, seat_bytes: Sequence[bytes]) -> bytes:
    """The 32-byte key of a game's computer players; it says nothing about the dice.

    Raises IllegalMove(TOO_MANY_BYTES).
    """
    return _key(_PLAYER, seed, seat_bytes)


def chance(key: bytes, seat: int, turn: int, roll: int) -> float:
    """The number, from 0 to below 1, by which a computer chooses after a roll; all count from 0."""
    drawn = hmac.digest(key, bytes([seat, turn, roll]), "sha256")
    return (int.from_bytes(drawn[:8]) >> 11) / 2**53  # as fine as a float below 1 can be


def check_seat_bytes(seat_bytes: Sequence[bytes]) -> None:
    """Raise IllegalMove(TOO_MANY_BYTES) if a seat adds more than 32."""
    for seat, added in enumerate(seat_bytes, 1):
        if len(added) > MOST_SEAT_BYTES:
            raise IllegalMove(
                Reason.TOO_MANY_BYTES, seat=seat, value=len(added), most=MOST_SEAT_BYTES
            )


def _key(label: bytes, seed: bytes, seat_bytes: Sequence[bytes]) -> bytes:
    check_seat_bytes(seat_bytes)
    message = label + b"".join(bytes([len(added)]) + added for added in seat_bytes)
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
