"""The layout: where each part of a state lies in its bytes.

Takes a linked Program; gives offsets by name and ways to read and write a state by name. Nobody
else knows an offset. A state is, in this order:

    header   status, fault code, fault site, top frame, actor, unused   six 32-bit cells
             pending players, seed                                      two 64-bit words
             chance counter, unused                                     two 32-bit cells
    words    set fields; the pieces of each zone; the planes
    cells    fields, the zone of each piece, its place: 32 bits, then 16 bits where that is enough
    frames   from the outermost on; zero above the top

What is read at index -1 has a constant cell in front: ``absent`` of a field, -1 of a piece's zone,
the empty set of a set field, of a group's zones and of a plane's classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import Final

from interpreter.ir import nodes as n
from interpreter.ir.linker import Linked

RUNNING, WAITING, OVER, FAULT = 0, 1, 2, 3
STATUS_NAMES: Final = ("running", "waiting", "over", "fault")

# 32-bit cells of the header
STATUS, CODE, SITE, TOP, ACTOR = 0, 1, 2, 3, 4
COUNTER: Final = 10
# 64-bit words of the header
PENDING, SEED = 3, 4
HEADER: Final = 48

BUILT_IN: Final = ("RANGE", "INDEX", "FUEL", "DEPTH", "STACK", "EMPTY", "FULL", "STOP")
"""Fault codes of the engine itself; STOP: no frame or call of the rule is under way."""

_PACKED: Final = {code: Struct("=" + code) for code in "hiQ"}
_LIMITS: Final = {"h": (-(1 << 15), (1 << 15) - 1), "i": (-(1 << 31), (1 << 31) - 1)}


@dataclass(frozen=True, slots=True)
class Cells:
    """``n`` numbers from byte ``offset`` on; ``code`` is "h" (16 bits) or "i" (32 bits)."""

    offset: int
    n: int
    code: str
    low: int
    high: int
    front: int | None
    """The constant in front of the first, if there is one."""

    @property
    def width(self) -> int:
        """Bytes of one number."""
        return 2 if self.code == "h" else 4

    @property
    def base(self) -> int:
        """Index of the first in a view of the whole state as numbers of this width."""
        return self.offset // self.width


@dataclass(frozen=True, slots=True)
class Words:
    """``n`` sets of ``words`` 64-bit words each, from byte ``offset`` on; an empty one in front."""

    offset: int
    n: int
    words: int
    bits: int

    @property
    def base(self) -> int:
        """Index of the first word in a view of the whole state as 64-bit words."""
        return self.offset // 8


class Layout:
    """Offsets by name, and reading and writing by name."""

    size: int
    """Bytes of a state, a multiple of 8."""
    frames: int
    """Where the frames begin, in bytes."""

    def __init__(self, linked: Linked) -> None:
        program = linked.program
        self.program = program
        self.linked = linked
        self.fields: dict[str, Cells] = {}
        self.set_fields: dict[str, Words] = {}
        self.contents: dict[str, Words] = {}
        self.planes: dict[str, Words] = {}
        self.zones: dict[str, Cells] = {}
        self.places: dict[str, Cells] = {}
        self.faults: tuple[str, ...] = BUILT_IN + tuple(
            sorted(
                {
                    node.code
                    for f in program.functions.values()
                    for block in f.blocks
                    for node in block.code
                    if isinstance(node, n.Check)
                }
                - set(BUILT_IN)
            )
        )
        """Names of the fault codes; the code in a state is the position here plus 1."""
        self._place()
        self._blank = self._initial()

    def _place(self) -> None:
        program = self.program
        offset = HEADER
        for set_field in program.set_fields.values():
            offset = self._place_words(self.set_fields, set_field, offset)
        for group in program.groups.values():
            words = (group.n + 63) // 64 or 1
            offset += 8 * words
            self.contents[group.name] = Words(offset, len(group.zones), words, group.n)
            offset += 8 * words * len(group.zones)
        for plane in program.planes.values():
            words = (plane.n + 63) // 64
            self.planes[plane.name] = Words(offset + 8 * words, plane.many, words, plane.n)
            offset += 8 * words * (plane.many + 1)
        wanted: list[tuple[dict[str, Cells], str, int, int, int, int | None]] = []
        for f in program.fields.values():
            wanted.append((self.fields, f.name, f.n, f.low, f.high, f.absent))
        for group in program.groups.values():
            wanted.append((self.zones, group.name, group.n, 0, len(group.zones) - 1, -1))
            if group.ordered:
                top = max([group.n, *(zone.capacity for zone in group.zones)])
                wanted.append((self.places, group.name, group.n, 0, top, None))
        for code in ("i", "h"):
            low, high = _LIMITS[code]
            for home, name, count, least, most, front in wanted:
                narrow = _fits("h", least, most, front)
                if narrow != (code == "h"):
                    continue
                width = 2 if code == "h" else 4
                offset += width * (front is not None)
                room = count
                if home is self.zones or home is self.places:
                    # read as vectors: nothing else lies where these reach
                    room = sum(chunks_of(count)[-1])
                home[name] = Cells(offset, count, code, max(least, low), min(most, high), front)
                offset += width * room
            offset = (offset + 3) // 4 * 4
        self.frames = (offset + 7) // 8 * 8
        self.size = (self.frames + self.linked.stack + 7) // 8 * 8

    def _place_words(self, home: dict[str, Words], f: n.SetField, offset: int) -> int:
        words = (f.bits + 63) // 64 or 1
        home[f.name] = Words(offset + 8 * words, f.n, words, f.bits)
        return offset + 8 * words * (f.n + 1)

    def _initial(self) -> bytes:
        """The state before the first step, without a seed."""
        buffer = bytearray(self.size)
        put_cell(buffer, "i", ACTOR, -1)
        for cells in (*self.fields.values(), *self.zones.values()):
            if cells.front is not None:
                put_cell(buffer, cells.code, cells.base - 1, cells.front)
        for name, f in self.program.fields.items():
            for i, value in enumerate(f.init):
                self.put(buffer, name, i, value)
        for name, g in self.program.set_fields.items():
            for i, value in enumerate(g.init):
                self.put_set(buffer, name, i, value)
        for name, group in self.program.groups.items():
            count = [0] * len(group.zones)
            for piece, zone in enumerate(group.start):
                self.put_piece(buffer, name, piece, zone, count[zone])
                count[zone] += 1
        return bytes(buffer)

    def initial(self, seed: int) -> bytes:
        """The state before the first step: everything as declared, nothing asked yet."""
        buffer = bytearray(self._blank)
        put_cell(buffer, "Q", SEED, seed & (1 << 64) - 1)
        return bytes(buffer)

    def broken(self, state: bytes, code: str, site: int) -> bytes:
        """A state that says which fault the rules have come to, and where."""
        buffer = bytearray(state)
        put_cell(buffer, "i", STATUS, FAULT)
        put_cell(buffer, "i", CODE, self.faults.index(code) + 1)
        put_cell(buffer, "i", SITE, site)
        return bytes(buffer)

    # ------------------------------------------------------------------ reading

    def value(self, state: bytes | bytearray, name: str, i: int = 0) -> int:
        """Number ``i`` of a field (-1: what is read where there is none)."""
        return _cell(state, self.fields[name], i)

    def set_value(self, state: bytes | bytearray, name: str, i: int = 0) -> int:
        """Set ``i`` of a set field."""
        return _set(state, self.set_fields[name], i)

    def pieces_in(self, state: bytes | bytearray, group: str, zone: int) -> int:
        """The pieces of a group in one of its zones, as a set."""
        return _set(state, self.contents[group], zone)

    def held(self, state: bytes | bytearray, plane: str, class_: int) -> int:
        """The zones of a plane that hold a piece of a class, as a set."""
        return _set(state, self.planes[plane], class_)

    def zone_of(self, state: bytes | bytearray, group: str, piece: int) -> int:
        """The zone in which a piece lies."""
        return _cell(state, self.zones[group], piece)

    def place_of(self, state: bytes | bytearray, group: str, piece: int) -> int:
        """The place of a piece in its zone; 0 in a zone without an order."""
        return _cell(state, self.places[group], piece) if group in self.places else 0

    # ------------------------------------------------------------------ writing

    def put(self, buffer: bytearray, name: str, i: int, value: int) -> None:
        """Set number ``i`` of a field; ValueError where it is out of range."""
        cells = self.fields[name]
        if not 0 <= i < cells.n:
            raise ValueError(f"`{name}` has no index {i}: expected 0 to {cells.n - 1}")
        if not cells.low <= value <= cells.high:
            raise ValueError(
                f"`{name}` holds {cells.low} to {cells.high}, found {value} at index {i}"
            )
        put_cell(buffer, cells.code, cells.base + i, value)

    def put_set(self, buffer: bytearray, name: str, i: int, value: int) -> None:
        """Set number ``i`` of a set field; ValueError where a member is too large."""
        words = self.set_fields[name]
        if not 0 <= i < words.n:
            raise ValueError(f"`{name}` has no index {i}: expected 0 to {words.n - 1}")
        _put_set(buffer, words, i, value, name)

    def put_piece(
        self, buffer: bytearray, group: str, piece: int, zone: int, place: int = 0
    ) -> None:
        """Put a piece into a zone at a place, as a save says it (``place`` counts if ordered)."""
        g = self.program.groups[group]
        if not 0 <= piece < g.n or not 0 <= zone < len(g.zones):
            raise ValueError(f"`{group}` has no piece {piece} or no zone {zone}")
        words, cells = self.contents[group], self.zones[group]
        old = _cell(buffer, cells, piece)
        _put_set(buffer, words, old, _set(buffer, words, old) & ~(1 << piece), group)
        _put_set(buffer, words, zone, _set(buffer, words, zone) | 1 << piece, group)
        put_cell(buffer, cells.code, cells.base + piece, zone)
        for plane in planes_of(self.program, group):
            self._show(buffer, plane, plane.classes[piece], (old, zone))
        if group in self.places:
            places = self.places[group]
            where = place if g.zones[zone].ordered else 0
            if not 0 <= where <= places.high:
                raise ValueError(f"`{group}` has no place {where}: expected 0 to {places.high}")
            put_cell(buffer, places.code, places.base + piece, where)

    def _show(self, buffer: bytearray, plane: n.Plane, class_: int, zones: tuple[int, ...]) -> None:
        """Bring a class of a plane in step with what some zones hold."""
        if class_ < 0:
            return
        home = self.planes[plane.name]
        kind = sum(1 << p for p, c in enumerate(plane.classes) if c == class_)
        shown = _set(buffer, home, class_)
        for zone in zones:
            if 0 <= zone - plane.base < plane.n:
                bit = 1 << zone - plane.base
                held = self.pieces_in(buffer, plane.group, zone) & kind
                shown = shown | bit if held else shown & ~bit
        _put_set(buffer, home, class_, shown, plane.name)


def planes_of(program: n.Program, group: str) -> list[n.Plane]:
    """The planes of a group."""
    return [plane for plane in program.planes.values() if plane.group == group]


def chunks_of(count: int) -> list[tuple[int, int]]:
    """A row of cells cut into runs that a vector can hold: first cell and length, the last run
    rounded up to a power of two."""
    out = []
    for first in range(0, max(count, 1), 64):
        rest = min(count - first, 64)
        out.append((first, max(8, 1 << (rest - 1).bit_length() if rest > 0 else 8)))
    return out


def _fits(code: str, low: int, high: int, front: int | None) -> bool:
    least, most = _LIMITS[code]
    return all(least <= v <= most for v in (low, high, front or 0))


def cell(state: bytes | bytearray, code: str, index: int) -> int:
    """Number ``index`` of a state seen as numbers of one width."""
    packed = _PACKED[code]
    number: int = packed.unpack_from(state, index * packed.size)[0]
    return number


def put_cell(buffer: bytearray, code: str, index: int, value: int) -> None:
    """Write number ``index`` of a state seen as numbers of one width."""
    packed = _PACKED[code]
    packed.pack_into(buffer, index * packed.size, value)


def _cell(state: bytes | bytearray, cells: Cells, i: int) -> int:
    if not (0 if cells.front is None else -1) <= i < cells.n:
        raise IndexError(f"no index {i}: expected 0 to {cells.n - 1}")
    return cell(state, cells.code, cells.base + i)


def _set(state: bytes | bytearray, words: Words, i: int) -> int:
    if not -1 <= i < words.n:
        raise IndexError(f"no index {i}: expected 0 to {words.n - 1}")
    out = 0
    for k in range(words.words):
        out |= cell(state, "Q", words.base + i * words.words + k) << 64 * k
    return out


def _put_set(buffer: bytearray, words: Words, i: int, value: int, name: str) -> None:
    if value < 0 or value >> words.bits:
        raise ValueError(f"`{name}` holds sets of 0 to {words.bits - 1}, found {value:#x}")
    for k in range(words.words):
        word = value >> 64 * k & (1 << 64) - 1
        put_cell(buffer, "Q", words.base + i * words.words + k, word)
