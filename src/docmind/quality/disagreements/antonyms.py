"""Words that say the opposite of one another, by the scale that they are the two ends of."""

from docmind.quality.forms import base_form
from docmind.quality.quantities import Agreement

_SCALES = """
rise increase grow climb gain jump surge soar expand growth advance upturn widen escalate heighten raise
    / fall decrease decline drop shrink plunge plummet slump contract reduce reduction diminish downturn narrow lower
high higher highest / low lower lowest
up upward upwards upper / down downward downwards lower
more / less fewer
most / least fewest
majority / minority
above over / below under beneath
before prior earlier previous previously preceding precede / after following later subsequent subsequently follow
first initial initially / last final finally
large larger largest big bigger biggest great greater greatest / small smaller smallest little
long longer longest / short shorter shortest
early earlier earliest / late later latest
fast faster fastest quick quickly rapid rapidly accelerate / slow slower slowest slowly gradual gradually decelerate
strong stronger strongest strengthen / weak weaker weakest weaken
open / close closed shut
buy purchase acquire / sell sale divest
win victory / lose defeat loss
profit gain / loss
surplus / deficit
accept approve / reject refuse decline
include inclusive / exclude omit
allow permit enable authorize / prohibit forbid ban prevent disable block
begin start commence beginning / end ending finish stop cease conclude
support favor favour / oppose
add addition / remove removal subtract delete
improve improvement better best / worsen deteriorate worse worst
success succeed successful successfully / failure fail
positive positively / negative negatively
true / false
always / never
all every each / none
many / few
import / export
north northern / south southern
east eastern / west western
left / right
hot warm / cold cool
old older oldest / young younger youngest new newer newest
rich richer / poor poorer
easy easily easier / difficult hard harder
public publicly / private privately
inside within / outside
arrive arrival enter / depart departure leave exit
appear / disappear vanish
create build establish / destroy demolish dissolve abolish
attack / defend
alive / dead
same / different
major / minor
maximum / minimum
domestic / foreign
internal / external
safe / dangerous
common / rare
activate activation active promote stimulate / deactivate inactivate inhibit inhibition suppress
presence present / absence absent
optional / mandatory required
upregulate upregulation / downregulate downregulation
benign / malignant
acute / chronic
primary / secondary
married / divorced
ascend ascending / descend descending
encourage / discourage
confirm / deny refute
guilty / innocent
heavy heavier / light lighter
wide wider / narrow narrower
thick thicker / thin thinner
deep deeper / shallow
wet / dry
full / empty
credit / debit
asset / liability
lend / borrow
appoint hire / dismiss fire resign
upgrade / downgrade
premium / discount
connect / disconnect
day daytime / night
summer / winter
front / back rear
top / bottom
war / peace
friend ally / enemy
love like / hate dislike
remember / forget
male man boy / female woman girl
husband / wife
son brother / daughter sister
father / mother
""".replace("\n    /", " /").strip()  # fmt: skip
"""One scale a line, the words of its one end and of its other."""


def _poles() -> dict[str, dict[int, int]]:
    poles: dict[str, dict[int, int]] = {}
    for scale, line in enumerate(_SCALES.split("\n")):
        for end, words in enumerate(line.split("/")):
            for word in words.split():
                poles.setdefault(base_form(word), {})[scale] = end
    return poles


_POLES = _poles()


def has_opposite(key: str) -> bool:
    return key in _POLES


def compare_ends(a: str, b: str) -> Agreement:
    """Whether two words stand at the same end of a scale, at opposite ends, or on no scale together."""
    if a == b:
        return Agreement.AGREE
    mine, theirs = _POLES[a], _POLES[b]
    shared = mine.keys() & theirs.keys()
    if not shared:
        return Agreement.INCOMPARABLE
    same = any(mine[scale] == theirs[scale] for scale in shared)
    return Agreement.AGREE if same else Agreement.DISAGREE
