"""Three statements that must agree: each year's balance sheet is rolled forward from the last by that year's cash flow.

All amounts are whole numbers of the company's smallest presented unit, so that every total is exact.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Balance:
    """A balance sheet at year end."""

    goodwill: int
    intangibles: int
    plant: int
    right_of_use: int
    deferred_tax_assets: int
    inventories: int
    receivables: int
    other_assets: int
    cash: int
    share_capital: int
    share_premium: int
    borrowings: int
    borrowings_current: int
    """The part of `borrowings` due within a year."""
    leases: int
    leases_current: int
    """The part of `leases` due within a year."""
    pensions: int
    deferred_tax_liabilities: int
    payables: int
    contract_liabilities: int
    tax_payable: int
    other_liabilities: int
    retained: int

    @property
    def non_current_assets(self) -> int:
        return self.goodwill + self.intangibles + self.plant + self.right_of_use + self.deferred_tax_assets

    @property
    def current_assets(self) -> int:
        return self.inventories + self.receivables + self.other_assets + self.cash

    @property
    def total_assets(self) -> int:
        return self.non_current_assets + self.current_assets

    @property
    def equity(self) -> int:
        return self.share_capital + self.share_premium + self.retained

    @property
    def non_current_liabilities(self) -> int:
        debt = self.borrowings - self.borrowings_current + self.leases - self.leases_current
        return debt + self.pensions + self.deferred_tax_liabilities

    @property
    def current_liabilities(self) -> int:
        debt = self.borrowings_current + self.leases_current
        trade = self.payables + self.contract_liabilities
        return debt + trade + self.tax_payable + self.other_liabilities

    @property
    def total_equity_and_liabilities(self) -> int:
        return self.equity + self.non_current_liabilities + self.current_liabilities

    @property
    def net_debt(self) -> int:
        return self.borrowings + self.leases - self.cash


@dataclass(frozen=True, slots=True, kw_only=True)
class Drivers:
    """What a year's figures follow from: segments, costs, investment, financing, closing working capital."""

    segment_revenue: tuple[int, ...]
    region_revenue: tuple[int, ...]
    segment_profit: tuple[int, ...]
    segment_investment: tuple[int, ...]
    """Capital expenditure by segment, the corporate centre last."""
    cost_of_sales: int
    research: int
    selling: int
    administration: int
    other_income: int
    finance_income: int
    finance_costs: int
    tax: int
    depreciation: int
    amortisation: int
    right_of_use_depreciation: int
    share_based_payments: int
    development: int
    acquired_goodwill: int = 0
    acquired_intangibles: int = 0
    new_leases: int
    lease_payments: int
    borrowed: int
    repaid: int
    borrowings_current: int
    leases_current: int
    dividend_paid: int
    deferred_tax_assets: int
    inventories: int
    receivables: int
    other_assets: int
    pensions: int
    deferred_tax_liabilities: int
    payables: int
    contract_liabilities: int
    tax_payable: int
    other_liabilities: int
    employees: int
    personnel_expense: int
    dividend_cents: int
    """Dividend per share proposed for the year."""


@dataclass(frozen=True, slots=True)
class Year:
    """One fiscal year: what drove it, and the balance sheets before and after."""

    drivers: Drivers
    opening: Balance
    closing: Balance

    @property
    def revenue(self) -> int:
        return sum(self.drivers.segment_revenue)

    @property
    def gross_profit(self) -> int:
        return self.revenue - self.drivers.cost_of_sales

    @property
    def operating_profit(self) -> int:
        d = self.drivers
        return self.gross_profit - d.research - d.selling - d.administration + d.other_income

    @property
    def profit_before_tax(self) -> int:
        return self.operating_profit + self.drivers.finance_income - self.drivers.finance_costs

    @property
    def profit(self) -> int:
        return self.profit_before_tax - self.drivers.tax

    @property
    def investment(self) -> int:
        return sum(self.drivers.segment_investment)

    @property
    def depreciation_and_amortisation(self) -> int:
        d = self.drivers
        return d.depreciation + d.amortisation + d.right_of_use_depreciation

    @property
    def deferred_tax_and_provisions(self) -> int:
        before, after = self.opening, self.closing
        taxes = before.deferred_tax_assets - after.deferred_tax_assets
        return (
            taxes + after.deferred_tax_liabilities - before.deferred_tax_liabilities + after.pensions - before.pensions
        )

    @property
    def change_in_inventories(self) -> int:
        return self.opening.inventories - self.closing.inventories

    @property
    def change_in_receivables(self) -> int:
        before, after = self.opening, self.closing
        return before.receivables - after.receivables + before.other_assets - after.other_assets

    @property
    def change_in_payables(self) -> int:
        return _short_term(self.closing) - _short_term(self.opening)

    @property
    def operating_cash_flow(self) -> int:
        adjustments = self.depreciation_and_amortisation + self.drivers.share_based_payments
        working_capital = self.change_in_inventories + self.change_in_receivables + self.change_in_payables
        return self.profit + adjustments + self.deferred_tax_and_provisions + working_capital

    @property
    def acquisition(self) -> int:
        return self.drivers.acquired_goodwill + self.drivers.acquired_intangibles

    @property
    def investing_cash_flow(self) -> int:
        return -self.investment - self.drivers.development - self.acquisition

    @property
    def financing_cash_flow(self) -> int:
        d = self.drivers
        return d.borrowed - d.repaid - d.lease_payments - d.dividend_paid

    @property
    def free_cash_flow(self) -> int:
        return self.operating_cash_flow - self.investment - self.drivers.development


def _short_term(balance: Balance) -> int:
    return balance.payables + balance.contract_liabilities + balance.tax_payable + balance.other_liabilities


def roll_forward(opening: Balance, drivers: Drivers) -> Year:
    """The year that follows `opening`; cash is whatever the cash flow leaves."""
    d = drivers

    def closed(cash: int, retained: int) -> Balance:
        return Balance(
            goodwill=opening.goodwill + d.acquired_goodwill,
            intangibles=opening.intangibles + d.acquired_intangibles + d.development - d.amortisation,
            plant=opening.plant + sum(d.segment_investment) - d.depreciation,
            right_of_use=opening.right_of_use + d.new_leases - d.right_of_use_depreciation,
            deferred_tax_assets=d.deferred_tax_assets,
            inventories=d.inventories,
            receivables=d.receivables,
            other_assets=d.other_assets,
            cash=cash,
            share_capital=opening.share_capital,
            share_premium=opening.share_premium,
            borrowings=opening.borrowings + d.borrowed - d.repaid,
            borrowings_current=d.borrowings_current,
            leases=opening.leases + d.new_leases - d.lease_payments,
            leases_current=d.leases_current,
            pensions=d.pensions,
            deferred_tax_liabilities=d.deferred_tax_liabilities,
            payables=d.payables,
            contract_liabilities=d.contract_liabilities,
            tax_payable=d.tax_payable,
            other_liabilities=d.other_liabilities,
            retained=retained,
        )

    flows = Year(d, opening, closed(cash=0, retained=0))
    cash = opening.cash + flows.operating_cash_flow + flows.investing_cash_flow + flows.financing_cash_flow
    retained = opening.retained + flows.profit + d.share_based_payments - d.dividend_paid
    return Year(d, opening, closed(cash, retained))
