"""A number that was computed: its formula with the numbers put in, what it rests on, and how it was rounded."""

from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction

from docmind.quality.quantities.agreement import Agreement, agrees
from docmind.quality.quantities.figure import Figure
from docmind.quality.quantities.period import Period
from docmind.quality.quantities.quantity import WORKING_DIGITS, Quantity


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a number was not computed, as a sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Computed:
    """A result with its whole derivation; it is evidence because everything in it can be checked again."""

    label: str
    formula: str
    """As text: (655,230 − 601,020) / 601,020 = 9.0%."""
    latex: str
    operands: "tuple[Operand, ...]"
    quantity: Quantity
    """The result as it is shown."""
    exact: Fraction
    """The result before rounding, in base scale; of a root that is not rational, as many digits as `rounding` says."""
    rounding: str
    period: Period | None = None
    scale: Decimal = Decimal(1)
    named: bool = False
    """Whether the label is a name of its own, such as free cash flow, and not what was done with which figures."""

    @property
    def sources(self) -> tuple[Figure, ...]:
        """The figures it rests on in the end, through whatever was computed in between."""
        return tuple(
            figure
            for operand in self.operands
            for figure in (operand.sources if isinstance(operand, Computed) else (operand,))
        )

    def confirms(self, claimed: Quantity) -> Agreement:
        """Whether a number in an answer is this result, as precisely as the answer writes it."""
        with localcontext(prec=WORKING_DIGITS):
            exact = Decimal(self.exact.numerator) / Decimal(self.exact.denominator)
        return agrees(replace(self.quantity, value=exact, step=Decimal(0)), claimed)


Operand = Figure | Computed


def exact_value(operand: Operand) -> Fraction:
    """Its value without any rounding, so that a calculation on a result loses nothing."""
    return operand.exact if isinstance(operand, Computed) else Fraction(operand.quantity.value)
