"""A result in the form that the question asks for: its scale, its decimals, basis points."""

from dataclasses import replace
from decimal import Decimal

from docmind.quality.quantities import Computed, Operand, write
from docmind.quality.quantities.derivation import rounded
from docmind.quality.quantities.writing import latex_number, latex_unit
from docmind.skills.finance.number_format import NumberFormat


def in_form(result: Operand, form: NumberFormat) -> Operand:
    """The same number in another scale or with other decimals; a figure keeps all the digits it was printed with."""
    scale = form.scale if form.scale is not None and result.quantity.unit == "money" else result.scale
    if not isinstance(result, Computed):
        return replace(result, scale=scale)
    step = Decimal(1).scaleb(-form.places) * scale if form.places is not None else result.quantity.step
    if (scale, step) == (result.scale, result.quantity.step):
        return result
    shown = replace(result.quantity, value=rounded(result.exact, step), step=step)
    text = write(shown, scale)
    number = latex_number(shown.value / scale, step / scale) + latex_unit(shown, scale)
    formula, latex = (side.rpartition(" ")[0] for side in (_left(result.formula), _left(result.latex)))
    if scale > result.scale and result.quantity.unit == "money":
        # The figures in it stay in their own scale.
        by = f"{scale / result.scale:,f}"
        formula, latex = f"({formula}) / {by}", rf"\frac{{{latex}}}{{{latex_number(scale / result.scale, Decimal(1))}}}"
    return replace(
        result,
        quantity=replace(shown, text=text),
        formula=f"{formula} = {text}",
        latex=f"{latex} = {number}",
        scale=scale,
    )


def _left(formula: str) -> str:
    """What stands before the result, with the sign."""
    return formula.replace("≈", "=").replace(r"\approx", "=").rpartition("=")[0] + "="
