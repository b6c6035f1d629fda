"""The sheets that their keepers show to others: the newest state of each, and who may write it."""

from collections.abc import Callable

import msgspec

from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.bell import Bell
from yacht.rooms.sheet import Sheet
from yacht.rooms.store import Shown, Store
from yacht.rooms.table import new_room_id

_sheet = msgspec.json.Decoder(Sheet)


class Showing:
    """Those of one store. A keeper is the hash of a sheet's key, never the key."""

    def __init__(self, store: Store, bell: Bell, now: Callable[[], float]) -> None:
        self._store, self._bell, self._now = store, bell, now

    async def show(self, keeper: str, number: int, sheet: Sheet) -> str:
        """Begin to show a sheet under a new id. Raises IllegalMove."""
        sheet_id = new_room_id()
        await self._store.show(sheet_id, self._as_shown(keeper, number, sheet))
        return sheet_id

    async def renew(self, sheet_id: str, keeper: str, number: int, sheet: Sheet) -> int:
        """Show a newer state; the number of the newest, which this isn't if it came too late.

        Raises IllegalMove, NO_SUCH_SHEET and NOT_YOUR_SHEET too.
        """
        new = self._as_shown(keeper, number, sheet)
        if (await self._theirs(sheet_id, keeper)).number < number:
            await self._store.renew(sheet_id, new)
            self._bell.ring(sheet_id)
        return (await self.shown(sheet_id)).number

    async def hide(self, sheet_id: str, keeper: str) -> None:
        """Show it no longer. Raises IllegalMove, NO_SUCH_SHEET and NOT_YOUR_SHEET."""
        await self._theirs(sheet_id, keeper)
        await self._store.hide(sheet_id, keeper)
        self._bell.ring(sheet_id)

    async def shown(self, sheet_id: str) -> Shown:
        """The newest state. Raises IllegalMove(NO_SUCH_SHEET)."""
        shown = await self._store.shown(sheet_id)
        if shown is None:
            raise IllegalMove(Reason.NO_SUCH_SHEET)
        return shown

    async def _theirs(self, sheet_id: str, keeper: str) -> Shown:
        shown = await self.shown(sheet_id)
        if shown.keeper != keeper:
            raise IllegalMove(Reason.NOT_YOUR_SHEET)
        return shown

    def _as_shown(self, keeper: str, number: int, sheet: Sheet) -> Shown:
        body = msgspec.json.encode(sheet.checked()).decode()
        return Shown(keeper, number, self._now(), body)


def sheet_in(shown: Shown) -> Sheet:
    """The sheet that is shown. Raises IllegalMove(UNREADABLE)."""
    try:
        return _sheet.decode(shown.body).checked()
    except (msgspec.DecodeError, IllegalMove) as error:
        raise IllegalMove(Reason.UNREADABLE) from error
