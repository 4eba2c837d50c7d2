"""What a formula is made of: tokens, numerals, and the commands that KaTeX draws or that are refused."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from docmind.domain.documents import Span
from docmind.quality.quantities.tokens import vocabulary

# One letter an argument: m mathematics, l lines of mathematics, t text, r raw (a colour, a length), d a delimiter,
# ? mathematics in square brackets that may be left out.
_WITH_ARGUMENTS = {
    "mm": "frac dfrac tfrac binom dbinom tbinom overset underset stackrel",
    "?mm": "cfrac",
    "?m": "sqrt xrightarrow xleftarrow xRightarrow xLeftarrow xleftrightarrow xmapsto xlongequal",
    "m": (
        "hat bar vec dot ddot dddot tilde check breve acute grave mathring widehat widetilde widecheck overline "
        "underline overbrace underbrace overrightarrow overleftarrow overleftrightarrow underrightarrow boxed cancel "
        "bcancel xcancel sout phantom hphantom vphantom smash mathrm mathit mathbf mathsf mathtt mathbb mathcal "
        "mathfrak mathscr mathnormal boldsymbol bm pmb operatorname operatorname* mathop mathbin mathrel mathord "
        "mathopen mathclose mathpunct mathinner pmod pod mathclap mathllap mathrlap overgroup undergroup Bbb bold"
    ),
    "l": "substack",
    "t": "text textrm textit textbf textsf texttt textnormal textup textmd mbox fbox tag tag*",
    "r": "color hspace hspace* hskip kern mkern mskip",
    "rm": "textcolor",
    "rt": "colorbox raisebox",
    "rr": "rule",
    "d": "big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm Bigm biggm Biggm middle",
}
_GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu nu xi omicron pi "
    "varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega digamma Gamma Delta Theta Lambda Xi Pi Sigma "
    "Upsilon Phi Psi Omega"
)
_OPERATORS = (
    "sum prod coprod int iint iiint oint bigcup bigcap bigvee bigwedge bigoplus bigotimes bigodot biguplus bigsqcup "
    "limits nolimits lim limsup liminf max min sup inf sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos "
    "arctan log ln lg exp det dim ker deg gcd hom arg Pr argmax argmin bmod mod pm mp times div cdot ast star circ "
    "bullet cap cup uplus sqcap sqcup vee wedge land lor lnot neg setminus smallsetminus oplus ominus otimes oslash "
    "odot dagger ddagger amalg wr diamond triangle bigtriangleup bigtriangledown triangleleft triangleright not"
)
_RELATIONS = (
    "le leq leqslant ge geq geqslant ne neq lt gt ll gg equiv sim simeq approx approxeq cong doteq propto asymp prec "
    "succ preceq succeq subset supset subseteq supseteq subsetneq supsetneq sqsubseteq sqsupseteq in ni notin mid nmid "
    "parallel nparallel perp vdash dashv models bowtie smile frown lesssim gtrsim lessapprox gtrapprox triangleq "
    "coloneqq eqqcolon nleq ngeq nless ngtr nsubseteq nsupseteq ncong nsim vartriangle therefore because iff implies "
    "impliedby"
)
_ARROWS = (
    "to gets leftarrow rightarrow leftrightarrow Leftarrow Rightarrow Leftrightarrow longleftarrow longrightarrow "
    "longleftrightarrow Longleftarrow Longrightarrow Longleftrightarrow mapsto longmapsto hookleftarrow hookrightarrow "
    "uparrow downarrow updownarrow Uparrow Downarrow Updownarrow nearrow searrow swarrow nwarrow rightleftharpoons "
    "leftharpoonup rightharpoonup leftharpoondown rightharpoondown leadsto rightsquigarrow"
)
_SIGNS = (
    "ldots cdots vdots ddots dots dotsc dotsb dotsm dotsi dotso infty partial nabla forall exists nexists emptyset "
    "varnothing complement angle measuredangle sphericalangle degree prime backprime backslash hbar hslash ell wp Re "
    "Im imath jmath aleph beth gimel eth top bot flat natural sharp surd clubsuit diamondsuit heartsuit spadesuit "
    "square Box blacksquare Diamond lozenge checkmark copyright circledR pounds euro yen S P textdollar "
    "textasciitilde textunderscore colon cdotp ldotp lbrack rbrack lbrace rbrace langle rangle lfloor rfloor lceil "
    "rceil lvert rvert lVert rVert vert Vert lgroup rgroup lmoustache rmoustache ulcorner urcorner llcorner lrcorner "
    "N R Z Q C space"
)
_LAYOUT = (
    "quad qquad enspace enskip thinspace medspace thickspace negthinspace negmedspace negthickspace nobreak "
    "allowbreak displaystyle textstyle scriptstyle scriptscriptstyle rm it bf sf tt cal tiny scriptsize small "
    "normalsize large Large LARGE huge Huge nonumber notag newline cr hline hdashline"
)

ARGUMENTS: dict[str, str] = {
    **{name: "" for words in (_GREEK, _OPERATORS, _RELATIONS, _ARROWS, _SIGNS, _LAYOUT) for name in words.split()},
    **{name: signature for signature, words in _WITH_ARGUMENTS.items() for name in words.split()},
}
"""Each known command, without its backslash, with the letters of its arguments."""

BRACELESS = vocabulary("frac dfrac tfrac binom text textrm mathrm mathbf mathit mathsf mathtt mathbb mathcal")
"""Commands that may themselves be an argument without braces: x^\\frac12, x_\\text{net}."""

_REFUSED_BECAUSE = {
    "reaches for files": "input include openin openout read write immediate closeout special",
    "defines what other commands mean": (
        "def gdef edef xdef let futurelet global newcommand renewcommand providecommand newenvironment catcode csname "
        "expandafter noexpand loop repeat"
    ),
    "links to something outside the answer": "href url includegraphics",
    "writes HTML": "htmlClass htmlId htmlStyle htmlData html",
    "loads or runs something else": "require usepackage documentclass directlua",
}
REFUSED: dict[str, str] = {name: why for why, words in _REFUSED_BECAUSE.items() for name in words.split()}
"""What each of these does that a formula has no business with."""

DELIMITERS = vocabulary(
    r"( ) [ ] | / . < > \{ \} \| \langle \rangle \lfloor \rfloor \lceil \rceil \lvert \rvert \lVert \rVert \vert \Vert "
    r"\lbrace \rbrace \lbrack \rbrack \uparrow \downarrow \updownarrow \Uparrow \Downarrow \Updownarrow \backslash "
    r"\lgroup \rgroup \lmoustache \rmoustache \ulcorner \urcorner \llcorner \lrcorner \lt \gt"
)
"""What \\left, \\right and the big family may stand before."""

CELLS_AND_ROWS = frozenset({"&", "\\\\", "\\cr", "\\hline", "\\hdashline"})
ROWS = CELLS_AND_ROWS - {"&"}
_TABULAR = vocabulary(
    "matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix array subarray cases rcases dcases drcases aligned "
    "alignedat split align align* alignat alignat*"
)
ENVIRONMENTS: dict[str, frozenset[str]] = {
    **dict.fromkeys(_TABULAR, CELLS_AND_ROWS),
    **dict.fromkeys(("gather", "gather*", "gathered"), ROWS),
    **dict.fromkeys(("equation", "equation*"), frozenset()),
}
"""Each known environment, with the marks that part its cells and rows."""
WITH_COLUMNS = vocabulary("array subarray alignedat alignat alignat*")
"""Environments that are told their columns in braces."""
DISPLAY_ONLY = vocabulary("align align* alignat alignat* gather gather* equation equation*")
"""Environments that stand on a line of their own."""


_TOKEN = re.compile(r"\\(?:(?:operatorname|hspace|tag)\*|[A-Za-z]++|[\s\S]?+)|[0-9]++|[^\\0-9]")


class Token(NamedTuple):
    """A piece of a formula; a command has its backslash."""

    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def is_digits(self) -> bool:
        return "0" <= self.text[0] <= "9"

    @property
    def is_command(self) -> bool:
        """Whether it is a command named by letters."""
        return self.text[0] == "\\" and self.text[1:2].isalpha()


def cut(text: str, body: Span) -> list[Token]:
    """The tokens of a formula; blanks between them mean nothing in mathematics and are left out."""
    return [
        Token(match[0], *match.span())
        for match in _TOKEN.finditer(text, body.start, body.end)
        if not match[0].isspace()
    ]


_GROUPS = 10
"""Groups of three that are looked for: more digits are no amount."""


class Numeral(NamedTuple):
    """A number as digits and a decimal point alone; `end` is the token after it."""

    digits: str
    end: int


def read_numeral(tokens: Sequence[Token], index: int) -> Numeral | None:
    """The number that begins at `index`: 601, 655,230.5 or 655{,}230 or 655\\,230, or .5."""
    digits, end = _grouped(tokens, index) if tokens[index].is_digits else ("", index)
    pointed = end < len(tokens) and tokens[end].text == "." and (end == index or _touches(tokens, end))
    if pointed and _are_digits(tokens, end + 1):
        return Numeral(f"{digits or '0'}.{tokens[end + 1].text}", end + 2)
    return Numeral(digits, end) if digits else None


def _grouped(tokens: Sequence[Token], index: int) -> tuple[str, int]:
    digits, end = tokens[index].text, index + 1
    if len(digits) > 3:
        return digits, end
    for _ in range(_GROUPS):
        following = _after_separator(tokens, end)
        if following is None or len(tokens[following].text) != 3:
            break
        digits, end = digits + tokens[following].text, following + 1
    return digits, end


def _after_separator(tokens: Sequence[Token], index: int) -> int | None:
    """Where the digits stand that a separator at `index` joins to the ones before it."""
    pieces = [token.text for token in tokens[index : index + 3]]
    width = 3 if pieces == ["{", ",", "}"] else 1 if pieces[:1] in ([","], ["\\,"]) else 0
    end = index + width
    glued = all(_touches(tokens, at) for at in range(index, end)) and _are_digits(tokens, end)
    return end if width and glued else None


def _are_digits(tokens: Sequence[Token], index: int) -> bool:
    return index < len(tokens) and tokens[index].is_digits and _touches(tokens, index)


def _touches(tokens: Sequence[Token], index: int) -> bool:
    """Whether nothing stands between the token and the one before it."""
    return index > 0 and tokens[index - 1].end == tokens[index].start
