"""Writes numbers and quantities for people and for LaTeX, with exactly the digits that are known."""

from decimal import ROUND_HALF_UP, Decimal, localcontext

from docmind.quality.quantities.quantity import DAY, WORKING_DIGITS, Quantity

_SCALE_NAMES = {Decimal(10) ** 3: "thousand", Decimal(10) ** 6: "million", Decimal(10) ** 9: "billion"}
_UNIT_ENDINGS = {
    "percent": "%", "point": " percentage points", "times": " times", "celsius": " °C", "gram": " g", "metre": " m",
    "watt": " W", "watt hour": " Wh", "byte": " bytes", "second": " seconds", "month": " months", "litre": " l",
}  # fmt: skip


def write_number(value: Decimal, step: Decimal) -> str:
    """With thousands separators and as many decimals as `step` has: 655,230 or 1.27."""
    with localcontext(prec=WORKING_DIGITS):
        exponent = min(step.normalize().as_tuple().exponent, 0) if step else 0
        rounded = value.quantize(Decimal(1).scaleb(int(exponent)), ROUND_HALF_UP)
        return f"{abs(rounded) if rounded == 0 else rounded:,f}"


def latex_number(value: Decimal, step: Decimal) -> str:
    """The same for a formula: a bare comma would be set as punctuation."""
    return write_number(value, step).replace(",", "{,}")


def write(quantity: Quantity, scale: Decimal = Decimal(1)) -> str:
    """A quantity as a person would write it, in the given scale: EUR 655,230 thousand; 9.0%; 2,946."""
    with localcontext(prec=WORKING_DIGITS):
        number = write_number(quantity.value / scale, quantity.step / scale)
        if quantity.upper is not None:
            number += "–" + write_number(quantity.upper / scale, quantity.step / scale)
    ending = f" {scale_name(scale)}" if scale_name(scale) else ""
    ending += " days" if _in_days(quantity, scale) else _UNIT_ENDINGS.get(quantity.unit, "")
    before = f"{quantity.currency} " if quantity.currency else ""
    return f"{before}{number}{ending}" + (f" per {quantity.per}" if quantity.per else "")


def _in_days(quantity: Quantity, scale: Decimal) -> bool:
    return quantity.unit == "second" and scale == DAY


def scale_name(scale: Decimal) -> str:
    return _SCALE_NAMES.get(scale, "") if scale != 1 else ""


def latex_unit(quantity: Quantity, scale: Decimal) -> str:
    """The unit of a result as it stands after the number in LaTeX."""
    if quantity.unit == "percent":
        return r"\,\%"
    words = {"point": "percentage points", "times": "times"}.get(quantity.unit, "")
    words = "days" if _in_days(quantity, scale) else words
    per = f"per {quantity.per}" if quantity.per else ""
    named = " ".join(part for part in (quantity.currency, scale_name(scale), words, per) if part)
    return rf"\ \text{{{named}}}" if named else ""
