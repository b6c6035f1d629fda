"""What the page and the terminal both say: names of boxes, reasons, the status message."""

from collections.abc import Iterable, Sequence

from yacht.i18n import N_, Language
from yacht.rooms.options import CLOCKS, DAY
from yacht.rooms.room import STAND_IN
from yacht.sheetview import SheetView
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

_HOUR = 3600

_LEVELS = {
    "exact": N_("Exact computer"),
    "strong": N_("Strong computer"),
    "steady": N_("Steady computer"),
    "easy": N_("Easy computer"),
}

SOUND = N_("Every roll is the sealed one, and every score is right.")

_SCORED = {
    "scored": N_("{name} wrote {points} in {box}."),
    "skipped": N_("{name} was skipped: {points} in {box}."),
    "timed_out": N_("{name}’s time ran out: {points} in {box}."),
}
_DONE = {
    "undone": N_("{name} took the score back."),
    "joined": N_("{name} sits down."),
    "left": N_("A seat is empty again."),
    "begun": N_("The game begins."),
    "stood_in": N_("A computer plays for {name} now."),
    "back": N_("{name} is back."),
}


def listed(items: Iterable[object], language: Language) -> str:
    """Things one after another: “2, 6, 1”."""
    return language(", ").join(map(str, items))


def rolls_left(n: int, language: Language) -> str:
    return language.plural("{n} roll left", "{n} rolls left", n)


def points(n: int, language: Language) -> str:
    return language.plural("{n} point", "{n} points", n)


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
    taken = len(seen.seats)
    if taken == friends.places:
        return language("Ready to begin: {n} of {places} seats taken", n=taken, places=taken)
    return language(
        "Waiting for friends: {n} of {places} seats taken", n=taken, places=friends.places
    )


def clock(seconds: int, language: Language) -> str:
    """What a turn clock gives."""
    if not seconds:
        return language("No clock")
    if seconds >= DAY:
        return language.plural("{n} day a turn", "{n} days a turn", seconds // DAY)
    return language.plural("{n} second a decision", "{n} seconds a decision", seconds)


def left(seconds: float, language: Language) -> str:
    """How much time a turn still has, the way a clock shows it or in days and hours."""
    whole = max(0, int(seconds))
    if whole >= DAY:
        return language.plural("{n} day left", "{n} days left", whole // DAY)
    if whole >= _HOUR:
        return language.plural("{n} hour left", "{n} hours left", whole // _HOUR)
    return f"{whole // 60}:{whole % 60:02}"


def spans(language: Language) -> list[tuple[int, list[str]]]:
    """What ``left`` says in words: for these seconds, what it says of one, two and more of them."""
    most = {DAY: max(CLOCKS) // DAY, _HOUR: DAY // _HOUR - 1}
    return [(span, [left(n * span, language) for n in range(1, most[span] + 1)]) for span in most]


def say(seen: GameView, language: Language) -> str:
    """What just happened, in the one message that a screen reader speaks."""
    said = _happened(seen, language)
    if seen.friends and not seen.friends.begun:
        return f"{said} {language('{what}.', what=lobby(seen, language))}"
    if seen.over:
        return f"{said} {outcome(seen, language)}"
    return f"{said} {_next(seen, language)}"


def outcome(seen: GameView | SheetView, language: Language) -> str:
    """Who won, or the total of a game alone."""
    total = points(max(seat.total for seat in seen.seats), language)
    if len(seen.seats) == 1:
        return language("The game is over: {points}.", points=total)
    names = listed((seen.seats[seat].name for seat in seen.winners), language)
    if len(seen.winners) > 1:
        return language("A tie. Winners: {names}, {points} each.", names=names, points=total)
    return language("Winner: {name}, {points}.", name=names, points=total)


def plays_again(seen: GameView, language: Language) -> str:
    """Who of the friends has begun the next game; nothing before."""
    if seen.last.what != "again" or seen.last.seat is None:
        return ""
    return language("{name} plays again", name=seen.seats[seen.last.seat].name)


def helping(seen: GameView, language: Language) -> str:
    """What the two buttons do that help out somebody away."""
    skips = language(
        "Skip this turn: the dice are rolled once if they haven’t been yet, and scored where "
        "they give most."
    )
    plays = language(
        "Let a computer play: it plays until {name} is back. {level}.",
        name=seen.seats[seen.seat].name,
        level=level(STAND_IN, language),
    )
    return f"{skips} {plays}"


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


def sheet(seen: SheetView, language: Language) -> str:
    """How far a scorecard of real dice is: whose turn it is, or who won."""
    if seen.over:
        return outcome(seen, language)
    return language("Turn: {name}", name=seen.seats[seen.seat].name)


def sheet_said(seen: SheetView, language: Language) -> str:
    """A scorecard for those who hear it: the totals, then how far it is."""
    totals = [
        language("{name}: {points}", name=seat.name, points=points(seat.total, language))
        for seat in seen.seats
    ]
    so_far = sheet(seen, language)
    ending = so_far if seen.over else language("{what}.", what=so_far)
    return f"{language('{what}.', what=listed(totals, language))} {ending}"


def _happened(seen: GameView, language: Language) -> str:  # noqa: PLR0911 (one or two a case)
    last = seen.last
    name = "" if last.seat is None else seen.seats[last.seat].name
    match last.what:
        case "rolled":
            rolled = language("{name} rolled {dice}.", name=name, dice=listed(seen.dice, language))
            if not seen.kept:
                return rolled
            held = _faces(seen.kept, seen.dice, language)
            return f"{rolled} {language('Held: {dice}.', dice=held)}"
        case "scored" | "skipped" | "timed_out":
            return language(
                _SCORED[last.what],
                name=name,
                points=points(last.points or 0, language),
                box=box(last.box or "", language),
            )
        case "taken" if seen.friends:
            return language("{name} goes on in another browser.", name=name)
        case "undone" | "joined" | "left" | "begun" | "stood_in" | "back":
            return language(_DONE[last.what], name=name)
        case "again":
            return language("{what}.", what=plays_again(seen, language))
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
