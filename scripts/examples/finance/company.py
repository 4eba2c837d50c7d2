"""A listed company as its annual reports need it: names, units, and years rolled forward from a balance sheet."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property

from examples.finance.ledger import Balance, Drivers, Year, roll_forward
from examples.paper import Look


@dataclass(frozen=True)
class Unit:
    """How amounts are presented: `decimals` digits after the point, in units of `name`."""

    name: str
    decimals: int
    per_million: int
    """How many of the smallest presented amounts make a million euros: 1,000 thousands, or 10 tenths."""

    def show(self, amount: int) -> str:
        """As in accounts: grouped, negative amounts in brackets, a dash for nothing."""
        if amount == 0:
            return "-"
        text = f"{Decimal(abs(amount)).scaleb(-self.decimals):,}"
        return f"({text})" if amount < 0 else text

    def in_millions(self, amount: int) -> str:
        value = rounded(Decimal(amount) / self.per_million, 1)
        return f"({-value:,})" if value < 0 else f"{value:,}"


@dataclass(frozen=True)
class Story:
    """What management says about a year beyond the figures."""

    discussion: tuple[str, ...]
    outlook: str
    events: str
    """Note on events after the reporting date."""
    printed_investment_total: int | None = None
    """A total that was set wrongly in the note on capital expenditure, where there is one."""


@dataclass(frozen=True)
class Company:
    name: str
    slug: str
    ticker: str
    listing: str
    seat: str
    business: str
    auditor: str
    look: Look
    unit: Unit
    shares_thousand: int
    diluted_shares_thousand: int
    tax_rate: Decimal
    segments: tuple[str, ...]
    regions: tuple[str, ...]
    labels: Mapping[str, str]
    """The company's own words for the usual lines."""
    opening: Balance
    drivers: Mapping[int, Drivers]
    stories: Mapping[int, Story]
    share_prices: Mapping[int, str]
    """Closing price of the last trading day, in euros."""
    earlier_years: tuple[tuple[str, int, int, int, int], ...] = ()
    """Years before the ledger, for the overview: year, revenue, operating profit, profit, employees."""

    @property
    def reported_years(self) -> tuple[int, ...]:
        return tuple(self.stories)

    @cached_property
    def years(self) -> Mapping[int, Year]:
        years: dict[int, Year] = {}
        balance = self.opening
        for year, drivers in self.drivers.items():
            years[year] = roll_forward(balance, drivers)
            balance = years[year].closing
        return years

    def label(self, usual: str) -> str:
        return self.labels.get(usual, usual)

    def per_share(self, amount: int, shares_thousand: int) -> Decimal:
        return rounded(Decimal(amount) * 1000 / self.unit.per_million / shares_thousand, 2)


def rounded(value: Decimal, digits: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)


def percent(part: int, whole: int) -> Decimal:
    return rounded(Decimal(100 * part) / whole, 1)


def growth(now: int, before: int) -> Decimal:
    return percent(now - before, before)
