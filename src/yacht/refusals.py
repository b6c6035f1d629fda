"""Why something was refused, as a sentence for each reason."""

from yacht import words
from yacht.engine.reasons import IllegalMove, Reason
from yacht.i18n import N_, Language

_QUOTED = 80

REASONS = {
    Reason.DICE_NOT_A_LIST: N_("“{value}” isn’t a list of dice. Give the faces one by one."),
    Reason.WRONG_DICE_COUNT: N_("Yacht needs {dice} dice, not {value}."),
    Reason.FACE_OUT_OF_RANGE: N_("“{value}” isn’t a face. Faces are 1 to {faces}."),
    Reason.FACE_IS_BOOLEAN: N_("A face is a whole number from 1 to {faces}, not “{value}”."),
    Reason.FACE_IS_FRACTION: N_("A face is a whole number, and “{value}” has a decimal point."),
    Reason.FACE_IS_TEXT: N_("A face is a number from 1 to {faces}, not the text “{value}”."),
    Reason.FACE_NOT_A_NUMBER: N_("A face is a number from 1 to {faces}, and “{value}” isn’t one."),
    Reason.UNKNOWN_RULESET: N_("There is no ruleset “{value}”. Choose classic or sum."),
    Reason.UNKNOWN_CATEGORY: N_("There is no box “{category}” on the card."),
    Reason.SEAT_COUNT: N_("A game has 1 to {most} players, not {value}."),
    Reason.UNKNOWN_LEVEL: N_(
        "There is no computer “{value}”. Choose exact, strong, steady or easy."
    ),
    Reason.LEVEL_COUNT: N_("The computers are given for {value} seats, but there are {seats}."),
    Reason.NO_PERSON: N_("Computers don’t play by themselves: at least one player is a person."),
    Reason.GAME_OVER: N_("The game is over. You can play again."),
    Reason.NOT_ROLLED: N_("Roll the dice first."),
    Reason.NO_ROLLS_LEFT: N_("No rolls are left. Choose a box for these dice."),
    Reason.NOTHING_TO_KEEP: N_("There are no dice to hold yet. Roll all of them."),
    Reason.ALL_KEPT: N_("All five dice are held. Release one to roll, or choose a box."),
    Reason.NO_SUCH_DIE: N_("There is no die “{value}”."),
    Reason.KEPT_DIE_CHANGED: N_("Die {position} was held, so its face can’t change."),
    Reason.NO_BOX_CHOSEN: N_("Choose an open box first, then score."),
    Reason.BOX_FILLED: N_("{box} is filled already. Choose an open box."),
    Reason.NOTHING_TO_UNDO: N_("There is no score to take back: dice were rolled since."),
    Reason.BAD_ROLLS_LEFT: N_("The number of rolls left must be from 0 to {most}, not “{value}”."),
    Reason.BOX_TWICE: N_("{box} is named twice."),
    Reason.BAD_POINTS: N_("{box} can’t give “{value}”."),
    Reason.ALL_FILLED: N_("Every box is filled, so there is nothing to decide."),
    Reason.BAD_TARGET: N_("A target is a number of points, such as 200, not “{value}”."),
    Reason.TARGET_TOO_FAR: N_(
        "{value} boxes are open. A target can be asked for here once {most} or fewer are."
    ),
    Reason.TOO_MANY_BYTES: N_("A seat adds at most {most} bytes to the seal, not {value}."),
    Reason.NOT_A_RECORD: N_("This isn’t a record of a game: its first line must be “yacht 1”."),
    Reason.BAD_TAG: N_("“{value}” isn’t allowed here in a record."),
    Reason.MISSING_TAG: N_("The record has no “{value}”."),
    Reason.BAD_TOKEN: N_("“{value}” is neither a roll nor a score."),
    Reason.WRONG_LABEL: N_("Expected turn {right} here, not “{value}”."),
    Reason.CUT_OFF: N_(
        "Turn {right} and everything after it are missing; a record with a seed must be complete."
    ),
    Reason.WRONG_POINTS: N_("“{value}” should be “{right}”."),
    Reason.STILL_SEALED: N_("The dice are still sealed: the record gets its seed at the end."),
    Reason.WRONG_FINGERPRINT: N_("The seed doesn’t have the fingerprint {value}."),
    Reason.WRONG_THROW: N_(
        "Turn {turn} of seat {seat}, roll {roll}: the record has {value}, the seed gives {thrown}."
    ),
    Reason.NO_SUCH_ROOM: N_("There is no such game. It may have been deleted."),
    Reason.UNREADABLE: N_("This game can’t be read: what the server kept of it is damaged."),
    Reason.LINK_USED: N_("This link has been used: the game goes on in another browser."),
    Reason.NOT_YOURS: N_("This game belongs to another browser; here you can watch it."),
    Reason.NOT_YOUR_TURN: N_("It isn’t your turn: {name} is playing."),
    Reason.NOT_BEGUN: N_("The game hasn’t begun yet. It can begin once two seats are taken."),
    Reason.ALREADY_BEGUN: N_("The game has begun without you. You can watch it."),
    Reason.SEATS_FIXED: N_("The game has begun: its seats stay as they are."),
    Reason.NAME_TAKEN: N_("There is already a “{value}” here. Choose a different name."),
    Reason.ROOM_FULL: N_("All seats are taken. You can watch the game."),
    Reason.TOO_FEW: N_(
        "A game among friends needs at least two players. Send the link, or add a computer."
    ),
    Reason.LAST_PERSON: N_(
        "You are the only one here. Leave the page; the room is removed automatically."
    ),
    Reason.NOT_AWAY: N_("A turn can be taken over once its player has been away for two minutes."),
    Reason.NO_HINTS: N_("This game is played without hints; that was agreed at its start."),
    Reason.BAD_PLACES: N_("A room has 2 to {most} seats, not {value}."),
    Reason.BAD_CLOCK: N_(
        "A turn clock gives 30, 60 or 90 seconds, or 1, 2, 3, 5 or 7 days; 0 means no clock. "
        "“{value}” isn’t one of them."
    ),
    Reason.BAD_SEAT: N_("There is no seat “{value}”."),
    Reason.ONE_DEVICE: N_("This game is played on one device; its seats are fixed."),
    Reason.OF_FRIENDS: N_(
        "This game belongs to all who play in it, so none of them can delete it. It is "
        "removed automatically."
    ),
    Reason.COMPUTERS_SEAT: N_("A computer plays here: its turn and its scores are its own."),
    Reason.STALE: N_("The game had already gone on. This is where it is now."),
    Reason.TOO_LONG: N_("This room’s history is too long for that. You can still finish the game."),
    Reason.WRONG_SEATS: N_("The seal needs bytes for {seats} seats, not {value}."),
    Reason.SEALED: N_("The seal is closed to other bytes: those that came first count."),
    Reason.SEAL_APART: N_(
        "In a room of friends, each player adds bytes to the seal separately, not with a roll."
    ),
    Reason.NOT_OVER: N_("The game isn’t over yet."),
    Reason.BAD_NAME: N_("“{value}” can’t be a name. Use 1 to {most} letters, digits or symbols."),
    Reason.NO_SUCH_SHEET: N_("There is no such scorecard. It may no longer be shown."),
}

_OF_BOXES = {Reason.BOX_FILLED, Reason.BOX_TWICE, Reason.BAD_POINTS}


def reason(illegal: IllegalMove, language: Language) -> str:
    """The sentence that tells a person why something was refused."""
    values = {name: _short(value) for name, value in illegal.values.items()}
    if illegal.reason in _OF_BOXES:
        values["box"] = words.box(str(values["category"]), language)
    sentence = language(REASONS[illegal.reason], **values)
    if "line" in values:
        return language("Line {line}: {sentence}", line=values["line"], sentence=sentence)
    return sentence


def _short(value: object) -> object:
    """The value, a text cut to what a sentence can quote."""
    if isinstance(value, str) and len(value) > _QUOTED:
        return f"{value[:_QUOTED]}…"
    return value
