"""A plan names figures and calculations; one that cannot be carried out is none."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from docmind.models.structured import parse
from docmind.quality.quantities import Period
from docmind.skills.finance.plan import Lookup, Plan

REVENUE = {"id": "a", "item": "revenue", "period": "2023"}


@pytest.mark.parametrize(
    ("period", "meant"),
    [
        ("2023", [Period(2023)]),
        ("2021 to 2023", [Period(2021), Period(2022), Period(2023)]),
        ("2023-2021", [Period(2021), Period(2022), Period(2023)]),
        ("Q3 2023", [Period(2023, 3)]),
        ("", []),
        ("last year", []),
    ],
)
def test_a_period_is_read_as_reports_write_it_and_two_years_are_a_stretch(period: str, meant: list[Period]) -> None:
    assert list(Lookup(id="a", item="revenue", period=period).periods) == meant


def test_what_no_step_takes_is_shown() -> None:
    steps = [{"id": "s", "operation": "growth", "of": ["a", "b"]}, {"id": "t", "operation": "average", "of": ["s"]}]
    lookups = [REVENUE, {**REVENUE, "id": "b", "period": "2022"}, {**REVENUE, "id": "c", "item": "cost of sales"}]
    assert Plan.model_validate({"lookups": lookups, "steps": steps}).shown == ["t", "c"]


@pytest.mark.parametrize(
    ("plan", "wrong"),
    [
        ({"lookups": []}, "there are no lookups"),
        ({"lookups": [REVENUE, REVENUE]}, "the id a is given twice"),
        ({"lookups": [REVENUE], "steps": [{"id": "a", "operation": "sum", "of": ["a"]}]}, "the id a is given twice"),
        ({"lookups": [REVENUE, {**REVENUE, "id": "b"}]}, "the lookup b is the same as one before it"),
        ({"lookups": [REVENUE], "steps": [{"id": "s", "operation": "change", "of": ["a", "a"]}]}, "a and nothing else"),
        ({"lookups": [REVENUE], "steps": [{"id": "s", "operation": "sum", "of": ["x"]}]}, "takes x"),
        ({"lookups": [REVENUE], "steps": [{"id": "s", "operation": "sum", "of": ["s"]}]}, "takes s"),
        (
            {
                "lookups": [REVENUE],
                "steps": [{"id": "s", "operation": "sum", "of": ["t"]}, {"id": "t", "operation": "sum", "of": ["s"]}],
            },
            "takes t",
        ),
        ({"lookups": [REVENUE], "steps": [{"id": "s", "operation": "sum", "of": []}]}, "steps.0.of"),
        ({"lookups": [REVENUE], "steps": [{"id": "s", "operation": "guess", "of": ["a"]}]}, "steps.0.operation"),
        ({"lookups": [{**REVENUE, "id": str(n)} for n in range(500)]}, "at most 12"),
        ({"lookups": [{**REVENUE, "item": ""}]}, "lookups.0.item"),
        ({"lookups": [{**REVENUE, "item": "x" * 10_000}]}, "lookups.0.item"),
    ],
    ids=["nothing", "twice", "a step's id", "one figure twice", "of itself twice", "unknown", "itself", "a circle",
         "of nothing", "no operation", "500 lookups", "no item", "a long item"],
)  # fmt: skip
def test_a_plan_that_cannot_be_carried_out_is_refused_with_what_is_wrong(plan: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValidationError):
        Plan.model_validate(plan)
    said = parse(json.dumps(plan), Plan)
    assert isinstance(said, str)
    assert wrong in said


def test_a_question_for_words_needs_no_lookups() -> None:
    assert Plan(words=True).shown == []
