"""Numbers of pieces and players that must fit."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import boards as say_boards
from ruleset.diagnostics.messages import game as say
from ruleset.linting.graph import Graph
from ruleset.syntax import Attribute, Expr, Name, Piece, PieceType
from ruleset.types import Members, SetT, SpaceSet, ZoneRef

MOST_PLAYERS = 16


def players(graph: Graph) -> Iterator[Diagnostic]:
    """From one to sixteen players, the smaller number first."""
    file = graph.file
    if not 1 <= file.min_players <= file.max_players <= MOST_PLAYERS:
        yield say.players_range(file)


def totals(graph: Graph) -> Iterator[Diagnostic]:
    """The copies of the types add up to the total that the file states."""
    for piece in graph.file.pieces:
        copies = sum(piece_type.copies for piece_type in piece.types)
        if piece.total is not None and piece.total != copies:
            yield say.total_differs(piece, copies)
    for place in graph.file.places:
        for base in graph.world.bases_of(place) or ("",):
            copies = sum(t.copies for t in place.types if t.at is None or t.at.name == base)
            if place.total is not None and place.total != copies:
                yield say_boards.places_differ(place, copies, base)


def capacity(graph: Graph) -> Iterator[Diagnostic]:
    """Zones hold what starts in them; zones that hold one everywhere have enough pieces."""
    at_start: dict[tuple[str, str], int] = {}
    for piece in graph.file.pieces:
        for piece_type in piece.types:
            starts = piece_type.starts or piece.starts
            if starts is None:
                continue
            ref = graph.facts.refs.get(starts)
            if not isinstance(ref, ZoneRef):
                continue
            zone = graph.world.zones[ref.name]
            place = (ref.name, _whose(starts))
            copies = _copies(graph, piece, piece_type, starts)
            if isinstance(graph.facts.types.get(getattr(starts, "of", starts)), SetT):
                if (spread := _spread(graph, starts)) is None:
                    continue
                copies = -(-copies // max(spread, 1))
            at_start[place] = at_start.get(place, 0) + copies
            if zone.high is not None and at_start[place] > zone.high:
                yield say.too_many_at_start(starts.span, zone, at_start[place])
                at_start[place] = 0
    yield from _enough(graph)


def _spread(graph: Graph, starts: Expr) -> int | None:
    """Over how many zones the pieces go that start on a set; None where it is not listed."""
    ref = graph.facts.refs.get(getattr(starts, "of", starts))
    if isinstance(ref, SpaceSet):
        listed = graph.world.sets[ref.name][1].of
        return None if listed is None else len({ident.name for ident in listed})
    if isinstance(ref, Members):
        kind = graph.world.kinds.get(ref.kind)
        return None if kind is None else kind.size
    return None


def _whose(starts: Expr) -> str:
    """A text that is the same for the same zone."""
    return starts.of.span.text if isinstance(starts, Attribute) else ""


def _copies(graph: Graph, piece: Piece, piece_type: PieceType, starts: Expr) -> int:
    """How many pieces of a type lie in one zone at the start, at least."""
    each = piece_type.each or piece.each
    copies = piece_type.copies
    if piece.in_play is not None and piece.in_play.name in graph.world.tables:
        copies = min(copies, *graph.world.tables[piece.in_play.name].values.values())
    if each is None or _is_own(starts):
        return copies
    return copies * (graph.file.min_players if each.name == "player" else 1)


def _is_own(starts: Expr) -> bool:
    """Whether each owner's pieces start in a zone of their own: ``owner.hand``."""
    while isinstance(starts, Attribute):
        starts = starts.of
    return isinstance(starts, Name) and starts.name == "owner"


def _enough(graph: Graph) -> Iterator[Diagnostic]:
    for zone in graph.file.zones:
        if zone.each is None or zone.low < 1 or zone.of.name not in graph.world.pieces:
            continue
        kind = graph.world.kinds.get(zone.each.name)
        have = graph.world.kinds[zone.of.name].size
        if kind is None or kind.size is None or have is None:
            continue
        if kind.size * zone.low > have:
            yield say.too_few_pieces(zone, kind.size * zone.low, have)
