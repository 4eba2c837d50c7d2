"""Annual reports of two fictional listed makers of instruments, in different units and different words."""

from examples.finance import brackwater, ellandor
from examples.finance.report import annual_report
from examples.paper import Paper


def papers() -> tuple[Paper, ...]:
    return tuple(
        annual_report(company, year)
        for company in (ellandor.COMPANY, brackwater.COMPANY)
        for year in company.reported_years
    )
