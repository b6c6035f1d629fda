"""How often one address and one identity may post, open games and ask for what takes long."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from enum import Enum
from ipaddress import IPv6Address

_SECOND = 10**9
_MINUTE = 60 * _SECOND
_LONGEST = 64


class Act(Enum):
    """What is counted. The value is the share of an address's posts that may be such an act."""

    POST = 1
    OPENING = 40
    """A new game or room, which is kept."""
    SHOWING = 400
    """A scorecard that is shown from now on: a table does so once an evening."""
    QUESTION = 10
    """What is worked out in a thread of ``web/aside.py``."""


class Bucket:
    """So many acts a minute for each key, at once or spread; what is used up comes back evenly.

    Only the ``most_keys`` that acted last are known. All times are in nanoseconds.
    """

    def __init__(self, a_minute: int, most_keys: int = 10_000) -> None:
        self._span = _MINUTE // a_minute
        self._most_keys = most_keys
        self._whole_at = OrderedDict[str, int]()  # when all that a key used has come back

    def wait(self, key: str, now: int) -> int:
        """How long until the key may act; 0 if it may now."""
        whole_at = max(self._whole_at.get(key, now), now)
        return max(whole_at + self._span - _MINUTE - now, 0)

    def take(self, key: str, now: int) -> None:
        """The key acts."""
        self._whole_at[key] = max(self._whole_at.get(key, now), now) + self._span
        self._whole_at.move_to_end(key)
        while len(self._whole_at) > self._most_keys:
            self._whole_at.popitem(last=False)


class Limits:
    """The limits of one process: posts a minute of one identity and of one address; 0 for none.

    ``now`` gives nanoseconds that never go back.
    """

    def __init__(self, by_identity: int, by_address: int, now: Callable[[], int]) -> None:
        self._now = now
        self._by_identity = Bucket(by_identity) if by_identity else None
        self._by_address = (
            {act: Bucket(max(by_address // act.value, 1)) for act in Act} if by_address else {}
        )

    def wait(self, act: Act, address: str, identity: str) -> int:
        """Whole seconds until this may be tried again; 0 if it may happen now, and it counts.

        ``identity`` is "" for none. What has to wait doesn't count.
        """
        now, asked = self._now(), list(self._asked(act, address, identity))
        longest = max((bucket.wait(key, now) for bucket, key in asked), default=0)
        if not longest:
            for bucket, key in asked:
                bucket.take(key, now)
        return -(-longest // _SECOND)

    def _asked(self, act: Act, address: str, identity: str) -> Iterator[tuple[Bucket, str]]:
        if bucket := self._by_address.get(act):
            yield bucket, _network(address)
        if act is Act.POST and identity and self._by_identity:
            yield self._by_identity, identity


def _network(address: str) -> str:
    """What one visitor can't change at will: an IPv4 address, the first half of an IPv6 one."""
    if ":" not in address:
        return address[:_LONGEST]
    try:
        parsed = IPv6Address(address)
    except ValueError:
        return address[:_LONGEST]
    return str(parsed.ipv4_mapped or parsed.packed[:8].hex())
