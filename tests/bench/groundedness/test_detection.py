"""Responses and characters as cases, and where a system fails."""

from docmind.bench.groundedness.checker import CheckedClaim, CheckedResponse, weakest
from docmind.bench.groundedness.detection import claim_case, judged_claims, judged_responses, response_case, span_case
from docmind.bench.groundedness.failures import DetectionRate, found_by_kind, worst_alarms, worst_misses
from docmind.bench.groundedness.folds import Case, Guess, cross_fit
from docmind.bench.groundedness.sets import Hallucination, HallucinationKind, Response
from docmind.domain.documents import Span

#       0         1         2
#       0123456789012345678901234567
TEXT = "Tea is hot. Monks made it."
FIRST, SECOND = Span(0, 11), Span(12, 26)
INVENTED = Hallucination(Span(12, 17), HallucinationKind.EVIDENT_BASELESS, true_elsewhere=True)
OVERLAPPING = Hallucination(Span(15, 22), HallucinationKind.SUBTLE_CONFLICT, true_elsewhere=False)


def checked(*claims: CheckedClaim, marked: tuple[Hallucination, ...] = ()) -> CheckedResponse:
    return CheckedResponse(Response(TEXT, marked), claims, weakest(claims))


def test_a_response_is_as_well_supported_as_its_weakest_claim_and_one_without_claims_fully() -> None:
    assert weakest([CheckedClaim(FIRST, 0.9), CheckedClaim(SECOND, 0.2)]) == 0.2
    assert weakest([]) == 1


def test_a_response_is_positive_where_anything_is_marked() -> None:
    source = (checked(CheckedClaim(FIRST, 0.9)), checked(CheckedClaim(SECOND, 0.2), marked=(INVENTED, OVERLAPPING)))
    assert response_case(source) == Case((Guess(-0.9, 1, 0), Guess(-0.2, 1, 1)), 1)


def test_a_claim_is_positive_where_anything_in_it_is_marked() -> None:
    source = (checked(CheckedClaim(FIRST, 0.9), CheckedClaim(SECOND, 0.2), marked=(INVENTED, OVERLAPPING)),)
    assert claim_case(source) == Case((Guess(-0.9, 1, 0), Guess(-0.2, 1, 1)), 1)


def test_characters_marked_twice_count_once_and_only_named_words_are_called_wrong() -> None:
    named = CheckedClaim(SECOND, 0.2, unsupported=(Span(12, 17), Span(16, 18)))
    case = span_case((checked(CheckedClaim(FIRST, 0.9), named, marked=(INVENTED, OVERLAPPING)),))
    assert case == Case((Guess(-0.9, 11, 0), Guess(-0.2, 6, 6)), 10)


def test_marked_characters_outside_every_claim_are_still_to_be_found() -> None:
    assert span_case((checked(CheckedClaim(FIRST, 0.9), marked=(INVENTED,)),)).positive == 5


def test_responses_and_claims_are_judged_by_whether_anything_in_them_is_marked() -> None:
    source = (checked(CheckedClaim(FIRST, 0.9), CheckedClaim(SECOND, 0.2), marked=(INVENTED,)),)
    assert [(item.score, item.relevant) for item in judged_responses([source])] == [(0.2, False)]
    assert [(item.score, item.relevant) for item in judged_claims([source])] == [(0.9, True), (0.2, False)]


def test_recall_is_told_for_each_kind_that_occurs_and_for_what_is_true_elsewhere() -> None:
    found = (checked(CheckedClaim(SECOND, 0.1), marked=(INVENTED,)), checked(CheckedClaim(FIRST, 0.9)))
    clean = checked(CheckedClaim(FIRST, 0.9))
    missed = (checked(CheckedClaim(SECOND, 0.9), marked=(OVERLAPPING,)), clean, clean)
    sources = [missed, *[found] * 6]
    kinds = found_by_kind(sources, cross_fit([claim_case(source) for source in sources]))
    assert kinds == {
        "subtle_conflict": DetectionRate(0, 1),
        "evident_baseless": DetectionRate(1, 6),
        "true_elsewhere": DetectionRate(1, 6),
    }


def test_the_worst_misses_look_best_supported_and_the_worst_alarms_least() -> None:
    missed = (checked(CheckedClaim(SECOND, 0.97, why="found in 'Monks made tea.'"), marked=(OVERLAPPING,)),)
    nearly = (checked(CheckedClaim(SECOND, 0.3), marked=(INVENTED,)),)
    alarm = (checked(CheckedClaim(FIRST, 0.05, why="nothing holds 'hot'"), CheckedClaim(SECOND, 0.8)),)
    sources = [nearly, missed, alarm]
    assert [str(mistake) for mistake in worst_misses(sources)] == [
        "Subtle Conflict, support 0.97: 'ks made'; found in 'Monks made tea.'",
        "Evident Baseless Info, support 0.30: 'Monks'",
    ]
    assert [str(mistake) for mistake in worst_alarms(sources)] == [
        "nothing marked, support 0.05: 'Tea is hot.'; nothing holds 'hot'"
    ]
    assert len(worst_misses(sources, count=1)) == 1


def test_a_hallucination_that_no_claim_touches_is_a_complete_miss() -> None:
    (miss,) = worst_misses([(checked(CheckedClaim(FIRST, 0.1), marked=(INVENTED,)),)])
    assert str(miss) == "Evident Baseless Info, support 1.00: 'Monks'; taken to assert nothing"
