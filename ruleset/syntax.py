"""The syntax tree: expressions, effects and the records of a game file. Frozen, without meaning.

Every node has the place it was written at. Nodes compare by identity, so that what later stages
find out about a node (its type, what its names mean) can lie in tables beside the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, dataclass_transform

from ruleset.source import Span

_C = TypeVar("_C")


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: type[_C]) -> type[_C]:
    """A node of the tree: frozen, compared by identity."""
    return dataclass(frozen=True, slots=True, eq=False)(cls)


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """``3``."""

    span: Span
    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """``true`` or ``false``."""

    span: Span
    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class Nothing:
    """``none``: no thing."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """``me``."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """``of.name``; ``name_span`` is the part after the dot."""

    span: Span
    of: Expr
    name: str
    name_span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """``name(args)``: a value, or something built in."""

    span: Span
    name: str
    name_span: Span
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CallOf:
    """``of.name(args)``: code that lies on a piece."""

    span: Span
    of: Expr
    name: str
    name_span: Span
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SetOf:
    """``(a, b)``, and ``()`` for the empty set."""

    span: Span
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """``low..high``: the numbers from low to high, both included."""

    span: Span
    low: Expr
    high: Expr


UnaryOp: TypeAlias = Literal["not", "-"]
BinaryOp: TypeAlias = Literal[
    "and", "or", "is", "is not", "<", "<=", ">", ">=", "in", "not in", "+", "-", "*", "/", "%"
]


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """``not a`` or ``-a``."""

    span: Span
    op: UnaryOp
    a: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """``a op b``."""

    span: Span
    op: BinaryOp
    a: Expr
    b: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """``if condition then a else b``."""

    span: Span
    condition: Expr
    a: Expr
    b: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Default:
    """``(a else b)``: b where a is none."""

    span: Span
    a: Expr
    b: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """``name in source if condition``: the one way to go through a set."""

    span: Span
    name: str
    name_span: Span
    source: Expr
    condition: Expr | None


Source_: TypeAlias = "Expr | Clause"


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """``any(S)``, ``any(x in S if C)``, ``all(x in S if C)``: for ``all``, each x is so."""

    span: Span
    kind: Literal["any", "all"]
    source: Source_


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """``count(S)`` or ``count(x in S if C)``."""

    span: Span
    source: Source_


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    """``first(S)`` or ``last(S)``: a member, or none."""

    span: Span
    kind: Literal["first", "last"]
    source: Source_


@dataclass(frozen=True, slots=True, eq=False)
class Those:
    """``those(x in S if C)``, or ``those(of for x in S if C)``: a set."""

    span: Span
    of: Expr | None
    clause: Clause


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """``sum(of for x in S)``, ``min(...)``, ``max(...)``."""

    span: Span
    kind: Literal["sum", "min", "max"]
    of: Expr
    clause: Clause


@dataclass(frozen=True, slots=True, eq=False)
class Extreme:
    """``min(a, b)`` or ``max(a, b, c)``."""

    span: Span
    kind: Literal["min", "max"]
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """``highest(of for x in S)`` or ``lowest(...)``: the set of the x for which it is so."""

    span: Span
    kind: Literal["highest", "lowest"]
    of: Expr
    clause: Clause


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """``stretch(x in ROW if C)``: the members at the front of a row for which C holds."""

    span: Span
    clause: Clause


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """``reach(x in START, y in STEP)``: all that can be reached from START, step by step."""

    span: Span
    start: Clause
    step: Clause


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """``name(args)`` as it is offered: without the player who is asked."""

    span: Span
    name: str
    name_span: Span
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Can:
    """``who can action``: whether the action could be offered to that player now."""

    span: Span
    who: Expr
    action: Action


@dataclass(frozen=True, slots=True, eq=False)
class Within:
    """``within rule(args)``: whether such a rule is under way; without arguments, any such."""

    span: Span
    name: str
    name_span: Span
    args: tuple[Expr, ...] | None


Expr: TypeAlias = (
    Number
    | Truth
    | Nothing
    | Name
    | Attribute
    | Call
    | CallOf
    | SetOf
    | Numbers
    | Unary
    | Binary
    | Conditional
    | Default
    | Test
    | Count
    | Pick
    | Those
    | Fold
    | Extreme
    | Best
    | Stretch
    | Reach
    | Can
    | Within
)


# ------------------------------------------------------------------ effects

Block: TypeAlias = "tuple[Effect, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """``let name = value``."""

    span: Span
    name: str
    name_span: Span
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class SetMark:
    """``set target to value``."""

    span: Span
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Gain:
    """``gain amount counter`` or ``lose amount counter``."""

    span: Span
    kind: Literal["gain", "lose"]
    amount: Expr
    counter: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Pay:
    """``pay amount counter to other``: all or nothing."""

    span: Span
    amount: Expr
    counter: Expr
    to: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """``move what to place at end``: a piece, a set of pieces, a whole zone."""

    span: Span
    what: Expr
    to: Expr
    at: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """``draw amount from zone to zone``: at most what is there."""

    span: Span
    amount: Expr
    source: Expr
    to: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Shuffle:
    """``shuffle zone``."""

    span: Span
    zone: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Reveal:
    """``reveal what`` or ``reveal what to players``: until the piece next moves."""

    span: Span
    what: Expr
    to: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Flip:
    """``flip what to side``."""

    span: Span
    what: Expr
    side: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Swap:
    """``swap a with b``: two pieces change places."""

    span: Span
    a: Expr
    b: Expr


@dataclass(frozen=True, slots=True, eq=False)
class RollValue:
    """``roll x in S if C``: chance picks, and the name is bound from here on."""

    span: Span
    clause: Clause


@dataclass(frozen=True, slots=True, eq=False)
class RollPieces:
    """``roll dice``: each piece falls on one of its sides."""

    span: Span
    what: Expr


@dataclass(frozen=True, slots=True, eq=False)
class DoBase:
    """``do base``: what is being replaced."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """``stop name``; for the game also ``won by P``, ``lost``, ``drawn``."""

    span: Span
    name: str
    name_span: Span
    won_by: Expr | None
    ending: Literal["", "lost", "drawn"]


@dataclass(frozen=True, slots=True, eq=False)
class Eliminate:
    """``eliminate player``."""

    span: Span
    who: Expr


@dataclass(frozen=True, slots=True, eq=False)
class DoNothing:
    """``nothing``."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Happen:
    """``rule(args)``, or with ``of`` the code on a piece: ``card.event(me)``."""

    span: Span
    of: Expr | None
    name: str
    name_span: Span
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """``P may A``, ``P must A``, ``P must one of A, B else X``."""

    span: Span
    who: Expr
    kind: Literal["may", "must"]
    offers: tuple[Action, ...]
    otherwise: Effect | None


@dataclass(frozen=True, slots=True, eq=False)
class Amount:
    """How many are chosen: exactly (``low is high``), from..to, or up to (``low`` is 0)."""

    span: Span
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Choose:
    """``P chooses x in S``; ``P chooses 2 x in S as them``, where ``them`` is the chosen set."""

    span: Span
    who: Expr
    clause: Clause
    amount: Amount | None
    as_name: str | None
    as_span: Span | None
    otherwise: Effect | None


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """``if condition then ... else ...``."""

    span: Span
    condition: Expr
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """``for x in S if C``, with ``from q`` (seats clockwise) or ``chosen by p``."""

    span: Span
    clause: Clause
    start: Expr | None
    chooser: Expr | None
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Repeat:
    """``repeat n times``."""

    span: Span
    times: Expr
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class RepeatUntil:
    """``repeat until condition at most limit times``: reaching the limit is a fault."""

    span: Span
    condition: Expr
    limit: Expr
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """``together p in S do p must A``: all choose before anybody sees."""

    span: Span
    clause: Clause
    ask: Ask


Effect: TypeAlias = (
    Let
    | SetMark
    | Gain
    | Pay
    | Move
    | Draw
    | Shuffle
    | Reveal
    | Flip
    | Swap
    | RollValue
    | RollPieces
    | DoBase
    | Stop
    | Eliminate
    | DoNothing
    | Happen
    | Ask
    | Choose
    | If
    | For
    | Repeat
    | RepeatUntil
    | Together
)


# ------------------------------------------------------------------ pieces of records


@dataclass(frozen=True, slots=True, eq=False)
class Ident:
    """A name on its own, with its place."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Header:
    """``name(first, second)``: the key of a rule, a pattern, a condition of a hook."""

    span: Span
    name: str
    name_span: Span
    params: tuple[Ident, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """One named condition; ``name`` is empty where ``if`` is a single expression."""

    span: Span
    name: str
    test: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """An entry of ``choose``: ``goal: in neighbours(here) if C``, ``bags: 2 in S if C``."""

    span: Span
    name: str
    amount: Amount | None
    clause: Clause


@dataclass(frozen=True, slots=True, eq=False)
class CostCounter:
    """``3 me.coins to owner.coins``."""

    span: Span
    amount: Expr
    counter: Expr
    to: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class CostPieces:
    """``2 card in me.hand if C to discard``."""

    span: Span
    amount: Expr
    clause: Clause
    to: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class CostEach:
    """``for x in LIST pay y in S if C to discard``: a piece for each member; each pays once."""

    span: Span
    item: Clause
    piece: Clause
    """Its source and condition may use the name of ``item``."""
    to: Expr | None


Cost: TypeAlias = CostCounter | CostPieces | CostEach


@dataclass(frozen=True, slots=True, eq=False)
class CostEntry:
    """A named entry of ``costs``: one of ``ways``."""

    span: Span
    name: str
    ways: tuple[Cost, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Hook:
    """``before X(names)``; ``subject`` tells a rule from a change of a counter or a zone."""

    span: Span
    when: Literal["before", "after", "instead of"]
    subject: Literal["rule", "gain", "lose", "enter", "leave", "field"]
    name: str
    name_span: Span
    field: str
    """For ``field``: the code of piece type ``name`` that is hooked, ``joker.event``."""
    params: tuple[Ident, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """``x in S if C from q``: whose turn it is, in a step of the flow."""

    span: Span
    clause: Clause
    start: Expr | None


# ------------------------------------------------------------------ types as they are written


@dataclass(frozen=True, slots=True, eq=False)
class NumberType:
    """``2..4``; an open end is None."""

    span: Span
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True, eq=False)
class NamedType:
    """``flag``, a kind, ``K or none``, ``set of K``, ``list of K``."""

    span: Span
    name: str
    name_span: Span
    shape: Literal["one", "or none", "set", "list"]


@dataclass(frozen=True, slots=True, eq=False)
class CodeType:
    """``effect(me)`` or ``condition(me)``: the names are the parameters."""

    span: Span
    kind: Literal["effect", "condition"]
    params: tuple[Ident, ...]


TypeExpr: TypeAlias = NumberType | NamedType | CodeType


# ------------------------------------------------------------------ records of a game file


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Record:
    """What every named record has."""

    span: Span
    """The record with its key."""
    name: str
    name_span: Span
    path: str
    """Where it stands: ``rules.drive``, ``pieces.tool.types.sail.while held.fast``."""
    cites: tuple[Ident, ...] = ()
    assumed: tuple[Ident, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Step(Record):
    """A step of the flow: ``steps``, or ``repeat``, or ``do``, perhaps ``each`` or ``together``."""

    kind: Literal["", "set-up", "round", "phase", "turn", "scoring"] = ""
    steps: tuple[Ident, ...] = ()
    repeat: Ident | None = None
    times: Expr | None = None
    until: Expr | None = None
    counts: Expr | None = None
    each: Order | None = None
    together: Order | None = None
    live: bool = False
    """``order: live``: who is next is looked up anew after each."""
    conditions: tuple[Condition, ...] = ()
    do: Block = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ValueRule(Record):
    """``is``: a value, with its bounds after all modifiers."""

    params: tuple[Ident, ...]
    value: Expr
    at_least: Expr | None = None
    at_most: Expr | None = None
    spare: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EffectRule(Record):
    """A rule; with ``choose``, ``needs``, ``costs`` an action; with ``when`` a hook."""

    params: tuple[Ident, ...]
    kind: Literal["", "turn"] = ""
    when: tuple[Hook, ...] = ()
    over: tuple[Ident, ...] = ()
    over_chosen_by: Expr | None = None
    counts_as: Header | None = None
    with_: tuple[tuple[Ident, Expr], ...] = ()
    choose: tuple[Domain, ...] = ()
    needs: tuple[Condition, ...] = ()
    costs: tuple[CostEntry, ...] = ()
    conditions: tuple[Condition, ...] = ()
    do: Block = ()
    depth: int | None = None
    spare: bool = False
    held_by: str = ""
    """The piece type that brings this rule while it is held, as ``tool.sail``."""

    @property
    def is_action(self) -> bool:
        """Whether it declares what only an offer can have."""
        return bool(self.choose or self.needs or self.costs or self.counts_as)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Modifier(Record):
    """``modify: value(names)``: applied in the order becomes, times, add, at least, at most."""

    target: Header
    conditions: tuple[Condition, ...] = ()
    becomes: Expr | None = None
    times: Expr | None = None
    add: Expr | None = None
    at_least: Expr | None = None
    at_most: Expr | None = None
    held_by: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Forbid(Record):
    """``forbid: action(names)``: one more condition of it, met when ``conditions`` fail."""

    target: Header
    conditions: tuple[Condition, ...] = ()
    held_by: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Substitute(Record):
    """``replace: 1 of action(names).cost``: so many items of that price may be paid by ``ways``."""

    target: Header
    """The action, without the name of the price."""
    cost: Ident
    amount: Expr | None
    """How many items at most; None for ``all of``: any number of them."""
    ways: tuple[Cost, ...] = ()
    """What is paid for each item that is replaced: one of these."""
    conditions: tuple[Condition, ...] = ()
    held_by: str = ""


Rule: TypeAlias = ValueRule | EffectRule | Modifier | Forbid | Substitute


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OptionDecl(Record):
    """An option of a table: ``type`` and ``default``."""

    type: TypeExpr
    default: str
    default_span: Span


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Table(Record):
    """One number for each number of players."""

    values: Mapping[int, int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Enumeration(Record):
    """A kind whose members are listed."""

    members: tuple[Ident, ...]
    plural: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MapSet(Record):
    """A named set of spaces: listed, or those for which ``where`` holds."""

    of: tuple[Ident, ...] | None
    where: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Road:
    """One road between two spaces; one-way roads lead from ``a`` to ``b``."""

    span: Span
    a: str
    b: str
    one_way: bool
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FieldValue:
    """The value of a field in one record, as written: a scalar of the language, or a list of names.

    The value of a list field is always a tuple of names, however it was written.
    """

    span: Span
    value: Expr | Block | tuple[Ident, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MapDecl(Record):
    """A map: a track, roads, a grid, or spaces alone."""

    kind: str
    plural: str
    shape: Literal["track", "roads", "grid", "hex", "spaces"]
    loop: bool
    spaces: tuple[Ident, ...]
    """All spaces in the order of declaration; of a grid row by row: a1, b1, ... a2, b2."""
    columns: int
    rows: int
    roads: tuple[Road, ...]
    flags: Mapping[str, str]
    """The letter on a road to the name of the flag: ``r`` to ``restricted``."""
    sets: tuple[MapSet, ...]
    places: Mapping[str, Ident]
    fields: Mapping[str, TypeExpr]
    values: Mapping[str, Mapping[str, FieldValue]]
    """Field name to space name to value."""
    defaults: Mapping[str, FieldValue]
    drawing: tuple[tuple[Ident | None, ...], ...] = ()
    """Rows of spaces as they lie, each space once; None is a gap; empty where none is written."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlaceType(Record):
    """Places that are alike: ``copies`` of them on each member, or on the member ``at`` alone."""

    copies: int
    at: Ident | None
    values: Mapping[str, FieldValue]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlaceDecl(Record):
    """Fixed places on boards. The name is the kind; a kind without ``types`` has one type of its
    own name with ``count`` copies."""

    plural: str
    each: Ident
    """Whose the places are: ``player``, a kind of spaces, or a named set of spaces."""
    fields: Mapping[str, TypeExpr]
    defaults: Mapping[str, FieldValue]
    types: tuple[PlaceType, ...]
    total: int | None
    """How many there are for each member of ``each``."""
    total_span: Span | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Seats:
    """Fields of the players, with a value for each seat."""

    span: Span
    fields: Mapping[str, TypeExpr]
    defaults: Mapping[str, FieldValue]
    numbers: tuple[Ident, ...]
    """The seats that are written, with their places."""
    values: Mapping[int, Mapping[str, FieldValue]]
    """Seat, counted from 1, to field to value."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Zone(Record):
    """Where pieces lie."""

    each: Ident | None
    of: Ident
    order: Literal["set", "row", "pile", "bag", "slots"]
    seen_by: Literal["all", "owner", "nobody"]
    low: int
    high: int | None
    """How many it holds; None for no limit. ``0..1`` and ``1`` read as the piece itself."""
    live: Expr | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Counter(Record):
    """A number that only ``gain``, ``lose`` and ``pay`` change."""

    each: Ident | None
    low: int | None
    high: int | None
    start: Expr | None
    resets: Ident | None
    seen_by: Literal["all", "owner", "nobody"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Mark(Record):
    """A flag, a reference or a set that only ``set`` changes."""

    each: Ident | None
    type: TypeExpr
    start: Expr
    resets: Ident | None
    seen_by: Literal["all", "owner", "nobody"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PieceType(Record):
    """One type of a kind of piece: a card face, a tile."""

    copies: int
    each: Ident | None
    starts: Expr | None
    values: Mapping[str, FieldValue]
    while_held: tuple[Rule, ...]
    gained: Block | None
    lost: Block | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Piece(Record):
    """A kind of piece; without ``types`` it has one type of its own name, with ``count`` copies."""

    plural: str
    each: Ident | None
    count: int
    starts: Expr | None
    stays_in: Ident | None
    sides: tuple[Ident, ...]
    pips: int | None = None
    """The lowest number on it, where the sides are numbers."""
    fields: Mapping[str, TypeExpr]
    defaults: Mapping[str, FieldValue]
    types: tuple[PieceType, ...]
    total: int | None
    total_span: Span | None
    in_play: Ident | None = None
    """A table: so many copies of each type start in ``starts``, the others in the box."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Result(Record):
    """How the game is decided: by ``stop game``, or by the most of some counters."""

    by_stop: bool
    most: tuple[Ident, ...]
    least: tuple[Ident, ...]
    shared: bool
    solo: Expr | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Invariant(Record):
    """What always holds; ``moment`` and ``step`` limit when it is looked at."""

    holds: Expr
    moment: Literal["", "before", "after"]
    step: Ident | None


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The names that have a type in the whole file: name to kind, and where they are declared."""

    span: Span
    types: Mapping[str, Ident]
    places: Mapping[str, Span]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GameFile:
    """A whole game, one setting of its rulings applied."""

    span: Span
    name: str
    titles: Mapping[str, str]
    status: str
    min_players: int
    max_players: int
    players_span: Span
    words: Words
    settled: tuple[Ident, ...]
    open: tuple[Ident, ...]
    information: tuple[Ident, ...]
    flow: tuple[Step, ...]
    enumerations: tuple[Enumeration, ...]
    options: tuple[OptionDecl, ...]
    tables: tuple[Table, ...]
    maps: tuple[MapDecl, ...]
    zones: tuple[Zone, ...]
    counters: tuple[Counter, ...]
    marks: tuple[Mark, ...]
    pieces: tuple[Piece, ...]
    rules: tuple[Rule, ...]
    result: Result
    invariants: tuple[Invariant, ...]
    labels: Mapping[str, Mapping[str, str]]
    label_spans: Mapping[str, Span]
    places: tuple[PlaceDecl, ...] = ()
    seats: Seats | None = None
