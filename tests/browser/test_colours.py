"""Text stands out from its ground in light and dark."""

import re
from typing import Literal

import pytest

from tests.browser.conftest import Visits
from yacht.web.rendering import STATIC

Colour = tuple[int, ...]

_TEXT = ("ink", "soft", "red", "good")
_GROUNDS = ("paper", "sheet", "felt")


def _luminance(colour: Colour) -> float:
    """The relative luminance that WCAG 2 defines."""
    red, green, blue = (
        value / 255 / 12.92 if value / 255 <= 0.04045 else ((value / 255 + 0.055) / 1.055) ** 2.4
        for value in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio that WCAG 2 defines, 1 to 21."""
    low, high = sorted([_luminance(one), _luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_formula_is_the_one_of_wcag() -> None:
    """Black on white has 21; #767676 is the lightest grey on white that passes AA."""
    white = (255, 255, 255)
    assert _contrast((0, 0, 0), white) == pytest.approx(21)
    assert _contrast((0x76,) * 3, white) >= 4.5 > _contrast((0x77,) * 3, white)


_PAIRS = [(text, ground) for text in _TEXT for ground in _GROUNDS] + [("on-red", "red")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(visits: Visits, scheme: Literal["light", "dark"]) -> None:
    """Each colour of text has a contrast of at least 4.5 on each ground, and so has on-red on red.

    The colours are the custom properties of yacht.css, as each scheme sets them.
    """
    page = visits(scheme=scheme)
    colours: dict[str, Colour] = page.evaluate(
        """(names) => Object.fromEntries(names.map((name) => {
            document.body.style.color = `var(--${name})`;
            return [name, getComputedStyle(document.body).color.match(/[0-9]+/g).map(Number)];
        }))""",
        sorted({name for pair in _PAIRS for name in pair}),
    )
    assert len({tuple(colour) for colour in colours.values()}) >= 7
    low = {pair: _contrast(*(colours[name] for name in pair)) for pair in _PAIRS}
    assert {pair: ratio for pair, ratio in low.items() if ratio < 4.5} == {}


def test_colours_stand_in_one_place() -> None:
    """No style but yacht.css has a colour of its own, and there only what the properties are."""
    for file in STATIC.glob("*.css"):
        style = re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL)
        if file.name == "yacht.css":
            style = re.sub(r":root \{[^}]*\}", "", style)
        assert not re.findall(r"#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgb|hsl)a?\([^)]*\)", style), (
            file
        )
