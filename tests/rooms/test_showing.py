"""Sheets that are shown: who may write, who hears of it, in whichever process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable

import pytest

from tests.rooms.friends import Clock
from tests.rooms.playing import ANA, BEN, refusal
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.host import Host
from yacht.rooms.postgres import Postgres
from yacht.rooms.sheet import Player, Sheet
from yacht.rooms.showing import sheet_in
from yacht.rooms.sql import SHEETS
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Shown
from yacht.rooms.tending import Tending

pytestmark = pytest.mark.anyio

DAY = 86_400


def sheet(**boxes: int | None) -> Sheet:
    return Sheet("classic", (Player("Ana", boxes), Player("Ben", {})))


@pytest.fixture
def host(quick: Sqlite, clock: Clock) -> Host:
    return Host(quick, now=clock)


async def test_the_newest_is_shown(host: Host, clock: Clock):
    """Each newer state is shown with its time; an older one, or the same again, changes nothing."""
    sheet_id = await host.sheets.show(ANA, 7, sheet(ones=3))
    first = await host.sheets.shown(sheet_id)
    assert (first.number, first.at, sheet_in(first)) == (7, clock.at, sheet(ones=3))
    clock.at += 60
    for number in (7, 6):
        assert await host.sheets.renew(ANA, number, sheet(twos=4)) == 7
    assert await host.sheets.shown(sheet_id) == first
    assert await host.sheets.renew(ANA, 9, sheet(ones=None, fives=25)) == 9
    newest = await host.sheets.shown(sheet_id)
    assert (newest.at, sheet_in(newest)) == (clock.at, sheet(fives=25))


async def test_begun_again_it_is_the_same(host: Host, quick: Sqlite):
    """A request that comes twice begins one sheet, and its newest state is shown; also at once."""
    beginnings = [host.sheets.show(ANA, number, sheet(ones=number)) for number in (3, 4, 2, 3)]
    [sheet_id] = set(await asyncio.gather(*beginnings))
    assert sheet_in(await host.sheets.shown(sheet_id)) == sheet(ones=4)
    assert await quick.rows(SHEETS) == [(sheet_id,)]
    assert await host.sheets.show(BEN, 1, sheet()) != sheet_id


async def test_whose_it_is(host: Host):
    """Without its key nobody writes or ends a sheet; once ended it isn't renewed."""
    sheet_id = await host.sheets.show(ANA, 1, sheet(ones=3))
    for act in host.sheets.renew(BEN, 2, sheet()), host.sheets.hide(BEN):
        assert (await refusal(act)).reason is Reason.NO_SUCH_SHEET
    assert sheet_in(await host.sheets.shown(sheet_id)) == sheet(ones=3)
    await host.sheets.hide(ANA)
    for act in (
        host.sheets.shown(sheet_id),
        host.sheets.renew(ANA, 2, sheet()),
        host.sheets.hide(ANA),
        host.sheets.shown("nowhere"),
    ):
        assert (await refusal(act)).reason is Reason.NO_SUCH_SHEET


async def test_what_cant_be_kept_isnt_shown(host: Host):
    """A wrong sheet is refused at its beginning and later, and the last good one stays."""
    assert (await refusal(host.sheets.show(ANA, 1, sheet(ones=6)))).reason is Reason.BAD_POINTS
    sheet_id = await host.sheets.show(ANA, 1, sheet())
    wrong = host.sheets.renew(ANA, 2, sheet(yacht=49))
    assert (await refusal(wrong)).reason is Reason.BAD_POINTS
    assert (await host.sheets.shown(sheet_id)).number == 1


async def test_who_watches_hears(host: Host):
    """A newer state rings, and so does the end; what changes nothing doesn't."""
    sheet_id = await host.sheets.show(ANA, 1, sheet())
    rung = host.bell.listen(sheet_id)
    await host.sheets.renew(ANA, 1, sheet(ones=1))
    await refusal(host.sheets.renew(BEN, 5, sheet(ones=1)))
    await refusal(host.sheets.hide(BEN))
    assert not rung.is_set()
    await host.sheets.renew(ANA, 2, sheet(ones=1))
    assert rung.is_set()
    rung = host.bell.listen(sheet_id)
    await host.sheets.hide(ANA)
    assert rung.is_set()


async def test_sheets_that_are_too_old(host: Host, clock: Clock):
    """A sheet goes once nothing came for as long as rooms are kept, and who watches hears it."""
    old, new = [await host.sheets.show(keeper, 1, sheet()) for keeper in (BEN, ANA)]
    tending = Tending(host, keep_days=90)
    clock.at += 89 * DAY
    await host.sheets.renew(ANA, 2, sheet(ones=1))
    await tending.sweep()
    assert (await host.sheets.shown(old)).number == 1
    rung = host.bell.listen(old)
    clock.at += 2 * DAY
    await tending.sweep()
    assert rung.is_set()
    assert (await refusal(host.sheets.shown(old))).reason is Reason.NO_SUCH_SHEET
    assert (await host.sheets.shown(new)).number == 2


@pytest.mark.parametrize("body", ["", "{}", '{"ruleset":"sum","players":[]}', '{"ruleset":7}'])
def test_a_sheet_that_cant_be_read(body: str):
    """What the store has damaged is told as such."""
    with pytest.raises(IllegalMove) as illegal:
        sheet_in(Shown(ANA, 1, 0, body))
    assert illegal.value.reason is Reason.UNREADABLE


@pytest.fixture
async def hosts(url: str) -> AsyncIterator[list[Host]]:
    """Two processes' hosts on one database, which hear of each other."""
    both, heard = [Host(Postgres(url)) for _ in range(2)], list[asyncio.Task[None]]()
    for one in both:
        listens = asyncio.Event()
        heard.append(asyncio.create_task(one.store.listen(one.tables.heard, listens.set)))
        await asyncio.wait_for(listens.wait(), 20)
    yield both
    for task in heard:
        task.cancel()
    await asyncio.gather(*heard, return_exceptions=True)
    for one in both:
        await one.store.close()


async def test_who_watches_at_another_process(hosts: list[Host]):
    """There one hears of a newer state, of the end, and of a sweep."""
    here, there = hosts
    sheet_id, swept = [await here.sheets.show(keeper, 1, sheet()) for keeper in (ANA, BEN)]

    async def heard(sheet_id: str, act: Awaitable[object]) -> None:
        rung = there.bell.listen(sheet_id)
        await act
        await asyncio.wait_for(rung.wait(), 20)

    await heard(sheet_id, here.sheets.renew(ANA, 2, sheet(ones=5)))
    assert sheet_in(await there.sheets.shown(sheet_id)) == sheet(ones=5)
    await heard(sheet_id, here.sheets.hide(ANA))
    await heard(swept, here.sweep(0, -1))
    for gone in sheet_id, swept:
        assert (await refusal(there.sheets.shown(gone))).reason is Reason.NO_SUCH_SHEET
