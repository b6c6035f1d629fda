"""What the scorekeeper's script shows and says. It gets whole sentences and fills in their names.

Numbers stand after a label, so that no sentence depends on them; the rolls left, which do, come
as a list.
"""

from yacht import counting, words
from yacht.engine.rules import RULESETS
from yacht.i18n import N_, Language

_SENTENCES = {
    # players and whose turn it is
    "player": N_("Player {n}"),
    "named": N_("Name of player {n}"),
    "earlier": N_("Move {name} up"),
    "later": N_("Move {name} down"),
    "leave": N_("Remove {name}"),
    "turn": N_("Turn: {name}"),
    # a box of the card, as a control
    "open": N_("{box}, {name}: open"),
    "pencilled": N_("{box}, {name}: open, the dice give {n}"),
    "written": N_("{box}, {name}: {n}"),
    "chosen": N_("{box}, {name}"),
    "score": N_("Score {n} in {box}"),
    "usual": N_("Most common: {n}. A long press on the box enters it."),
    # what just happened
    "wrote": N_("{box}, {name}: {n}."),
    "cleared": N_("{box}, {name}: open again."),
    "next": N_("Turn: {name}."),
    "die": N_("Die {n}: {face}"),
    "dice": N_("Dice: {dice}."),
    "moved": N_("Player {n}: {name}."),
    # the end
    "over": N_("The game is over. Points: {n}."),
    "winner": N_("Winner: {name}. Points: {n}."),
    "tie": N_("A tie. Winners: {names}. Points: {n}."),
    "ranked": N_("{rank}. {name}: {n}"),
    # the coach
    "hold": N_("Hold {dice}"),
    "roll": N_("Roll all five dice"),
    "equal": N_("Just as good: {choice}."),
    "near": N_("Nearly as good: {choice}."),
    "second": N_("Next best: {choice}, {loss} less."),
    "coached": N_("{choice}. Expected total: {n}."),
    # the cards of this device
    "delete": N_("Delete the card of {names}, {date}"),
    "ask_delete": N_("Delete the card of {names}, {date}? It can’t be brought back."),
    "ask_replace": N_(
        "The card of {names}, {date} is on this device already, and differs from the one in the "
        "file. Replace it?"
    ),
    "imported": N_("Cards loaded: {n}."),
    "unkept": N_(
        "This browser doesn’t keep the card: its storage is full or switched off. "
        "Play on, and save the card as a file before you close this page."
    ),
    "no_picture": N_("This browser can’t make the picture."),
    "no_network": N_("The language can be changed once there is a connection."),
    "shared": N_("Yacht, {date}"),
    # what is wrong with a file
    "not_json": N_("This file can’t be read: it isn’t a file of scorecards."),
    "not_cards": N_("This isn’t a file of scorecards."),
    "bad_version": N_("This file has a newer format: {value}."),
    "bad_card": N_("Card {n} of the file isn’t a scorecard."),
    "bad_ruleset": N_("Card {n} of the file has unknown rules: {value}."),
    "bad_names": N_("Card {n} of the file has no list of 1 to {most} names."),
    "bad_name": N_("Card {n} of the file has a name that can’t be used: {value}."),
    "bad_player": N_("Card {n} of the file, entry {entry}: there is no player {value}."),
    "bad_box": N_("Card {n} of the file, entry {entry}: there is no box {value}."),
    "bad_points": N_("Card {n} of the file, entry {entry}: {box} can’t have {value} points."),
    "bad_entry": N_("Card {n} of the file: entry {entry} isn’t valid."),
    "bad_time": N_("Card {n} of the file has no start or end time."),
}

_MOST_ROLLS = max(ruleset.rolls for ruleset in RULESETS.values())


def texts(language: Language) -> dict[str, object]:
    """All of it in this language."""
    return {
        **{key: language.gettext(sentence) for key, sentence in _SENTENCES.items()},
        "comma": language(", "),
        "yacht": language("Yacht"),
        "boxes": {key: words.box(key, language) for key in words.BOXES},
        "rulesets": {key: counting.name(key, language) for key in RULESETS},
        "in_all": language("in all"),
        "dates": language.days(),
        "point": language.decimal(0).strip("0"),
        "left": [words.rolls_left(n, language) for n in range(_MOST_ROLLS)],
    }
