"""The papers of Varmoor Thermal plc, a fictional maker of industrial heat pumps."""

from examples.paper import Paper
from examples.strategy import (
    board_paper,
    committee_minutes,
    competitors,
    customer_survey,
    market_study,
    risk_register,
    roadmap,
    workforce_plan,
)


def papers() -> tuple[Paper, ...]:
    return (
        board_paper.paper(),
        committee_minutes.paper(),
        competitors.paper(),
        customer_survey.paper(),
        market_study.paper(),
        risk_register.paper(),
        roadmap.paper(),
        workforce_plan.paper(),
    )
