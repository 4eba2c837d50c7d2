"""The words and signs that say what a number counts: currencies, scales, units and counted things."""

from decimal import Decimal
from typing import NamedTuple

from docmind.quality.quantities.tokens import vocabulary

SYMBOLS = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "US$": "USD", "A$": "AUD", "C$": "CAD",
    "HK$": "HKD", "NZ$": "NZD", "S$": "SGD",
}  # fmt: skip
"""A bare dollar sign is read as the US dollar; another dollar has to be said."""
CODES = vocabulary(
    "USD EUR GBP JPY CHF CNY RMB INR KRW AUD CAD HKD NZD SGD SEK NOK DKK PLN CZK HUF BRL MXN ZAR TRY ILS TWD"
)
CURRENCY_WORDS = {
    "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "pounds": "GBP", "sterling": "GBP", "yen": "JPY",
    "yuan": "CNY", "renminbi": "CNY", "rupees": "INR", "francs": "CHF",
}  # fmt: skip

_THOUSAND, _MILLION, _BILLION, _TRILLION = (Decimal(10) ** power for power in (3, 6, 9, 12))
SCALES = {
    "hundred": Decimal(100), "thousand": _THOUSAND, "million": _MILLION, "billion": _BILLION, "trillion": _TRILLION,
    "thousands": _THOUSAND, "millions": _MILLION, "billions": _BILLION, "mn": _MILLION, "mln": _MILLION,
    "mio": _MILLION, "bn": _BILLION, "bln": _BILLION, "tn": _TRILLION, "trn": _TRILLION,
}  # fmt: skip
LETTER_SCALES = {"k": _THOUSAND, "K": _THOUSAND, "M": _MILLION, "MM": _MILLION, "B": _BILLION, "T": _TRILLION}
"""Letters that scale where they are glued to the number."""
MONEY_SCALES = {"m": _MILLION, "b": _BILLION, "t": _TRILLION}
"""Letters that scale amounts of money and are units, or nothing, elsewhere: "$5m" but "5 m"."""


class Unit(NamedTuple):
    """A unit as a multiple of its base unit; units of one base can be compared."""

    base: str
    factor: Decimal = Decimal(1)


def _units(base: str, **factors: str) -> dict[str, Unit]:
    return {name: Unit(base, Decimal(factor)) for name, factor in factors.items()}


PERCENT = Unit("percent")
POINT = Unit("point")
BASIS_POINT = Unit("point", Decimal("0.01"))
TIMES = Unit("times")
CELSIUS, FAHRENHEIT = Unit("celsius"), Unit("fahrenheit")

# Months and years are not whole numbers of days, so calendar time and clock time have a base each.
UNITS: dict[str, Unit] = {
    **_units("gram", mg="0.001", g="1", gram="1", grams="1", kg="1000", kilogram="1000", kilograms="1000", t="1e6",
             tonne="1e6", tonnes="1e6", kt="1e9", Mt="1e12", lb="453.59237", lbs="453.59237", oz="28.349523125",
             ounce="28.349523125", ounces="28.349523125"),
    **_units("metre", mm="0.001", cm="0.01", m="1", metre="1", metres="1", meter="1", meters="1", km="1000",
             kilometre="1000", kilometres="1000", kilometer="1000", kilometers="1000", inch="0.0254", inches="0.0254",
             ft="0.3048", foot="0.3048", feet="0.3048", yard="0.9144", yards="0.9144", mile="1609.344",
             miles="1609.344"),
    **_units("square metre", **{"m²": "1", "sqm": "1", "km²": "1e6", "ha": "1e4", "hectare": "1e4",
                                "hectares": "1e4"}),
    **_units("litre", ml="0.001", l="1", L="1", litre="1", litres="1", liter="1", liters="1", hl="100",
             hectolitre="100", hectolitres="100", gallon="3.785411784", gallons="3.785411784", **{"m³": "1000"}),
    **_units("watt", W="1", kW="1e3", MW="1e6", GW="1e9", megawatt="1e6", megawatts="1e6", gigawatts="1e9"),
    **_units("watt hour", Wh="1", kWh="1e3", MWh="1e6", GWh="1e9", TWh="1e12"),
    **_units("hertz", Hz="1", kHz="1e3", MHz="1e6", GHz="1e9"),
    **_units("byte", kB="1e3", KB="1e3", MB="1e6", GB="1e9", TB="1e12", PB="1e15"),
    **_units("second", ms="0.001", second="1", seconds="1", min="60", minute="60", minutes="60", h="3600", hour="3600",
             hours="3600", day="86400", days="86400", week="604800", weeks="604800"),
    **_units("month", month="1", months="1", quarters="3", year="12", years="12"),
    **_units("money", cent="0.01", cents="0.01", pence="0.01"),
    **_units("bar", bar="1", mbar="0.001"),
    "percent": PERCENT, "pct": PERCENT, "pp": POINT, "ppt": POINT, "ppts": POINT, "pts": POINT, "bp": BASIS_POINT,
    "bps": BASIS_POINT, "times": TIMES, "x": TIMES, "fold": TIMES,
}  # fmt: skip

MEASURED = frozenset(
    name
    for name, unit in UNITS.items()
    if unit.base in ("gram", "metre", "square metre", "litre", "watt", "watt hour", "hertz", "byte")
    and (len(name) > 1 or name in "tgl")
)
"""Units of things that can be weighed or measured, which no amount of money is in."""

_PEOPLE = ("employee", "employees", "people", "person", "persons", "staff", "workers", "colleagues", "fte", "ftes")
_COUNTED = (
    "unit share customer user patient participant respondent store country site vehicle home household order item case "
    "vessel machine project member supplier contract subscriber student hospital facility location"
)
COUNTED: dict[str, str] = {
    **{form: noun for noun in _COUNTED.split() for form in (noun, f"{noun}s")},
    **dict.fromkeys(_PEOPLE, "person"), "countries": "country", "facilities": "facility", "clients": "customer",
}  # fmt: skip
"""Things that numbers count, by the forms they stand in."""
