"""What can go wrong in a command, each as one sentence and an exit status."""

from yacht.cli.spoken import LANGUAGE
from yacht.cli.stop import Stop, refusal
from yacht.engine.reasons import IllegalMove
from yacht.rooms.store import FolderInUse, NewerSchema, Unavailable, WrongEncoding
from yacht.settings import BadSetting

_ = LANGUAGE


def told(error: Exception) -> tuple[str, int]:
    """The sentence and the exit status of a fault; one that isn't known here is raised again."""
    match error:
        case Stop():
            return error.sentence, error.status
        case BadSetting():
            return _bad_setting(error), 2
        case IllegalMove():
            return refusal(error), 1
        case NewerSchema() | WrongEncoding() | FolderInUse():
            return _of_the_store(error), 1
        case Unavailable():
            return _("The games can’t be read or written: {problem}.", problem=error), 1
        case _:
            raise error


def _bad_setting(bad: BadSetting) -> str:
    return _(
        "{name}: “{value}” can’t be used: {problem}.",
        name=bad.name,
        value=bad.value,
        problem=_(bad.message),
    )


def _of_the_store(fault: NewerSchema | WrongEncoding | FolderInUse) -> str:
    match fault:
        case FolderInUse():
            return _(
                "Another server uses the games in {folder}. Stop it, or choose another folder with "
                "--data.",
                folder=fault,
            )
        case WrongEncoding():
            return _(
                "The database {name} can’t hold every name. Make one whose encoding is UTF8.",
                name=fault,
            )
        case NewerSchema():
            return _(
                "{place} was written by a newer Yacht (its schema is {found}, this one knows "
                "{known}). Install that version, or choose another place with --data or "
                "--database.",
                place=fault.place,
                found=fault.found,
                known=fault.known,
            )
