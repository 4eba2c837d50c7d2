"""What every index does, asked of both engines."""

import math
import random
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docmind.corpus.index import Candidates, Index, Point, SparseVector
from docmind.corpus.index.embedded.index import EdgeIndex
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.domain.search import Filters

DIMENSION = 8
NO_TERMS = SparseVector((), ())
TERM = SparseVector((1,), (1.0,))


@pytest.fixture(scope="module", params=["edge", pytest.param("server", marks=pytest.mark.services)])
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """One index for all these tests: each of them works in a workspace of its own."""
    opened: Index
    if request.param == "edge":
        opened = EdgeIndex(tmp_path_factory.mktemp("edge"), dimension=DIMENSION, embedder="test")
    else:
        url: str = request.getfixturevalue("qdrant_url")
        from docmind.corpus.index.served import ServerIndex

        collection = f"docmind-test-{uuid.uuid4().hex[:8]}"
        opened = ServerIndex(url, dimension=DIMENSION, embedder="test", collection=collection)
    with closing(opened):
        yield opened


def vector(name: object) -> list[float]:
    chance = random.Random(str(name))
    return [chance.gauss(0, 1) for _ in range(DIMENSION)]


def id_of(name: object) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, str(name)))


def point(
    name: object,
    *,
    document: str = "document",
    user: str | None = None,
    terms: tuple[int, ...] = (1,),
    **payload: str | int,
) -> Point:
    return Point(id_of(name), document, user, vector(name), SparseVector(terms, (1.0,) * len(terms)), dict(payload))


def cosine(left: list[float], right: list[float]) -> float:
    product = sum(a * b for a, b in zip(left, right, strict=True))
    return product / (math.hypot(*left) * math.hypot(*right))


def ask(
    index: Index,
    workspace: str,
    *,
    user: str | None = None,
    sparse: SparseVector = TERM,
    filters: Filters | None = None,
    limit: int = 50,
) -> Candidates:
    return index.search(Scope(workspace, user), vector("question"), sparse, filters or Filters(), limit)


def found(candidates: Candidates) -> set[str]:
    return {candidate.id for candidate in candidates.candidates}


def ids(*names: object) -> set[str]:
    return {id_of(name) for name in names}


def test_a_point_is_found_by_both_searches(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point("a")])
    result = ask(index, workspace)
    assert result.dense_top == result.bm25_top == (id_of("a"),)
    assert found(result) == ids("a")


def test_an_empty_store_finds_nothing_and_counts_nothing(index: Index, workspace: str) -> None:
    assert found(ask(index, workspace)) == set()
    assert index.count(workspace) == 0
    index.delete_documents(workspace, ["document"])
    index.drop(workspace)
    index.upsert(workspace, [])
    assert index.count(workspace) == 0


def test_upserting_the_same_points_again_changes_nothing(index: Index, workspace: str) -> None:
    points = [point(n) for n in range(5)]
    index.upsert(workspace, points)
    before = ask(index, workspace)
    index.upsert(workspace, points)
    assert index.count(workspace) == 5
    assert found(ask(index, workspace)) == found(before)


def test_a_point_with_a_known_id_is_replaced_whole(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point("a", company="Old", ticker="OLD")])
    index.upsert(workspace, [Point(id_of("a"), "document", None, vector("other"), TERM, {"company": "New"})])
    assert index.count(workspace) == 1
    assert found(ask(index, workspace, filters=Filters(ticker=("OLD",)))) == set()
    [candidate] = ask(index, workspace, filters=Filters(company=("New",))).candidates
    assert candidate.dense == pytest.approx(cosine(vector("question"), vector("other")), abs=1e-5)


def test_documents_are_deleted_whole_and_alone(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point((d, n), document=d) for d in ("x", "y", "z") for n in range(3)])
    index.delete_documents(workspace, ["x", "z", "unknown"])
    assert index.count(workspace) == index.count(workspace, "y") == 3
    assert index.count(workspace, "x") == 0
    assert found(ask(index, workspace)) == ids(*(("y", n) for n in range(3)))


def test_a_dropped_workspace_is_gone_and_can_be_filled_again(index: Index, workspace: str) -> None:
    other = f"{workspace}.other"
    index.upsert(workspace, [point("a")])
    index.upsert(other, [point("b")])
    index.drop(workspace)
    assert index.count(workspace) == 0
    assert index.count(other) == 1
    index.upsert(workspace, [point("c")])
    assert found(ask(index, workspace)) == ids("c")


def test_workspaces_that_differ_only_in_case_are_two(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point("a")])
    index.upsert(workspace.upper(), [point("b")])
    assert found(ask(index, workspace)) == ids("a")
    assert found(ask(index, workspace.upper())) == ids("b")


def test_two_workspaces_may_hold_the_same_passage(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point("a", company="Here")])
    index.upsert(f"{workspace}.other", [point("a", company="There")])
    assert found(ask(index, workspace, filters=Filters(company=("Here",)))) == ids("a")
    index.delete_documents(f"{workspace}.other", ["document"])
    assert index.count(workspace) == 1


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(company=("Acme",)), {"a"}),
        (Filters(company=("Acme", "Binford")), {"a", "b"}),
        (Filters(ticker=("BIN",)), {"b"}),
        (Filters(fiscal_year=(2022,)), {"a"}),
        (Filters(fiscal_year=(2022, 2023)), {"a", "b"}),
        (Filters(quarter=(3,)), {"b"}),
        (Filters(document_type=("10-K",)), {"a"}),
        (Filters(kind=("table",)), {"b"}),
        (Filters(document_id=("bare",)), {"c"}),
        (Filters(date_from="2023-06-30"), {"b"}),
        (Filters(date_to="2022-12-31"), {"a"}),
        (Filters(date_from="2022-12-31", date_to="2023-06-30"), {"a", "b"}),
        (Filters(date_from="2022-12-31", date_to="2023-06-29"), {"a"}),
        (Filters(date_from="2023-01-01", date_to="2023-06-29"), set()),
        (Filters(exclude_passages=(id_of("a"), "no-passage-at-all")), {"b", "c"}),
        (Filters(company=("Acme", "Binford"), exclude_passages=(id_of("a"),)), {"b"}),
        (Filters(company=("Acme",), fiscal_year=(2023,)), set()),
        (Filters(company=("acme",)), set()),
    ],
)
def test_filters_keep_what_they_name(index: Index, filters: Filters, expected: set[str]) -> None:
    acme = point(
        "a", company="Acme", ticker="ACM", fiscal_year=2022, quarter=4, document_type="10-K", date="2022-12-31"
    )
    binford = point("b", company="Binford", ticker="BIN", fiscal_year=2023, quarter=3, kind="table", date="2023-06-30")
    index.upsert("filtered", [acme, binford, point("c", document="bare")])
    result = ask(index, "filtered", filters=filters)
    assert found(result) == ids(*expected)
    assert set(result.dense_top) == set(result.bm25_top) == ids(*expected)


def test_a_passage_is_excluded_however_its_id_is_spelt(index: Index, workspace: str) -> None:
    first, second = point("first"), point("second")
    index.upsert(workspace, [first, second])
    spelt = ("{" + first.id.upper() + "}", "no id at all")
    assert found(ask(index, workspace, filters=Filters(exclude_passages=spelt))) == ids("second")


def test_a_date_that_is_none_is_refused_in_a_sentence(index: Index, workspace: str) -> None:
    with pytest.raises(InvalidQuery, match="'last spring' is not a date"):
        ask(index, workspace, filters=Filters(date_from="last spring"))


def test_a_user_sees_what_is_shared_and_their_own(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point("shared"), point("ann's", user="ann"), point("bob's", user="bob")])
    assert found(ask(index, workspace)) == ids("shared")
    assert found(ask(index, workspace, user="ann")) == ids("shared", "ann's")
    assert found(ask(index, workspace, user="eve")) == ids("shared")


owners = st.sampled_from([None, "ann", "bob", "Ann"])
places = st.sampled_from(["one", "One", "two"])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    points=st.lists(st.tuples(places, owners), max_size=12),
    place=places,
    asker=owners,
    company=st.sampled_from([(), ("Acme",)]),
)
def test_nothing_leaks_from_other_users_or_workspaces(
    index: Index,
    workspace: str,
    points: list[tuple[str, str | None]],
    place: str,
    asker: str | None,
    company: tuple[str, ...],
) -> None:
    for name in ("one", "One", "two"):
        mine = [point((n, owner), user=owner, company="Acme") for n, (p, owner) in enumerate(points) if p == name]
        index.delete_documents(f"{workspace}.{name}", ["document"])
        index.upsert(f"{workspace}.{name}", mine)
    scope = Scope(f"{workspace}.{place}", asker)
    result = ask(index, scope.workspace, user=asker, filters=Filters(company=company))
    assert found(result) == ids(*((n, o) for n, (p, o) in enumerate(points) if p == place and scope.sees(o)))


def test_every_candidate_has_both_scores_whichever_search_found_it(index: Index, workspace: str) -> None:
    points = [point(n, terms=(1, 2) if n % 3 == 0 else (3,)) for n in range(60)]
    index.upsert(workspace, points)
    result = ask(index, workspace, sparse=SparseVector((1, 2), (1.0, 1.0)), limit=10)
    everything = ask(index, workspace, sparse=SparseVector((1, 2), (1.0, 1.0)), limit=60)
    bm25 = {candidate.id: candidate.bm25 for candidate in everything.candidates}
    true_cosine = {p.id: cosine(vector("question"), list(p.dense)) for p in points}
    best = sorted(true_cosine, key=lambda id: -true_cosine[id])[:10]
    assert list(result.dense_top) == best
    assert len(result.bm25_top) == 10
    assert found(result) == {*result.dense_top, *result.bm25_top}
    assert len(result.candidates) > 10
    for candidate in result.candidates:
        assert candidate.dense == pytest.approx(true_cosine[candidate.id], abs=1e-5)
        assert candidate.bm25 == pytest.approx(bm25[candidate.id], abs=1e-5)
    matching = {p.id for p in points if p.sparse.indices == (1, 2)}
    assert {id for id, score in bm25.items() if score > 0.0} == matching


def test_the_ideal_score_is_that_of_a_passage_with_every_term_once(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point(n, terms=(1,)) for n in range(9)] + [point("all", terms=(1, 2))])
    both = SparseVector((1, 2), (1.0, 1.0))
    result = ask(index, workspace, sparse=both)
    [complete] = [candidate for candidate in result.candidates if candidate.id == id_of("all")]
    assert result.ideal == pytest.approx(complete.bm25, rel=1e-4)
    unknown = SparseVector((1, 2, 77), (1.0, 1.0, 1.0))
    assert ask(index, workspace, sparse=unknown).ideal > result.ideal
    assert ask(index, workspace, sparse=NO_TERMS).ideal == 0.0


def test_the_total_counts_what_could_have_been_found(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point(n, company="A") for n in range(4)] + [point("b", company="B", user="bob")])
    assert ask(index, workspace, limit=2).total == 4
    assert ask(index, workspace, user="bob").total == 5
    assert ask(index, workspace, user="bob", filters=Filters(company=("B",))).total == 1
    index.upsert(workspace, [point("new", company="A")])
    assert ask(index, workspace).total == 5


def test_rarer_terms_weigh_more(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point(n, terms=(1,)) for n in range(9)] + [point("rare", terms=(2,))])
    result = ask(index, workspace, sparse=SparseVector((1, 2), (1.0, 1.0)))
    assert result.bm25_top[0] == id_of("rare")


def test_a_query_without_terms_is_answered_by_the_dense_search(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point("a"), point("no words", terms=())])
    result = ask(index, workspace, sparse=NO_TERMS)
    assert result.bm25_top == ()
    assert set(result.dense_top) == ids("a", "no words")
    assert {candidate.bm25 for candidate in result.candidates} == {0.0}


def test_many_points_are_written_in_one_call(index: Index, workspace: str) -> None:
    index.upsert(workspace, [point(n, document=f"d{n % 7}") for n in range(1_203)])
    assert index.count(workspace) == 1_203
    assert index.count(workspace, "d0") == 172


def test_threads_may_write_search_and_delete_at_once(index: Index, workspace: str) -> None:
    def work(thread: int) -> set[str]:
        for n in range(6):
            index.upsert(
                workspace, [point((thread, n, k), document=f"{thread}-{n}", user=f"u{thread}") for k in range(5)]
            )
            ask(index, workspace, user=f"u{thread}")
            if n % 2:
                index.delete_documents(workspace, [f"{thread}-{n}"])
        return found(ask(index, workspace, user=f"u{thread}"))

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(work, range(6)))
    for thread, seen in enumerate(results):
        assert seen == ids(*((thread, n, k) for n in (0, 2, 4) for k in range(5)))
    assert index.count(workspace) == 6 * 3 * 5


def test_an_index_says_what_and_where_it_is(index: Index) -> None:
    description = index.describe()
    assert set(description) == {"engine", "place", "version"}
    assert all(description.values())


def test_a_small_workspace_is_not_worth_optimising(index: Index, workspace: str) -> None:
    assert index.optimize(workspace) is False
    index.upsert(workspace, [point("a")])
    assert index.optimize(workspace) is False
