"""What the page and the terminal both say: names of boxes, reasons, the status message."""

from collections.abc import Iterable, Sequence

from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import RULESETS as RULES
from yacht.engine.rules import score
from yacht.i18n import N_, Language
from yacht.strategy.levels import AVERAGES
from yacht.view import GameView, RollView

BOXES = {
    "ones": N_("Ones"),
    "twos": N_("Twos"),
    "threes": N_("Threes"),
    "fours": N_("Fours"),
    "fives": N_("Fives"),
    "sixes": N_("Sixes"),
    "full_house": N_("Full House"),
    "four_of_a_kind": N_("Four of a Kind"),
    "little_straight": N_("Little Straight"),
    "big_straight": N_("Big Straight"),
    "choice": N_("Choice"),
    "yacht": N_("Yacht"),
}

_QUOTED = 80
_HOUR, _DAY = 3600, 86_400

RULESETS = {"classic": N_("Classic"), "sum": N_("Sum")}

_DIFFERENCE = {
    "classic": N_("Four of a Kind counts four times the face: 4-4-4-4-1 gives {n}."),
    "sum": N_("Four of a Kind counts all five dice: 4-4-4-4-1 gives {n}."),
}

_LEVELS = {
    "exact": N_("Exact computer"),
    "strong": N_("Strong computer"),
    "steady": N_("Steady computer"),
    "easy": N_("Easy computer"),
}

SOUND = N_("Every throw is the sealed one, and every score is right.")

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
    Reason.LEVEL_COUNT: N_("The computers are given for {value} seats, and there are {seats}."),
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
    Reason.BAD_ROLLS_LEFT: N_("Rolls left are 0 to {most}, not “{value}”."),
    Reason.BOX_TWICE: N_("{box} is named twice."),
    Reason.BAD_POINTS: N_("{box} can’t give “{value}”."),
    Reason.ALL_FILLED: N_("Every box is filled, so there is nothing to decide."),
    Reason.BAD_TARGET: N_("A target is a number of points, such as 200, not “{value}”."),
    Reason.TARGET_TOO_FAR: N_(
        "{value} boxes are open. A target can be asked for here once {most} or fewer are."
    ),
    Reason.TOO_MANY_BYTES: N_("A seat adds at most {most} bytes to the seal, not {value}."),
    Reason.NOT_A_RECORD: N_("This isn’t a record of a game: its first line must be “yacht 1”."),
    Reason.BAD_TAG: N_("“{value}” can’t stand here in a record."),
    Reason.MISSING_TAG: N_("The record has no “{value}”."),
    Reason.BAD_TOKEN: N_("“{value}” is neither a roll nor a score."),
    Reason.WRONG_LABEL: N_("Here comes turn {right}, not “{value}”."),
    Reason.CUT_OFF: N_("Turn {right} and what follows is missing; a record with a seed is whole."),
    Reason.WRONG_POINTS: N_("“{value}” should be “{right}”."),
    Reason.STILL_SEALED: N_("The dice are still sealed: the record gets its seed at the end."),
    Reason.WRONG_FINGERPRINT: N_("The seed doesn’t have the fingerprint {value}."),
    Reason.WRONG_THROW: N_(
        "Turn {turn} of seat {seat}, roll {roll}: the record has {value}, the seed threw {thrown}."
    ),
    Reason.NO_SUCH_ROOM: N_("There is no such game. It may have been deleted."),
    Reason.UNREADABLE: N_("This game can’t be read: what the server kept of it is damaged."),
    Reason.LINK_USED: N_("This link has been used: the game goes on in another browser."),
    Reason.NOT_YOURS: N_("This game belongs to another browser; here you can watch it."),
    Reason.NOT_YOUR_TURN: N_("It isn’t your turn: {name} is playing."),
    Reason.NOT_BEGUN: N_("The game hasn’t begun yet. It can once two seats are taken."),
    Reason.ALREADY_BEGUN: N_("The game has begun without you. You can watch it."),
    Reason.ROOM_FULL: N_("All seats are taken. You can watch the game."),
    Reason.TOO_FEW: N_(
        "A game of friends needs two seats taken. Send the link, or add a computer."
    ),
    Reason.LAST_PERSON: N_("You are the only one here. Leave the page; the room goes by itself."),
    Reason.NOT_AWAY: N_("A turn can be taken over once its player has been away for two minutes."),
    Reason.NO_HINTS: N_("This game is played without hints; that was agreed at its start."),
    Reason.BAD_PLACES: N_("A room has 2 to {most} seats, not {value}."),
    Reason.BAD_CLOCK: N_(
        "A turn clock gives 30, 60 or 90 seconds, or 1, 2, 3, 5 or 7 days; 0 is none. "
        "“{value}” isn’t one of them."
    ),
    Reason.BAD_SEAT: N_("There is no seat “{value}”."),
    Reason.ONE_DEVICE: N_("This game is played on one device; its seats are fixed."),
    Reason.COMPUTERS_SEAT: N_("A computer plays here: its turn and its scores are its own."),
    Reason.STALE: N_("The game had already gone on. This is where it is now."),
    Reason.WRONG_SEATS: N_("The seal needs bytes for {seats} seats, not {value}."),
    Reason.NOT_OVER: N_("The game isn’t over yet."),
    Reason.BAD_NAME: N_("“{value}” can’t be a name. Use 1 to {most} letters, digits or signs."),
}

_DONE = {
    "undone": N_("{name} took the score back."),
    "joined": N_("{name} sits down."),
    "left": N_("A seat is empty again."),
    "begun": N_("The game begins."),
    "stood_in": N_("A computer plays for {name} now."),
    "back": N_("{name} is back."),
}

_OF_BOXES = {Reason.BOX_FILLED, Reason.BOX_TWICE, Reason.BAD_POINTS}


def reason(illegal: IllegalMove, language: Language) -> str:
    """The sentence that tells a person why something was refused."""
    values = {name: short(value) for name, value in illegal.values.items()}
    if illegal.reason in _OF_BOXES:
        values["box"] = box(str(values["category"]), language)
    sentence = language(REASONS[illegal.reason], **values)
    if "line" in values:
        return language("Line {line}: {sentence}", line=values["line"], sentence=sentence)
    return sentence


def short(value: object) -> object:
    """The value, a text cut to what a sentence can quote."""
    if isinstance(value, str) and len(value) > _QUOTED:
        return f"{value[:_QUOTED]}…"
    return value


def listed(items: Iterable[object], language: Language) -> str:
    """Things one after another: “2, 6, 1”."""
    return language(", ").join(map(str, items))


def rolls_left(n: int, language: Language) -> str:
    return language.plural("{n} roll left", "{n} rolls left", n)


def points(n: int, language: Language) -> str:
    return language.plural("{n} point", "{n} points", n)


def difference(ruleset: str, language: Language) -> str:
    """What sets a ruleset apart, in a sentence with an example."""
    given = score((4, 4, 4, 4, 1), "four_of_a_kind", RULES[ruleset])
    return language(_DIFFERENCE[ruleset], n=given)


def box(key: str, language: Language) -> str:
    return language(BOXES[key])


def level(key: str, language: Language) -> str:
    """How well a computer plays: “Strong computer, 155 on average”."""
    return language("{level}, {n} on average", level=language(_LEVELS[key]), n=AVERAGES[key])


def computer(place: int, computers: int, language: Language) -> str:
    """The name of a computer that was given none, at its place, from 1, among such computers."""
    return language("Computer {n}", n=place) if computers > 1 else language("Computer")


def computers(most: int, language: Language) -> set[str]:
    """All names that ``computer`` gives."""
    return {computer(1, 1, language), *(computer(n, most, language) for n in range(1, most + 1))}


def choose(key: str, given: int, language: Language) -> str:
    """What choosing an open box does: “Score 16 in Fours”."""
    return language("Score {n} in {box}", n=given, box=box(key, language))


def held(dice: Sequence[int]) -> str:
    """Dice as one writes those that are held: “2-2-4”."""
    return "-".join(map(str, dice))


def die(position: int, face: int, language: Language) -> str:
    return language("Die {n}: {face}", n=position + 1, face=face)


def roll(rolled: RollView, language: Language) -> str:
    """A roll for those who hear it: its faces, then the ones that were held."""
    faces = listed(rolled.dice, language)
    if not rolled.kept:
        return language("rolled {dice}", dice=faces)
    held = _faces(rolled.kept, rolled.dice, language)
    return language("rolled {dice}, held {held}", dice=faces, held=held)


def lobby(seen: GameView, language: Language) -> str:
    """How far a room of friends is: “Waiting for friends: 1 of 4 seats taken”."""
    friends = seen.friends
    if friends is None:
        raise ValueError(seen.room)
    return language(
        "Waiting for friends: {n} of {places} seats taken", n=len(seen.seats), places=friends.places
    )


def clock(seconds: int, language: Language) -> str:
    """What a turn clock gives."""
    if not seconds:
        return language("No clock")
    if seconds >= _DAY:
        return language.plural("{n} day a turn", "{n} days a turn", seconds // _DAY)
    return language.plural("{n} second a decision", "{n} seconds a decision", seconds)


def left(seconds: float, language: Language) -> str:
    """How much time a turn still has, the way a clock shows it or in days and hours."""
    whole = max(0, int(seconds))
    if whole >= _DAY:
        return language.plural("{n} day left", "{n} days left", whole // _DAY)
    if whole >= _HOUR:
        return language.plural("{n} hour left", "{n} hours left", whole // _HOUR)
    return f"{whole // 60}:{whole % 60:02}"


def say(seen: GameView, language: Language) -> str:
    """What just happened, in the one message that a screen reader speaks."""
    said = _happened(seen, language)
    if seen.friends and not seen.friends.begun:
        return f"{said} {language('{what}.', what=lobby(seen, language))}"
    if seen.over:
        return f"{said} {outcome(seen, language)}"
    return f"{said} {_next(seen, language)}"


def outcome(seen: GameView, language: Language) -> str:
    """Who won, or the total of a game alone."""
    total = points(max(seat.total for seat in seen.seats), language)
    if len(seen.seats) == 1:
        return language("The game is over: {points}.", points=total)
    names = listed((seen.seats[seat].name for seat in seen.winners), language)
    if len(seen.winners) > 1:
        return language("A tie. Winners: {names}, {points} each.", names=names, points=total)
    return language("Winner: {name}, {points}.", name=names, points=total)


def turn_of(seen: GameView, language: Language) -> str:  # noqa: PLR0911 (a line or two a case)
    """Whose turn it is, and that the device goes on when several people share it."""
    seat = seen.seats[seen.seat]
    name = seat.name
    if seen.friends and seen.may_act:
        return language("Your turn")
    if seat.stand_in and not seen.over:
        return language("A computer plays for {name}", name=name)
    if seat.away:
        return language("Away: {names}", names=name)
    if len(seen.seats) > 1 and seen.turn == seen.seat == seen.rolls_used == 0:
        return language("{name} starts", name=name)
    if seat.computer and not seen.over:
        return language("{name} is playing", name=name)
    people = [seat for seat in seen.seats if not seat.computer]
    if seen.may_act and not seen.friends and len(people) > 1 and not seen.rolls_used:
        return language("Pass the device to {name}", name=name)
    return language("Turn: {name}", name=name)


def _happened(seen: GameView, language: Language) -> str:
    last = seen.last
    name = seen.seats[last.seat].name
    match last.what:
        case "rolled":
            rolled = language("{name} rolled {dice}.", name=name, dice=listed(seen.dice, language))
            if not seen.kept:
                return rolled
            held = _faces(seen.kept, seen.dice, language)
            return f"{rolled} {language('Held: {dice}.', dice=held)}"
        case "scored":
            return language(
                "{name} wrote {points} in {box}.",
                name=name,
                points=points(last.points or 0, language),
                box=box(last.box or "", language),
            )
        case "taken" if seen.friends:
            return language("{name} goes on in another browser.", name=name)
        case "undone" | "joined" | "left" | "begun" | "stood_in" | "back":
            return language(_DONE[last.what], name=name)
        case "taken" | "opened":
            moved = N_("The game goes on here."), N_("The game goes on in another browser.")
            sealed = N_("The dice are sealed.")
            return language(sealed if last.what == "opened" else moved[not seen.mine])


def _next(seen: GameView, language: Language) -> str:
    if not seen.rolls_used:
        return language("{what}.", what=turn_of(seen, language))
    if not seen.rolls_left and not seen.seats[seen.seat].computer:
        return language("No rolls left: choose a box.")
    return language("{what}.", what=rolls_left(seen.rolls_left, language))


def _faces(positions: Sequence[int], dice: Sequence[int], language: Language) -> str:
    return listed((dice[position] for position in positions), language)
