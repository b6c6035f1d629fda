"""Events as short tokens, and a whole game as text that people can read and programs verify.

A token is ``26155`` for a roll of all dice, ``(2)6(5)31`` for one that kept the dice in brackets,
a category's key for a score, ``undo`` for a score taken back. docs/records.md describes the text.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from yacht.engine import dice
from yacht.engine.game import MOST_SEATS, Event, Game, Rolled, Score, UndoScore, replay
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import RULESETS, Ruleset

_FIRST_LINE = "yacht 1"
_UNDO = "undo"
_DIE = re.compile(r"\(([0-9])\)|([0-9])")
_ROLL = re.compile(r"(?:\([0-9]\)|[0-9])+")
_WORD = re.compile(r"[a-z_]+")
LEVELS: tuple[str, ...] = ("exact", "strong", "steady", "easy")
"""The computer players that a record may name, the strongest first."""
_LEVEL = re.compile("|".join(LEVELS))
_HEX_32 = re.compile(r"[0-9a-f]{64}")
_SEAT = re.compile(
    r'("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u(?!d[89a-f])[0-9a-f]{4}))*")'
    r"(?: ((?:[0-9a-f]{2}){1,32}))?"
)


@dataclass(frozen=True, slots=True)
class Record:
    """A game to keep: who played, the seal, every event; the seed (32 bytes) once it is over.

    ``computers`` has the level that played each seat, "" for a person, or is empty.
    """

    ruleset: Ruleset
    names: tuple[str, ...]
    seat_bytes: tuple[bytes, ...]
    fingerprint: str
    events: tuple[Event, ...] = ()
    seed: bytes | None = None
    computers: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        """The game its events make. Raises IllegalMove if they don't make one."""
        return replay(Game.new(self.ruleset, len(self.names)), self.events)


def encode(event: Event) -> str:
    """The token of an event."""
    match event:
        case Rolled(kept, faces):
            return "".join(
                f"({face})" if position in kept else str(face)
                for position, face in enumerate(faces)
            )
        case Score(category):
            return category
        case UndoScore():
            return _UNDO


def decode(token: str) -> Event:
    """The event of a token. Raises IllegalMove(BAD_TOKEN) if it has no event's form."""
    if token == _UNDO:
        return UndoScore()
    if _ROLL.fullmatch(token):
        found = _DIE.findall(token)
        kept = frozenset(position for position, (held, _) in enumerate(found) if held)
        return Rolled(kept, tuple(int(held or free) for held, free in found))
    if _WORD.fullmatch(token):
        return Score(token)
    raise IllegalMove(Reason.BAD_TOKEN, value=token)


def encode_record(record: Record) -> str:
    """The text of a record; ``decode_record`` gives the record back."""
    lines = [
        _FIRST_LINE,
        f"ruleset: {record.ruleset.key}",
        f"fingerprint: {record.fingerprint}",
        *(
            f"seat {seat}: {json.dumps(name, ensure_ascii=False)} {added.hex()}".rstrip()
            for seat, (name, added) in enumerate(
                zip(record.names, record.seat_bytes, strict=True), 1
            )
        ),
        *(f"computer {seat}: {level}" for seat, level in enumerate(record.computers, 1) if level),
    ]
    if record.seed is not None:
        lines.append(f"seed: {record.seed.hex()}")
    return "\n".join([*lines, "", *turn_lines(record), ""])


def turn_lines(record: Record) -> Iterator[str]:
    """One line a turn: ``TURN.SEAT``, both from 1, then its tokens, scores with their points."""
    game = Game.new(record.ruleset, len(record.names))
    line: list[str] = []
    for event in record.events:
        if isinstance(event, Rolled) and not game.dice:
            if line:
                yield " ".join(line)
            line = [_label(game)]
        after = game.play(event)
        line.append(_written(event, game))
        game = after
    if line:
        yield " ".join(line)


def decode_record(text: str | bytes) -> Record:
    """The record of a text or a file's bytes, every event replayed, every score counted again.

    Raises IllegalMove naming the first line that is wrong; whether the dice are those of the seal
    is for :func:`verify`.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            raise IllegalMove(Reason.NOT_A_RECORD) from None
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines or lines[0][1] != _FIRST_LINE:
        raise IllegalMove(Reason.NOT_A_RECORD)
    head = _head((number, line) for number, line in lines[1:] if not line[0].isdigit())
    turns = [(number, line) for number, line in lines[1:] if line[0].isdigit()]
    record = replace(head, events=tuple(_events(head.game, turns)))
    if record.seed is not None and not (game := record.game).is_over:  # its last lines are cut off
        line = lines[-1][0] + 1
        raise IllegalMove(Reason.CUT_OFF, line=line, right=_label(game))
    return record


def verify(record: Record) -> None:
    """Derive every throw from the seed again. Raises IllegalMove naming the first that differs."""
    if record.seed is None:
        if record.game.is_over:
            raise IllegalMove(Reason.MISSING_TAG, value="seed")
        raise IllegalMove(Reason.STILL_SEALED)
    if dice.fingerprint(record.seed) != record.fingerprint:
        raise IllegalMove(Reason.WRONG_FINGERPRINT, value=record.fingerprint)
    key = dice.dice_key(record.seed, record.seat_bytes)
    game = Game.new(record.ruleset, len(record.names))
    for event in record.events:
        after = game.play(event)
        if isinstance(event, Rolled):
            thrown = dice.throw(key, game.seat, game.turn, game.rolls_used, record.ruleset)
            for position, face in enumerate(thrown):
                if position not in event.kept and event.dice[position] != face:
                    raise IllegalMove(
                        Reason.WRONG_THROW,
                        turn=game.turn + 1,
                        seat=game.seat + 1,
                        roll=game.rolls_used + 1,
                        value=encode(event),
                        thrown=encode(Rolled(frozenset(), thrown)),
                    )
        game = after


def _head(lines: Iterable[tuple[int, str]]) -> Record:
    """The record of the tags alone, without events."""
    tags: dict[str, tuple[int, str]] = {}
    for number, line in lines:
        tag, colon, value = line.partition(": ")
        if not colon or tag in tags:
            raise IllegalMove(Reason.BAD_TAG, line=number, value=line)
        tags[tag] = (number, value)

    def take(tag: str, form: re.Pattern[str]) -> re.Match[str]:
        if tag not in tags:
            raise IllegalMove(Reason.MISSING_TAG, value=tag)
        number, value = tags.pop(tag)
        if match := form.fullmatch(value):
            return match
        raise IllegalMove(Reason.BAD_TAG, line=number, value=f"{tag}: {value}")

    line, _ = tags.get("ruleset", (0, ""))
    ruleset = take("ruleset", _WORD)[0]
    if ruleset not in RULESETS:
        raise IllegalMove(Reason.UNKNOWN_RULESET, line=line, value=ruleset)
    fingerprint = take("fingerprint", _HEX_32)[0]
    seats = [take("seat 1", _SEAT)]
    while (tag := f"seat {len(seats) + 1}") in tags and len(seats) < MOST_SEATS:
        seats.append(take(tag, _SEAT))
    levels = [
        take(tag, _LEVEL)[0] if (tag := f"computer {seat}") in tags else ""
        for seat in range(1, len(seats) + 1)
    ]
    seed = bytes.fromhex(take("seed", _HEX_32)[0]) if "seed" in tags else None
    for tag, (number, value) in tags.items():
        raise IllegalMove(Reason.BAD_TAG, line=number, value=f"{tag}: {value}")
    return Record(
        RULESETS[ruleset],
        tuple(str(json.loads(seat[1])) for seat in seats),
        tuple(bytes.fromhex(seat[2] or "") for seat in seats),
        fingerprint,
        seed=seed,
        computers=tuple(levels) if any(levels) else (),
    )


def _events(game: Game, turns: Iterable[tuple[int, str]]) -> Iterator[Event]:
    """The events of the turn lines, each replayed, labels and points compared."""
    for number, line in turns:
        label, *tokens = line.split()
        if label != _label(game):
            raise IllegalMove(Reason.WRONG_LABEL, line=number, value=label, right=_label(game))
        for token in tokens:
            try:
                event = decode(token.partition("=")[0])
                after = game.play(event)
            except IllegalMove as illegal:
                raise IllegalMove(illegal.reason, line=number, **illegal.values) from None
            if token != (right := _written(event, game)):
                raise IllegalMove(Reason.WRONG_POINTS, line=number, value=token, right=right)
            yield event
            game = after


def _label(game: Game) -> str:
    return f"{game.turn + 1}.{game.seat + 1}"


def _written(event: Event, game: Game) -> str:
    """The token as the text has it: a score with the points it gives in this game."""
    if not isinstance(event, Score):
        return encode(event)
    place = game.ruleset.index(event.category)
    return f"{event.category}={game.ruleset.categories[place].score(game.dice)}"
