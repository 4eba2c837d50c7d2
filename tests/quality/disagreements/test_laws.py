"""What holds for every sentence: a copy agrees with itself, a changed digit never passes, nothing takes long."""

import string

from hypothesis import assume, given
from hypothesis import strategies as st

from docmind.domain.verdicts import DisagreementKind
from docmind.quality.disagreements import Reading, disagreements

_SUBJECTS = st.sampled_from(
    ["Revenue", "Net income", "The bank's margin", "Output of Siemens", "The number of patients"]
)
_VERBS = st.sampled_from(["rose to", "was about", "did not exceed", "fell from", "reached", "is at least", "was not"])
_UNITS = st.sampled_from(["", "%", " million", " percentage points", " employees", " kg", " thousand euros", " days"])
_TIMES = st.sampled_from(
    ["in 2023", "on March 14, 2021", "in the third quarter of 2022", "by 1 May 1987", "since 1734", "for Q2 2020"]
)
_NUMBERS = st.one_of(
    st.integers(1, 10**9).map("{:,}".format), st.integers(1, 9999).map(str), st.floats(0.1, 999).map("{:.2f}".format)
)
_CLAUSES = st.builds("{} {} {}{} {}".format, _SUBJECTS, _VERBS, _NUMBERS, _UNITS, _TIMES)
_SENTENCES = st.lists(_CLAUSES, min_size=1, max_size=3).map(lambda clauses: ", and ".join(clauses) + ".")


@given(_SENTENCES)
def test_a_sentence_never_disagrees_with_itself(sentence: str) -> None:
    assert disagreements(Reading.of(sentence), Reading.of(sentence)) == []


@given(st.text(max_size=200))
def test_no_text_disagrees_with_itself(text: str) -> None:
    assert disagreements(Reading.of(text), Reading.of(text)) == []


@given(_SENTENCES, st.data())
def test_a_changed_digit_is_always_found(sentence: str, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from([n for n, letter in enumerate(sentence) if letter in string.digits]))
    digit = data.draw(st.sampled_from(string.digits))
    assume(digit != sentence[place])
    changed = sentence[:place] + digit + sentence[place + 1 :]
    found = {one.kind for one in disagreements(Reading.of(changed), Reading.of(sentence))}
    assert found & {DisagreementKind.NUMBER, DisagreementKind.DATE}


@given(_SENTENCES, _SENTENCES)
def test_spans_are_words_of_the_claim_and_of_the_quote_and_the_reason_shows_them(claim: str, quote: str) -> None:
    for found in disagreements(Reading.of(claim), Reading.of(quote)):
        assert found.claimed.of(claim).strip()
        assert found.claimed.of(claim) in found.reason
        assert found.stated.of(quote) in found.reason


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_breaks_it(claim: str, quote: str) -> None:
    disagreements(Reading.of(claim), Reading.of(quote))


def test_long_hostile_texts_come_to_an_end() -> None:
    for piece in ("not ", "5 ", "1999 ", "Aa ", "rose ", "5% | ", "a: 1 | ", "un", "’s", "1,", "no 5 Up in 1800. "):
        text = piece * 1_500
        disagreements(Reading.of(text), Reading.of(text + "x"))
