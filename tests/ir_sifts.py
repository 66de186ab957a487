"""Random loops that look at each member of a set and skip most: what the passes over loops rewrite.

Takes the maker of a function (see `ir_programs`); writes a loop into it. Rounds look things up in
tables, fields, sets and zones, call pure functions that do the same, and then collect, count, stop
early, or go on with the round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.ir import nodes as n

if TYPE_CHECKING:
    from ir_programs import Maker, Programs

ROWS = 64
WIDE = (1 << ROWS) - 1
MASKS = (31, 255, WIDE, 0b1010_1010_1010, 1 << 40 | 7)


def tables(made: Programs) -> None:
    """Tables with a row for each member, by what they are good for."""
    r, p = made.r, made.p
    least = min(f.n for f in p.fields.values())
    zones = min(len(group.zones) for group in p.groups.values())
    pieces = min(group.n for group in p.groups.values())
    for name, low, high in (
        ("x small", -1, 9),
        ("x few", 0, 2),
        ("x bit", 0, 1),
        ("x any", -9, 70_000),
        ("x cell", -1, least - 1),
        ("x zone", -1, zones - 1),
        ("x piece", -1, pieces - 1),
        ("x next", -1, ROWS - 1),
    ):
        p.tables[name] = n.Table(name, "i", tuple(r.randint(low, high) for _ in range(ROWS)), -1)
    p.tables["x even"] = n.Table("x even", "i", tuple(2 * r.randint(0, 1) for _ in range(ROWS)), 2)
    p.fields["watch"] = n.Field("watch", 7, -(2**31), 2**31 - 1, (0,) * 7)
    p.set_fields["watch"] = n.SetField("watch", 3, 64, (0,) * 3)
    many = r.randint(8, 14)
    zones_ = tuple(n.ZoneInstance(f"b{k}", k, capacity=r.choice((-1, 2))) for k in range(many))
    start = tuple(k % many for k in range(10))
    p.groups["board"] = n.Group("board", 10, zones_, start, (0,) * 10)
    if r.random() < 0.25:
        p.set_bits = r.choice((130, 200, 250))
    p.tables["runs"] = n.Table("runs", "s", tuple(run(made, many - 3) for _ in range(5)), 0)
    for name, bits in (("x sets", 8), ("x wide", ROWS)):
        rows = tuple(r.getrandbits(bits) & r.getrandbits(bits) for _ in range(ROWS))
        p.tables[name] = n.Table(name, "s", rows, 0)


def watched(maker: Maker) -> None:
    """Registers are put into the state, where every byte is compared."""
    for k in range(4):
        maker.add(n.Store("watch", k, f"x{k}"))
    for k in range(3):
        low, size = maker.temp("s"), maker.temp()
        maker.add(n.SetBin(low, "inter", f"s{k}", WIDE))
        maker.add(n.StoreSet("watch", k, low))
        maker.add(n.Size(size, f"s{k}"))
        maker.add(n.Store("watch", 4 + k, size))


def run(made: Programs, many: int) -> int:
    """A set of numbers without a hole."""
    size = made.r.randint(3, many)
    return ((1 << size) - 1) << made.r.randint(0, many - size)


def lying(maker: Maker) -> None:
    """The pieces in some zones one beside the other, or in some that are nearly so."""
    r = maker.r
    members, x, c, z, t = (maker.temp(kind) for kind in ("s", "i", "i", "i", "s"))
    many = len(maker.made.p.groups["board"].zones) - 3
    if r.random() < 0.5:
        maker.add(n.Lookup(members, "runs", maker.index(5, True)))
    else:
        maker.add(n.Copy(members, run(maker.made, many) & ~(r.random() < 0.2)))
    head, body, after = maker.new_block(), maker.new_block(), maker.new_block()
    result = r.choice(("s0", "s1"))
    maker.block.end = n.Jump(head)
    maker.go_on(head)
    maker.add(n.First(x, members))
    maker.add(n.Bin(c, "lt", x, 0))
    maker.block.end = n.Branch(c, after, body)
    maker.go_on(body)
    maker.add(n.Without(members, members, x))
    maker.add(n.Bin(z, "add", x, r.randint(0, 3)))
    maker.add(n.Contents(t, "board", z if r.random() < 0.7 else x))
    maker.add(n.SetBin(result, "union", result, t))
    maker.block.end = n.Jump(head)
    maker.go_on(after)
    if r.random() < 0.3:
        maker.add(n.SetBin("s2", "union", members, result))


def fits(made: Programs, names: list[str]) -> None:
    """Pure functions that answer whether a member fits, each of which may call those before."""
    from ir_programs import Maker  # which uses this module

    for k in range(made.r.randint(1, 3)):
        f = n.Function(f"fits{k}", ("x", "y"), {"x": "i", "y": "i"}, [], pure=True)
        maker = Maker(made, f, False, False)
        made.p.functions[f.name] = f
        x: n.Operand = "x"
        for _ in range(made.r.randint(1, 3)):
            yes, no = maker.new_block(), maker.new_block()
            maker.block.end = n.Branch(test(maker, x), yes, no)
            maker.go_on(yes)
            maker.block.end = n.Return(made.r.choice((0, 1, maker.int_target())))
            maker.go_on(no)
            pick = made.r.random()
            if pick < 0.3:
                sift(maker, 3)
            elif pick < 0.7:
                search(maker, x)
        maker.block.end = n.Return(test(maker, x))
        names.append(f.name)


def search(maker: Maker, x: n.Operand) -> None:
    """A loop that answers as soon as a member is found; few sets, and often with a member 0."""
    r = maker.r
    members, y, c = maker.temp("s"), maker.temp(), maker.temp()
    source = looked_up(maker, r.choice(("x sets", "x wide")), x) if r.random() < 0.5 else ""
    maker.add(n.SetBin(members, "inter", source or maker.set_(), r.choice((15, 255, WIDE))))
    head, body, yes, after = (maker.new_block() for _ in range(4))
    maker.block.end = n.Jump(head)
    maker.go_on(head)
    maker.add(n.First(y, members))
    maker.add(n.Bin(c, "lt", y, 0))
    maker.block.end = n.Branch(c, after, body)
    maker.go_on(body)
    maker.add(n.Without(members, members, y))
    flag = test(maker, r.choice((y, y, y, x)))
    maker.block.end = n.Branch(flag, yes, head)
    maker.go_on(yes)
    maker.block.end = n.Return(r.choice((0, 1)))
    maker.go_on(after)


def looked_up(maker: Maker, table: str, i: n.Operand) -> str:
    """A row of a table."""
    kind: n.RegType = maker.made.p.tables[table].type
    t = maker.temp(kind)
    maker.add(n.Lookup(t, table, i))
    return t


def test(maker: Maker, x: n.Operand) -> str:
    """A flag that hangs on a member, or on what is around."""
    r, p = maker.r, maker.made.p
    d = maker.temp()

    def row() -> None:
        t = looked_up(maker, r.choice(("x small", "x few", "x any", "x next")), x)
        maker.add(n.Bin(d, r.choice(("eq", "ne", "lt", "le")), t, outer()))

    def outer() -> n.Operand:
        return r.choice((r.randint(-1, 4), r.choice(maker.ints)))

    def inside() -> None:
        t = looked_up(maker, r.choice(("x sets", "x wide")), x)
        maker.add(n.Has(d, t, outer()))

    def sets() -> None:
        t, u = looked_up(maker, r.choice(("x sets", "x wide")), x), maker.temp("s")
        maker.add(n.SetBin(u, r.choice(("inter", "minus", "union")), t, maker.set_()))
        if r.random() < 0.5:
            maker.add(n.SetBin(d, r.choice(("same", "differ", "within")), u, maker.set_()))
        else:
            size = maker.temp()
            maker.add((n.Size if r.random() < 0.6 else n.First)(size, u))
            maker.add(n.Bin(d, r.choice(("eq", "lt", "le")), size, r.randint(-1, 3)))

    def member() -> None:
        maker.add(n.Has(d, maker.set_(), x))

    def number() -> None:
        t = maker.temp()
        maker.add(n.Bin(t, r.choice(("add", "sub", "mul", "mod", "div", "min")), x, outer()))
        maker.add(n.Bin(d, r.choice(("eq", "ne", "lt", "le", "and", "or")), t, outer()))

    def loaded() -> None:
        f = r.choice([f for f in p.fields.values() if not f.name.startswith("answer")])
        t = maker.temp()
        maker.add(n.Load(t, f.name, looked_up(maker, "x cell", x)))
        maker.add(n.Bin(d, r.choice(("eq", "ne", "lt", "le")), t, outer()))

    def zones() -> None:
        group, t = r.choice(list(p.groups)), maker.temp("s")
        maker.add(n.Contents(t, group, looked_up(maker, "x zone", x)))
        how = r.random()
        if how < 0.5:
            maker.add(n.SetBin(d, "differ", t, 0))
        elif how < 0.75:
            size = maker.temp()
            maker.add(n.Size(size, t))
            maker.add(n.Bin(d, r.choice(("eq", "lt", "le")), size, outer()))
        else:
            maker.add(n.SetBin(d, r.choice(("within", "same")), t, maker.set_()))

    def lies() -> None:
        group, t = r.choice(list(p.groups)), maker.temp()
        maker.add(n.Where(t, group, looked_up(maker, "x piece", x)))
        maker.add(n.Bin(d, r.choice(("eq", "ne")), t, r.choice((-1, 0, 1, 2))))

    def chosen() -> None:
        a, b = test(maker, x), looked_up(maker, "x few", x)
        maker.add(n.Select(d, a, b, outer()))

    def both() -> None:
        a = looked_up(maker, "x few", x)
        maker.add(n.Bin(d, r.choice(("and", "or", "eq", "max")), a, outer()))
        maker.add(n.Not(d, d))

    def flags() -> None:
        a = looked_up(maker, r.choice(("x bit", "x even")), x)
        maker.add(n.Bin(d, r.choice(("and", "or", "eq", "ne")), a, test(maker, x)))

    def held() -> None:
        t = maker.temp("s")
        if p.planes:
            maker.add(n.Held(t, r.choice(list(p.planes)), r.choice((0, 1, -1))))
        else:
            maker.add(n.Preimage(t, "x few", maker.set_()))
        maker.add(n.Has(d, t, looked_up(maker, r.choice(("x few", "x next")), x)))

    def called() -> None:
        name = r.choice(maker.made.fits)
        other = r.choice((x, outer(), looked_up(maker, "x next", x)))
        maker.add(n.CallFn(d, name, (x, other), name))

    def deeper() -> None:
        t = looked_up(maker, "x next", x)
        maker.add(n.Bin(d, "max", t, 0))
        maker.add(n.Has(d, looked_up(maker, "x wide", d), outer()))

    ways: list[Callable[[], None]] = [
        *(row, inside, sets, member, number, loaded, zones, lies, both, held, deeper, flags),
    ]
    if maker.made.fits:
        ways += [called, called]
    if r.random() < 0.1:
        ways = [chosen]
    r.choice(ways)()
    return d


def sift(maker: Maker, depth: int) -> None:
    """A loop over a set that skips, and then does something with the members that are left."""
    r = maker.r
    if r.random() < 0.15:
        lying(maker)
        return
    members, x, c = maker.temp("s"), maker.temp(), maker.temp()
    maker.add(n.SetBin(members, "inter", maker.set_(), r.choice(MASKS)))
    if r.random() < 0.5:
        maker.add(n.Copy(members, r.choice((WIDE, 0xFF, 1 << 63 | 5))))
    head, body, after = maker.new_block(), maker.new_block(), maker.new_block()
    result = r.choice(("s0", "s1", "s2"))
    if r.random() < 0.6:
        maker.add(n.Copy(result, 0))
    maker.block.end = n.Jump(head)
    maker.go_on(head)
    maker.add(n.First(x, members))
    maker.add(n.Bin(c, "lt", x, 0))
    maker.block.end = n.Branch(c, after, body)
    maker.go_on(body)
    maker.add(n.Without(members, members, x))
    for _ in range(r.randint(0, 3)):
        on = maker.new_block()
        flag = test(maker, x)
        maker.block.end = n.Branch(flag, head, on) if r.random() < 0.5 else n.Branch(flag, on, head)
        maker.go_on(on)
    pick = r.randrange(8)
    if pick < 3:
        maker.add(n.With(result, result, x))
    elif pick == 3:
        d = maker.int_target()
        maker.add(n.Bin(d, "add", d, r.choice((1, looked_up(maker, "x few", x)))))
    elif pick == 4:
        maker.add(n.Copy(maker.int_target(), x))
    elif pick == 5:
        maker.add(n.SetBin(result, "union", result, looked_up(maker, "x sets", x)))
    elif depth < 2:
        sift(maker, depth + 1)
    else:
        maker.add(n.Bin(maker.int_target(), "max", looked_up(maker, "x any", x), "x0"))
    early = pick == 4 or r.random() < 0.15
    maker.block.end = n.Jump(after if early else head)
    maker.go_on(after)
    if maker.effects:
        maker.tell()
        if r.random() < 0.1:
            maker.add(n.Check(test(maker, r.randrange(ROWS)), "LIMIT", -1))
