"""Being called when it is one's turn: by a sound, by a notification, and only if asked for."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Friends, Visits
from tests.browser.hands import hide
from tests.browser.table import Table, take_turns

LISTEN = """
window.tones = [];
window.notes = [];
window.asked = 0;
window.OscillatorNode = class extends OscillatorNode {
    start(at) {
        tones.push(this.frequency.value);
        super.start(at);
    }
};
window.Notification = class {
    static permission = "default";
    static async requestPermission() {
        asked += 1;
        return (this.permission = ANSWER);
    }
    constructor(title, options) {
        notes.push([title, options.body]);
    }
};
"""


def _listening(visits: Visits, table: Table, answer: str = "granted") -> Page:
    """A page that notes what it sounds and what notifications it shows."""
    context = visits.browser(table)
    context.add_init_script(f"const ANSWER = '{answer}';{LISTEN}")
    page = context.new_page()
    page.goto(table.path)
    return page


def _called(page: Page) -> tuple[int, list[list[str]]]:
    return len(page.evaluate("() => tones")), page.evaluate("() => notes")


def test_nobody_is_called_who_did_not_ask(visits: Visits, room: Friends) -> None:
    """Both are off at first, and no permission is asked for."""
    tables = room("Ana", "Ben")
    page = _listening(visits, tables[1])
    hide(page)
    take_turns(tables, 1)
    expect(page).to_have_title("Your turn · Yacht")
    assert _called(page) == (0, [])
    assert page.evaluate("() => asked") == 0
    page.get_by_role("button", name="Settings").click()
    for name in "Sound when", "Notification when":
        expect(page.get_by_label(name)).not_to_be_checked()


def test_a_sound_when_the_turn_comes(visits: Visits, room: Friends) -> None:
    """It is heard once as it is asked for, then at each turn of one's own, after a reload too."""
    tables = room("Ana", "Ben")
    page = _listening(visits, tables[1])
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sound when").check()
    assert _called(page) == (2, [])
    page.get_by_role("button", name="Done", exact=True).click()
    take_turns(tables, 2)
    expect(page).to_have_title("Turn: Ana · Yacht")
    assert _called(page) == (4, [])
    page.reload()
    page.locator("#tray").click(position={"x": 2, "y": 2})
    take_turns(tables, 1)
    expect(page).to_have_title("Your turn · Yacht")
    assert _called(page) == (2, [])


def test_a_notification_while_the_page_is_hidden(visits: Visits, room: Friends) -> None:
    """Permission is asked for with the tick; what is in view needs no notification."""
    tables = room("Ana", "Ben")
    page = _listening(visits, tables[1])
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Notification when").check()
    assert page.evaluate("() => asked") == 1
    page.get_by_role("button", name="Done", exact=True).click()
    take_turns(tables, 2)
    expect(page).to_have_title("Turn: Ana · Yacht")
    assert _called(page) == (0, [])
    hide(page)
    take_turns(tables, 1)
    expect(page).to_have_title("Your turn · Yacht")
    ((title, body),) = _called(page)[1]
    assert title == "Your turn · Yacht"
    assert body.startswith("Ana wrote ")
    tables[1].roll()
    expect(page.locator("#game")).to_have_attribute("data-last", "rolled")
    assert len(_called(page)[1]) == 1


def test_a_browser_that_refuses(visits: Visits, room: Friends) -> None:
    """Where notifications aren't allowed the tick goes, and the reason is said."""
    page = _listening(visits, room("Ana", "Ben")[0], answer="denied")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Notification when").click()
    expect(page.locator("#no-notes")).to_have_text("This browser doesn’t allow notifications here.")
    expect(page.get_by_label("Notification when")).not_to_be_checked()
