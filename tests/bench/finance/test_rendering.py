"""A table taken from a page is put back into one."""

from docmind.bench.finance.rendering import passages_of


def test_a_header_over_several_columns_names_each_of_them() -> None:
    grid = [
        ["", "", "Years ended June 30,", ""],
        ["", "2019", "2018", "2017"],
        ["Income:", "", "", ""],
        ["Ale", "$  4.5", "3", "2"],
    ]
    before, table = passages_of("page", ["Sales were as follows:"], grid)
    assert (before.kind, before.text) == ("text", "Sales were as follows:")
    assert table.text == (
        "Income:\nAle | Years ended June 30, 2019: $ 4.5 | Years ended June 30, 2018: 3 | Years ended June 30, 2017: 2"
    )


def test_headers_side_by_side_stand_over_their_own_columns() -> None:
    grid = [["", "2018", "", "2017", ""], ["", "Sales", "%", "Sales", "%"], ["Ale", "5", "50%", "4", "40%"]]
    (table,) = passages_of("page", [], grid)
    assert table.text == "Ale | 2018 Sales: 5 | 2018 %: 50% | 2017 Sales: 4 | 2017 %: 40%"


def test_passages_are_exact_slices_in_order() -> None:
    passages = passages_of("page", ["One.", "Two."], [["", "2019"], ["Ale", "5"]], ["Three."])
    assert [passage.ordinal for passage in passages] == [0, 1, 2]
    assert all(len(passage.text) == len(passage.span) for passage in passages)
