"""The sheets that their keepers show to others: the newest state of each, and who may write it."""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256

import msgspec

from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.bell import Bell
from yacht.rooms.sheet import Sheet
from yacht.rooms.store import Conflict, Shown, Store

_sheet = msgspec.json.Decoder(Sheet)


class Showing:
    """Those of one store, one for each keeper: the hash of a sheet's key, never the key."""

    def __init__(self, store: Store, bell: Bell, now: Callable[[], float]) -> None:
        self._store, self._bell, self._now = store, bell, now

    async def show(self, keeper: str, number: int, sheet: Sheet) -> str:
        """Begin to show a sheet; its id. Sent again, it is the same sheet. Raises IllegalMove."""
        sheet_id = _id_of(keeper)
        try:
            await self._store.show(sheet_id, self._as_shown(keeper, number, sheet))
        except Conflict:
            await self.renew(keeper, number, sheet)
        return sheet_id

    async def renew(self, keeper: str, number: int, sheet: Sheet) -> int:
        """Show a newer state; the number of the newest, which this isn't if it came too late.

        Raises IllegalMove, NO_SUCH_SHEET too.
        """
        sheet_id, new = _id_of(keeper), self._as_shown(keeper, number, sheet)
        if (await self.shown(sheet_id)).number < number:
            await self._store.renew(sheet_id, new)
            self._bell.ring(sheet_id)
        return (await self.shown(sheet_id)).number

    async def hide(self, keeper: str) -> None:
        """Show it no longer. Raises IllegalMove(NO_SUCH_SHEET)."""
        sheet_id = _id_of(keeper)
        await self.shown(sheet_id)
        await self._store.hide(sheet_id, keeper)
        self._bell.ring(sheet_id)

    async def shown(self, sheet_id: str) -> Shown:
        """The newest state. Raises IllegalMove(NO_SUCH_SHEET)."""
        shown = await self._store.shown(sheet_id)
        if shown is None:
            raise IllegalMove(Reason.NO_SUCH_SHEET)
        return shown

    def _as_shown(self, keeper: str, number: int, sheet: Sheet) -> Shown:
        body = msgspec.json.encode(sheet.checked()).decode()
        return Shown(keeper, number, self._now(), body)


def _id_of(keeper: str) -> str:
    """The id of a keeper's sheet: 96 bits in 16 signs, from which its keeper doesn't follow."""
    return urlsafe_b64encode(sha256(f"sheet {keeper}".encode()).digest()[:12]).decode()


def sheet_in(shown: Shown) -> Sheet:
    """The sheet that is shown. Raises IllegalMove(UNREADABLE)."""
    try:
        return _sheet.decode(shown.body).checked()
    except (msgspec.DecodeError, IllegalMove) as error:
        raise IllegalMove(Reason.UNREADABLE) from error
