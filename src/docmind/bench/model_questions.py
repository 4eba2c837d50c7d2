"""What is asked of a chat model and of the embedded way alike: questions on the bundled papers, a few a workflow."""

from typing import NamedTuple

from docmind.domain.answers import Status

ANSWERS = frozenset({Status.ANSWERED, Status.CAVEAT})
DECLINES = frozenset({Status.REFUSED, Status.NEEDS_CLARIFICATION})
"""Both say that the papers do not tell: one ends there, the other asks what else could be meant."""


class ModelQuestion(NamedTuple):
    question: str
    told: tuple[str, ...] = ()
    """What a right answer says, in lower case, with `|` between two ways to put it; nothing where the papers do not
    answer, and no answer is right."""

    @property
    def statuses(self) -> frozenset[Status]:
        return ANSWERS if self.told else DECLINES


class Session(NamedTuple):
    """Questions that follow each other in one conversation; most are alone."""

    workflow: str
    corpus: str
    asked: tuple[ModelQuestion, ...]


def _alone(workflow: str, corpus: str, *asked: ModelQuestion) -> tuple[Session, ...]:
    return tuple(Session(workflow, corpus, (one,)) for one in asked)


SESSIONS = (
    *_alone(
        "docs", "strategy",
        ModelQuestion("How many units a year can the Limerick plant build?", ("310",)),
        ModelQuestion(
            "What must exist before the first machine is installed on the Ostrava plot, according to the insurer?",
            ("emergency access",),
        ),
        ModelQuestion("What did the investment committee decide about Plover Controls?", ("16 september 2026",)),
        ModelQuestion(
            "How does the net promoter score differ between Ireland and Great Britain and continental Europe?",
            ("52", "29"),
        ),
        ModelQuestion("What does Niamh Corrigan earn?"),
        ModelQuestion("How large is the North American market for industrial heat pumps?"),
    ),
    *_alone(
        "strategy", "strategy",
        ModelQuestion("By when must the VT-200 test rig be ordered, and by whom?", ("30 april 2026", "okonjo")),
        ModelQuestion("Can Saturday work in Limerick close the capacity gap of 2027?", ("12",)),
        ModelQuestion("What is the capital budget of Project Heron for 2026 to 2028?"),
    ),
    *_alone(
        "finance", "finance",
        ModelQuestion("What was Ellandor's revenue in 2023?", ("601",)),
        ModelQuestion("Why did Laboratory Instruments decline in 2023?", ("stocks",)),
        ModelQuestion("By what percentage did Ellandor's revenue grow from 2022 to 2023?", ("3.7",)),
        ModelQuestion(
            "Which company had the higher operating margin in 2024, Ellandor or Brackwater?", ("ellandor", "13.0"),
        ),
        ModelQuestion("By what percentage did Brackwater's EBIT change in 2024?", ("23.7",)),
        ModelQuestion("What was Ellandor's revenue in the first quarter of 2024?"),
    ),
    Session("chat", "strategy", (
        ModelQuestion("When are first deliveries of the KW-190 promised?", ("third quarter of 2027|q3 2027",)),
        ModelQuestion("And when does series delivery of the VT-200 start?", ("second quarter of 2028|q2 2028",)),
    )),
    Session("chat", "strategy", (ModelQuestion("What does Niamh Corrigan earn?"),)),
)  # fmt: skip
