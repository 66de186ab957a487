"""The intermediate representation: a Program is fields, tables, groups of pieces and functions.

A function is a graph of blocks over mutable registers. A register holds an integer (32 bits, wraps;
-1 is "none" for things, 0 and 1 are the flags) or a set of small integers (bit k says that k is in
it). An operand is a register's name or an integer constant; what it means as a set follows from
the instruction. Nothing here knows where a field lies: that is the layout's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Operand: TypeAlias = "str | int"
RegType: TypeAlias = Literal["i", "s"]

# ------------------------------------------------------------------ instructions


@dataclass(frozen=True, slots=True)
class Copy:
    """d := a."""

    d: str
    a: Operand


IntOp: TypeAlias = Literal[
    "add", "sub", "mul", "div", "mod", "min", "max", "eq", "ne", "lt", "le", "and", "or"
]
SetOp: TypeAlias = Literal["union", "inter", "minus", "same", "differ", "within"]


@dataclass(frozen=True, slots=True)
class Bin:
    """d := a op b on integers. div and mod floor, and give 0 for a zero divisor."""

    d: str
    op: IntOp
    a: Operand
    b: Operand


@dataclass(frozen=True, slots=True)
class SetBin:
    """d := a op b on sets; same, differ, within (a is a subset of b) give flags."""

    d: str
    op: SetOp
    a: Operand
    b: Operand


@dataclass(frozen=True, slots=True)
class Not:
    """d := 1 if a is 0 else 0."""

    d: str
    a: Operand


@dataclass(frozen=True, slots=True)
class Select:
    """d := a if c else b; both are known already. d and a, b are of one type."""

    d: str
    c: Operand
    a: Operand
    b: Operand


@dataclass(frozen=True, slots=True)
class Load:
    """d := field[i]; index -1 gives the field's ``absent`` value."""

    d: str
    field: str
    i: Operand


@dataclass(frozen=True, slots=True)
class Store:
    """field[i] := a; outside the range is the fault RANGE."""

    field: str
    i: Operand
    a: Operand
    site: int = -1


@dataclass(frozen=True, slots=True)
class LoadSet:
    """d := the set kept in field[i]; index -1 gives the empty set."""

    d: str
    field: str
    i: Operand


@dataclass(frozen=True, slots=True)
class StoreSet:
    """field[i] := the set a."""

    field: str
    i: Operand
    a: Operand
    site: int = -1


@dataclass(frozen=True, slots=True)
class Lookup:
    """d := table[i]; index -1 gives the table's ``absent`` value; sets and integers alike."""

    d: str
    table: str
    i: Operand


@dataclass(frozen=True, slots=True)
class Contents:
    """d := the set of the group's pieces that lie in zone z; none for z = -1."""

    d: str
    group: str
    z: Operand


@dataclass(frozen=True, slots=True)
class Lying:
    """d := the set of the group's pieces that lie in one of the zones a, a + 1, ..., b - 1."""

    d: str
    group: str
    a: Operand
    b: Operand


@dataclass(frozen=True, slots=True)
class Held:
    """d := the set of those k for which zone number k of the plane holds a piece of class ``a``;
    none for a number that is no class."""

    d: str
    plane: str
    a: Operand


@dataclass(frozen=True, slots=True)
class Preimage:
    """d := the set of those k for which table[k] is in s."""

    d: str
    table: str
    s: Operand


@dataclass(frozen=True, slots=True)
class Covers:
    """d := whether one of the n sets table[i], table[i + 1], ... lies inside s."""

    d: str
    table: str
    i: Operand
    n: int
    s: Operand


@dataclass(frozen=True, slots=True)
class Where:
    """d := the zone in which piece p of the group lies; -1 for p = -1."""

    d: str
    group: str
    p: Operand


@dataclass(frozen=True, slots=True)
class Move:
    """Piece p of the group goes to zone z, at position ``at`` of an ordered zone (large: the end).

    To where it lies already it does nothing, and neither does p = -1; z = -1 is the fault INDEX.
    A zone that is full is the fault FULL. The only instruction that moves anything.

    Places of an ordered zone run from 0 (left, bottom) without a hole; pieces share a place after
    ``Mix``. ``at`` counts places: 0 lies below everything, a number beyond the last above
    everything; those at ``at`` and above move up by one. A removal closes the gap that it leaves.
    In a zone that keeps gaps ``at`` is the slot (one that is taken is the fault FULL); a number
    that is no slot means the first free one.
    """

    group: str
    p: Operand
    z: Operand
    at: Operand
    site: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Pieces a and b change zones and places; -1 for either changes nothing."""

    group: str
    a: Operand
    b: Operand
    site: int


@dataclass(frozen=True, slots=True)
class Mix:
    """The pieces of the group in zone z get an order that nobody knows: they share place 0.

    In a zone without order it is only an event; one that keeps gaps is the fault INDEX.
    """

    group: str
    z: Operand
    site: int


@dataclass(frozen=True, slots=True)
class Has:
    """d := whether i is in the set s; any other number is not."""

    d: str
    s: Operand
    i: Operand


@dataclass(frozen=True, slots=True)
class With:
    """d := s with i; s for i = -1; INDEX for what no set of the program can hold."""

    d: str
    s: Operand
    i: Operand


@dataclass(frozen=True, slots=True)
class Without:
    """d := s without i, which need not be in it."""

    d: str
    s: Operand
    i: Operand


@dataclass(frozen=True, slots=True)
class Shift:
    """d := the set of k + by for each k in s; ``by`` is not negative; too large is INDEX."""

    d: str
    s: Operand
    by: int


@dataclass(frozen=True, slots=True)
class First:
    """d := the smallest member of s, or -1."""

    d: str
    s: Operand


@dataclass(frozen=True, slots=True)
class Size:
    """d := how many members s has."""

    d: str
    s: Operand


@dataclass(frozen=True, slots=True)
class Order:
    """d := the member of s whose place in the group's order is least (most), or -1.

    The smallest of those that share a place; in a group without order the smallest of all.
    """

    d: str
    group: str
    s: Operand
    end: Literal["least", "most"]


@dataclass(frozen=True, slots=True)
class Front:
    """d := the set of the members of s whose place in the group's order is most.

    That is the top of a pile: more than one piece where the order is not known (``Mix``).
    """

    d: str
    group: str
    s: Operand


@dataclass(frozen=True, slots=True)
class Distinct:
    """d := s, but of pieces that cannot be told apart (``alike``, one zone) only the smallest."""

    d: str
    group: str
    s: Operand


@dataclass(frozen=True, slots=True)
class Gain:
    """field[i] += a, clamped to the range; a ledger entry with the change that really happened
    (none where a is 0)."""

    field: str
    i: Operand
    a: Operand
    site: int


@dataclass(frozen=True, slots=True)
class Roll:
    """d := a member of s by chance, all alike likely; the fault EMPTY where s is empty.

    The only member of a set is no chance: nothing is drawn, recorded or asked for.
    """

    d: str
    s: Operand
    label: str
    site: int = -1


@dataclass(frozen=True, slots=True)
class Check:
    """Fault ``code`` where c is 0."""

    c: Operand
    code: str
    site: int


@dataclass(frozen=True, slots=True)
class Emit:
    """An event for those who watch; nothing at all in a silent build."""

    event: str
    args: tuple[Operand, ...]
    site: int


@dataclass(frozen=True, slots=True)
class CallFn:
    """d := function(args). The linker cuts the block where the function is framed."""

    d: str
    fn: str
    args: tuple[Operand, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Within:
    """d := whether a frame of ``fn`` (which is framed for that reason) is under way with these
    first arguments."""

    d: str
    fn: str
    args: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Fuel:
    """Burns one unit; at the head of each loop that does not use up a set."""


Instruction: TypeAlias = (
    Copy
    | Bin
    | SetBin
    | Not
    | Select
    | Load
    | Store
    | LoadSet
    | StoreSet
    | Lookup
    | Contents
    | Lying
    | Held
    | Preimage
    | Covers
    | Where
    | Move
    | Swap
    | Mix
    | Has
    | With
    | Without
    | Shift
    | First
    | Size
    | Order
    | Front
    | Distinct
    | Gain
    | Roll
    | Check
    | Emit
    | CallFn
    | Within
    | Fuel
)

# ------------------------------------------------------------------ terminators


@dataclass(frozen=True, slots=True)
class Jump:
    """Go on at block ``to``."""

    to: int


@dataclass(frozen=True, slots=True)
class Branch:
    """Go on at ``a`` where c is not 0, else at ``b``."""

    c: Operand
    a: int
    b: int


@dataclass(frozen=True, slots=True)
class Switch:
    """Go on at to[a], or at ``other`` where a is outside."""

    a: Operand
    to: tuple[int, ...]
    other: int


@dataclass(frozen=True, slots=True)
class Return:
    """The function answers a."""

    a: Operand


@dataclass(frozen=True, slots=True)
class Decide:
    """Stop until ``actor`` has chosen among the options of the decision; goes on at ``to`` with
    the candidate in d."""

    d: str
    decision: str
    actor: Operand
    args: tuple[Operand, ...]
    to: int
    label: str


@dataclass(frozen=True, slots=True)
class Gather:
    """Stop until every member of ``players`` has chosen, in any order; answers lie in the
    decision's answer fields (row = player); goes on at ``to``.

    Before it, the rows of all players in these fields are set to their initial values. Nobody to
    ask: it goes on at once. The counts of stages are 0 again afterwards; the answers stay."""

    decision: str
    players: Operand
    to: int
    label: str


@dataclass(frozen=True, slots=True)
class Enter:
    """A call of a framed function; made by the linker from ``CallFn``."""

    d: str
    fn: str
    args: tuple[Operand, ...]
    to: int
    label: str


@dataclass(frozen=True, slots=True)
class StopRule:
    """Unwind through the innermost ``fn`` that is under way; nothing happens inside it any more.

    The call that is unwound answers 0. None under way: the fault STOP."""

    fn: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Unwind through the outermost frame whose first argument is player ``p``; if there is none,
    through the outermost plain call of that kind; if there is none either, go on at ``to``.

    Only functions with ``player_first`` count. The call that is unwound answers 0."""

    p: Operand
    to: int


@dataclass(frozen=True, slots=True)
class End:
    """The game is over."""


Terminator: TypeAlias = (
    Jump | Branch | Switch | Return | Decide | Gather | Enter | StopRule | Leave | End
)

# ------------------------------------------------------------------ the parts of a program


@dataclass(slots=True)
class Block:
    """Straight code and where it leads."""

    code: list[Instruction] = field(default_factory=list)
    end: Terminator | None = None


@dataclass(slots=True)
class Function:
    """A rule, a piece of one, an options function, a condition.

    ``types`` gives every register's type; ``params`` are the first registers. ``pure`` functions
    write nothing, ask nothing and draw nothing. ``rule`` is the record it comes from, for events
    and messages; ``begins`` says that entering it is an event (the rule happens). ``depth`` > 0
    allows recursion to that many. ``framed`` is set by the linker, or beforehand by force (for
    ``Within``). ``player_first``: the first parameter is a player (for ``Leave``).
    """

    name: str
    params: tuple[str, ...]
    types: dict[str, RegType]
    blocks: list[Block]
    pure: bool = False
    rule: str = ""
    begins: bool = False
    site: int = -1
    depth: int = 0
    framed: bool = False
    player_first: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """``n`` numbers in low..high. ``seen``: to all, to the owner (index i is seen by player
    ``viewers[i]``), to nobody."""

    name: str
    n: int
    low: int
    high: int
    init: tuple[int, ...]
    absent: int = 0
    seen: Literal["all", "owner", "nobody"] = "all"
    viewers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SetField:
    """``n`` sets over 0..bits-1."""

    name: str
    n: int
    bits: int
    init: tuple[int, ...]
    seen: Literal["all", "owner", "nobody"] = "all"
    viewers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Constant integers or sets."""

    name: str
    type: RegType
    rows: tuple[int, ...]
    absent: int = 0


@dataclass(frozen=True, slots=True)
class ZoneInstance:
    """One zone of a group: ``hand`` of player 2.

    ``capacity`` -1 is no limit. ``keeps_gaps``: pieces keep their place (slots). ``viewer`` is the
    player who sees it where ``seen`` is ``owner``.
    """

    name: str
    index: int
    """The member of the zone's ``each`` kind, or -1."""
    ordered: bool = False
    keeps_gaps: bool = False
    capacity: int = -1
    seen: Literal["all", "owner", "nobody"] = "all"
    viewer: int = -1


@dataclass(frozen=True, slots=True)
class Group:
    """The pieces of one kind: each lies in exactly one of the group's zones.

    State: the zone of each piece, the pieces of each zone as a set (kept in step by ``Move``
    alone), the place of each piece in its zone where any zone is ordered.
    """

    name: str
    n: int
    zones: tuple[ZoneInstance, ...]
    start: tuple[int, ...]
    """The zone of each piece at the start; in ordered zones in the order of the pieces."""
    alike: tuple[int, ...]
    """A number for each piece; pieces with one number cannot be told apart."""
    viewers: tuple[int, ...] = ()

    @property
    def ordered(self) -> bool:
        """Whether any of its zones has an order."""
        return any(zone.ordered for zone in self.zones)


@dataclass(frozen=True, slots=True)
class Plane:
    """The zones base..base+n-1 of a group as sets, one for each class of pieces: which zones hold
    one of the class.

    Part of the state, and kept in step by what moves pieces. ``classes``: the class of each piece,
    from 0; -1 for none.
    """

    name: str
    group: str
    base: int
    n: int
    classes: tuple[int, ...]

    @property
    def many(self) -> int:
        """How many classes there are."""
        return max(self.classes, default=-1) + 1


@dataclass(frozen=True, slots=True)
class Stage:
    """One question of a decision: candidates 0..size-1, of which ``options(args)`` are allowed.

    ``answers`` is the field that keeps the answer while others still choose (``Gather`` only).
    """

    name: str
    size: int
    options: str
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What is asked at one place. A ``Decide`` has one stage; a ``Gather`` one or more: the
    options function of stage k gets the player and the k answers before it."""

    name: str
    stages: tuple[Stage, ...]
    pending: str = ""
    """``Gather``: the field that counts the stages each player has answered."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the rules: the record's path and the file position that messages show."""

    rule: str
    file: str
    line: int
    column: int
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """Who has won, once the game is over: see `interpreter.ir.words` for what ``stop game`` says.

    Where it said nothing, those still in who have most of the first field of ``most``, then of the
    next, then least of ``least``; nobody where ``by_stop``. ``solo``: a pure function that decides
    for one player alone.
    """

    by_stop: bool = False
    most: tuple[str, ...] = ()
    least: tuple[str, ...] = ()
    solo: str = ""


@dataclass(slots=True)
class Program:
    """A whole game for one number of players and one setting of its options."""

    name: str
    players: int
    main: str
    fields: dict[str, Field] = field(default_factory=dict)
    set_fields: dict[str, SetField] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    planes: dict[str, Plane] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    result: Result = Result()
    fuel: int = 100_000
    set_bits: int = 0
    """Sets need at least so many bits; what fields, groups, tables and stages need is added."""
