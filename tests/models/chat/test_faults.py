"""Which failures pass: judged by what all providers have in common, a status or a connection."""

import pytest

from docmind.models.chat.provider import model_error, status_of


class ProviderError(Exception):
    def __init__(self, **kept: object) -> None:
        super().__init__("the provider's\n  own words.")
        self.__dict__.update(kept)


class Response:
    status_code = 503
    headers = {"retry-after": "7"}  # noqa: RUF012


@pytest.mark.parametrize(
    ("error", "status", "retryable"),
    [
        (ProviderError(status_code=429), 429, True),
        (ProviderError(status_code=408), 408, True),
        (ProviderError(code=500), 500, True),
        (ProviderError(response=Response()), 503, True),
        (ProviderError(code="rate_limit_exceeded", status_code=401), 401, False),
        (ProviderError(status_code=200), None, False),
        (ProviderError(), None, False),
        (ConnectionResetError("gone"), None, True),
        (TimeoutError(), None, True),
        (ValueError("not JSON"), None, False),
    ],
)
def test_a_failure_is_worth_another_try_when_waiting_can_help(
    error: Exception, status: int | None, retryable: bool
) -> None:
    assert status_of(error) == status
    assert model_error("some:model", error).retryable == retryable


def test_a_failure_is_recognised_however_it_is_wrapped() -> None:
    wrapped = ValueError("something went wrong")
    wrapped.__cause__ = ProviderError(code=429)
    assert model_error("some:model", wrapped).retryable


def test_how_long_a_provider_wants_to_be_left_alone_is_read_from_its_reply() -> None:
    assert model_error("some:model", ProviderError(response=Response())).wait_s == 7
    assert model_error("some:model", ProviderError(status_code=503)).wait_s == 0


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        # By the provider's own clock, wherever ours stands.
        ({"retry-after": "Wed, 21 Oct 2015 07:28:30 GMT", "date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 30),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT", "date": "Wed, 21 Oct 2015 07:29:00 GMT"}, 0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:30 -0000", "date": "noon"}, 0),
        ({"retry-after": "soon"}, 0),
        ({"retry-after": ""}, 0),
    ],
)
def test_a_provider_may_name_a_date_instead(headers: dict[str, str], wait_s: float) -> None:
    response = Response()
    response.headers = headers
    assert model_error("some:model", ProviderError(response=response)).wait_s == wait_s


@pytest.mark.parametrize("error", [IndexError("list index out of range"), AttributeError("no 'choices'"), ValueError()])
def test_a_reply_that_its_client_cannot_take_apart_is_called_unreadable(error: Exception) -> None:
    failure = model_error("some:model", error)
    assert str(failure).startswith("The model some:model sent a reply that cannot be read (")
    assert not failure.retryable


def test_the_message_is_one_line_that_names_the_model() -> None:
    assert str(model_error("some:model", ProviderError())) == "The model some:model failed: the provider's own words."
    assert str(model_error("some:model", TimeoutError())) == "The model some:model failed: TimeoutError."
    assert len(str(model_error("some:model", ValueError("x" * 10_000)))) < 500
