"""Laws of reading and comparing that hold for every quantity and every text."""

from decimal import Decimal

from hypothesis import assume, example, given
from hypothesis import strategies as st

from docmind.quality.quantities import (
    Agreement,
    Bound,
    Context,
    Period,
    Quantity,
    agrees,
    read,
    read_prose,
    read_quantities,
    read_table,
    read_terms,
    same_period,
    write,
)

UNITS = ("", "percent", "point", "times", "money", "gram")
CURRENCIES = ("EUR", "USD", "GBP", "CHF")


@st.composite
def decimals(draw: st.DrawFn, *, signed: bool = True) -> Decimal:
    """A number as a person may write it: up to twelve digits and four decimals."""
    whole = draw(st.integers(0, 10**12))
    places = draw(st.integers(0, 4))
    value = Decimal(whole).scaleb(-places)
    return -value if signed and whole and draw(st.booleans()) else value


def step_of(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return Decimal(1).scaleb(min(exponent, 0))


@st.composite
def quantities(draw: st.DrawFn, *, exact: bool = False) -> Quantity:
    value = draw(decimals())
    unit = draw(st.sampled_from(UNITS))
    currency = draw(st.sampled_from(CURRENCIES)) if unit == "money" else None
    if exact:
        return Quantity(value, step_of(value), unit, currency)
    width = draw(st.one_of(st.none(), decimals(signed=False)))
    return Quantity(
        value,
        step_of(value).scaleb(draw(st.integers(0, 6))),
        unit,
        currency,
        counted=draw(st.sampled_from((None, "person", "share"))) if not unit else None,
        per=draw(st.sampled_from((None, None, "share"))),
        upper=None if width is None else value + width,
        approximate=draw(st.booleans()),
        bound=draw(st.sampled_from(Bound)),
    )


def optional(low: int, high: int) -> st.SearchStrategy[int | None]:
    return st.one_of(st.none(), st.integers(low, high))


periods = st.builds(
    Period,
    year=optional(2020, 2023),
    quarter=optional(1, 4),
    half=optional(1, 2),
    month=optional(1, 12),
    day=optional(1, 31),
    months=st.sampled_from((None, 3, 6, 12)),
    fiscal=st.booleans(),
)


SCALES = {"": 1, " thousand": 10**3, " million": 10**6, "bn": 10**9}
FORMS = {
    "1,234.5": (",", "."),
    "1'234.5": ("'", "."),
    "1’234.5": ("’", "."),
    "1 234,5": ("\u202f", ","),
    "1\u00a0234.5": ("\u00a0", "."),
}


def written(value: Decimal, form: str) -> str:
    group, point = FORMS[form]
    whole, _, fraction = f"{abs(value):,f}".partition(".")
    return whole.replace(",", group) + (point + fraction if fraction else "")


@given(value=decimals(), form=st.sampled_from(sorted(FORMS)), scale=st.sampled_from(sorted(SCALES)), data=st.data())
def test_a_written_amount_is_read_back_to_the_digit(value: Decimal, form: str, scale: str, data: st.DataObject) -> None:
    # A decimal comma is told from one between thousands, or in a list, by what else stands there.
    assume(form != "1 234,5" or abs(value) >= 1000 or step_of(value) >= Decimal("0.01"))
    currency = data.draw(st.sampled_from(("EUR ", "$", "") if form != "1 234,5" else ("EUR ", "$")))
    assume(currency or not (scale == "" and 1900 <= abs(value) <= 2099))
    sign = "-" if value < 0 else ""
    text = f"{sign}{currency}{written(value, form)}{scale}"
    [quantity] = read_quantities(text)
    assert quantity.value == value * SCALES[scale]
    assert quantity.step == step_of(value) * SCALES[scale]
    assert quantity.currency == {"EUR ": "EUR", "$": "USD", "": None}[currency]
    assert quantity.text == text


@given(quantity=quantities(exact=True), power=st.sampled_from((0, 3, 6, 9)))
def test_what_is_written_is_read_again_as_the_same(quantity: Quantity, power: int) -> None:
    scale = Decimal(10) ** (power if quantity.unit in ("", "money") else 0)
    scaled = quantity.times(scale)
    [again] = read_quantities(write(scaled, scale))
    assert (again.value, again.step) == (scaled.value, scaled.step)
    assert (again.unit, again.currency) == (quantity.unit, quantity.currency)


@given(quantity=quantities())
def test_a_quantity_agrees_with_itself(quantity: Quantity) -> None:
    assert agrees(quantity, quantity) is Agreement.AGREE


@given(a=quantities(), b=quantities())
def test_agreement_does_not_depend_on_the_order(a: Quantity, b: Quantity) -> None:
    assert agrees(a, b) is agrees(b, a)


@given(period=periods)
def test_a_period_agrees_with_itself(period: Period) -> None:
    assert same_period(period, period) is Agreement.AGREE


@given(a=periods, b=periods)
def test_agreement_of_periods_does_not_depend_on_the_order(a: Period, b: Period) -> None:
    assert same_period(a, b) is same_period(b, a)


@given(value=decimals(signed=False), data=st.data())
def test_changing_one_digit_makes_an_exact_quantity_disagree(value: Decimal, data: st.DataObject) -> None:
    text = f"EUR {value:,f}"
    places = [at for at, character in enumerate(text) if character.isdigit()]
    at = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([one for one in "0123456789" if one != text[at]]))
    changed = text[:at] + digit + text[at + 1 :]
    # A number that begins with a nought is read as a code and not as an amount.
    assume(not (changed[4] == "0" and changed[5:6] not in ("", ".")))
    [before], [after] = read_quantities(text), read_quantities(changed)
    assert agrees(before, after) is Agreement.DISAGREE


WORDS = (
    "1,234.5 5 2022 June 25, Q3 fiscal third quarter of $ EUR million % ( ) - – to between and about at least "
    "three months ended per share employees two thirds a dozen | : [3] 3.2.1 VT-165 in thousands except"
)
TEXTS = st.one_of(
    st.text(),
    st.text(alphabet="0123456789,.'-–−()$€% QHFY/:|[]#+\n\u00a0\u202f"),
    st.lists(st.sampled_from(WORDS.split(" "))).map(" ".join),
)


@given(text=TEXTS, accounting=st.booleans())
@example(text="1.", accounting=False)
@example(text="Q1", accounting=True)
def test_any_text_is_read_and_every_span_is_exact(text: str, accounting: bool) -> None:
    mentions = read(text, Context(accounting=accounting))
    end = 0
    for mention in mentions:
        assert mention.span.of(text) == mention.text != ""
        assert mention.span.start >= end
        end = mention.span.end


@given(text=TEXTS, caption=TEXTS, offset=st.integers(0, 50))
def test_any_table_and_any_prose_gives_figures_with_exact_spans(text: str, caption: str, offset: int) -> None:
    whole = "x" * offset + text
    figures = read_table(text, caption, offset=offset) + read_prose(text, offset=offset)
    assert all(figure.span.of(whole) == figure.quantity.text for figure in figures)
    assert read_terms(text) == read_terms(text)
