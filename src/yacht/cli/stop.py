"""How a command ends early, and how a refusal is said."""

from yacht import refusals
from yacht.cli.plain import short
from yacht.cli.spoken import LANGUAGE
from yacht.engine.reasons import IllegalMove


class Stop(Exception):
    """One sentence for a person, already translated, and the exit status."""

    def __init__(self, sentence: str, status: int = 1) -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


def refusal(illegal: IllegalMove) -> str:
    """Why something was refused, with no value so long that the sentence is lost in it."""
    values = {
        name: short(value) if isinstance(value, str) else value
        for name, value in illegal.values.items()
    }
    return refusals.reason(IllegalMove(illegal.reason, **values), LANGUAGE)
