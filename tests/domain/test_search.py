from docmind.domain.search import Filters


def test_filters_are_false_when_they_let_everything_through() -> None:
    assert not Filters()
    assert Filters(quarter=(1,))
    assert Filters(date_from="2024-01-01")
