"""Why something is refused: one exception, one closed list of reasons."""

from enum import StrEnum


class Reason(StrEnum):
    """Each value is a stable key: translated in one table, mapped to an HTTP status in one."""

    # dice
    DICE_NOT_A_LIST = "dice_not_a_list"
    WRONG_DICE_COUNT = "wrong_dice_count"
    FACE_OUT_OF_RANGE = "face_out_of_range"
    FACE_IS_BOOLEAN = "face_is_boolean"
    FACE_IS_FRACTION = "face_is_fraction"
    FACE_IS_TEXT = "face_is_text"
    FACE_NOT_A_NUMBER = "face_not_a_number"
    # rules
    UNKNOWN_RULESET = "unknown_ruleset"
    UNKNOWN_CATEGORY = "unknown_category"
    SEAT_COUNT = "seat_count"
    UNKNOWN_LEVEL = "unknown_level"
    LEVEL_COUNT = "level_count"
    NO_PERSON = "no_person"
    # moves
    GAME_OVER = "game_over"
    NOT_ROLLED = "not_rolled"
    NO_ROLLS_LEFT = "no_rolls_left"
    NOTHING_TO_KEEP = "nothing_to_keep"
    ALL_KEPT = "all_kept"
    NO_SUCH_DIE = "no_such_die"
    KEPT_DIE_CHANGED = "kept_die_changed"
    NO_BOX_CHOSEN = "no_box_chosen"
    BOX_FILLED = "box_filled"
    NOTHING_TO_UNDO = "nothing_to_undo"
    # positions to think about
    BAD_ROLLS_LEFT = "bad_rolls_left"
    BOX_TWICE = "box_twice"
    BAD_POINTS = "bad_points"
    ALL_FILLED = "all_filled"
    BAD_TARGET = "bad_target"
    TARGET_TOO_FAR = "target_too_far"
    # seals and records
    TOO_MANY_BYTES = "too_many_bytes"
    NOT_A_RECORD = "not_a_record"
    BAD_TAG = "bad_tag"
    MISSING_TAG = "missing_tag"
    BAD_TOKEN = "bad_token"  # noqa: S105 (a translation key)
    WRONG_LABEL = "wrong_label"
    CUT_OFF = "cut_off"
    WRONG_POINTS = "wrong_points"
    STILL_SEALED = "still_sealed"
    WRONG_FINGERPRINT = "wrong_fingerprint"
    WRONG_THROW = "wrong_throw"
    # rooms
    NO_SUCH_ROOM = "no_such_room"
    UNREADABLE = "unreadable"
    NOT_YOURS = "not_yours"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_BEGUN = "not_begun"
    ALREADY_BEGUN = "already_begun"
    SEATS_FIXED = "seats_fixed"
    ROOM_FULL = "room_full"
    NAME_TAKEN = "name_taken"
    TOO_FEW = "too_few"
    LAST_PERSON = "last_person"
    NOT_AWAY = "not_away"
    NO_HINTS = "no_hints"
    BAD_PLACES = "bad_places"
    BAD_CLOCK = "bad_clock"
    BAD_SEAT = "bad_seat"
    ONE_DEVICE = "one_device"
    OF_FRIENDS = "of_friends"
    COMPUTERS_SEAT = "computers_seat"
    LINK_USED = "link_used"
    NOT_OVER = "not_over"
    STALE = "stale"
    TOO_LONG = "too_long"
    WRONG_SEATS = "wrong_seats"
    SEALED = "sealed"
    SEAL_APART = "seal_apart"
    BAD_NAME = "bad_name"
    # scorecards of real dice
    NO_SUCH_SHEET = "no_such_sheet"


class IllegalMove(ValueError):
    """A move, dice or a record that the rules refuse.

    Attributes:
        reason: which rule, as a :class:`Reason`.
        values: what it is about, by name; e.g. ``{"value": 7, "faces": 6}``.
    """

    def __init__(self, reason: Reason, **values: object) -> None:
        super().__init__(reason, values)
        self.reason = reason
        self.values = values

    def __str__(self) -> str:
        about = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"{self.reason.value}: {about}" if about else self.reason.value
