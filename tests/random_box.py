"""What a random game holds: kinds, maps, zones, pieces, places, counters, marks, options.

Takes a source of chance; gives the sections of a file that declare things, and the box that
expressions know.
"""

from __future__ import annotations

from dataclasses import replace

from random_acts import Acts, Book, Lines
from random_things import Box, Dice, Holder
from random_words import Words

COLOURS = ["red", "green", "blue"]
DIRECTIONS = ["north", "east", "south", "west"]
HEX = ["east", "west", "northeast", "southwest"]


class BoxMaker:
    """Makes the sections that declare things."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.box = Box()
        self.w = Words(dice, self.box)
        self.book = Book()
        self.acts = Acts(self.w, self.book)
        self.sections: dict[str, Lines] = {}
        self.box.low = 1 + dice.below(3)
        self.box.high = min(4, self.box.low + dice.below(3))
        self.live = False
        """Whether a zone of cards is live."""

    def put(self, section: str, *lines: str) -> None:
        """Lines of a section."""
        self.sections.setdefault(section, []).extend(lines)

    # ------------------------------------------------------------------ the box

    def options(self) -> None:
        """Words, enumerations, options, tables."""
        self.put("flow")
        self.put("words", "player: [me, rival]")
        box = self.box
        if self.w.chance(2):
            box.kinds["colour"] = COLOURS[: 2 + self.dice.below(2)]
            self.put("kinds", f"colour: [{', '.join(box.kinds['colour'])}]")
        if self.w.chance(3):
            self.put("options", "bold: {type: flag, default: false}")
            box.flags.append("bold")
        if self.w.chance(3):
            self.put("options", "size: {type: 1..4, default: 2}")
            box.numbers.append("size")
        if self.w.chance(4):
            self.put("options", "host: {type: player, default: 1}")
            box.chosen["player"] = ["host"]
        if box.kinds and self.w.chance(4):
            self.put("options", "trump: {type: colour, default: red}")
            box.chosen["colour"] = ["trump"]
        if self.w.chance(4):
            rows = ", ".join(f"{k}: {1 + self.dice.below(4)}" for k in range(box.low, box.high + 1))
            self.put("tables", f"deal: {{{rows}}}")
            box.numbers.append("deal")

    def map(self) -> None:
        """Perhaps a map."""
        box = self.box
        shape = self.w.pick(("", "path", "loop", "grid", "hex", "roads", "spaces"))
        box.shape = shape
        if not shape:
            return
        box.space = "spot"
        names = [f"s{k}" for k in range(1, 3 + self.dice.below(5))]
        lines = ["board:", "  kind: spot"]
        if shape in ("path", "loop"):
            lines.append(f"  track: {shape} {', '.join(names)}")
        elif shape in ("grid", "hex"):
            wide, high = 2 + self.dice.below(4), 2 + self.dice.below(4)
            names = [f"{'abcdef'[c]}{r}" for r in range(1, high + 1) for c in range(wide)]
            lines.append(f"  grid: {wide} x {high}{' hex' if shape == 'hex' else ''}")
            box.kinds["direction"] = DIRECTIONS if shape == "grid" else HEX
        elif shape == "roads":
            signs = (self.w.pick(("=", ">")) for _ in names)
            chain = "".join(f"{n} {s} " for n, s in zip(names, signs, strict=True))
            lines += ["  roads:", f"    ring: {chain}{names[0]}"]
            if len(names) < 3:
                lines[-1] = f"    ring: {names[0]} = {names[1]}"
        else:
            lines.append(f"  spaces: {', '.join(names)}")
        if self.w.chance(2):
            lines += ["  fields: {toll: 0..5}", "  defaults: {toll: 1}"]
            lines.append(f"  values: {{toll: {{{names[0]}: {self.dice.below(6)}}}}}")
            box.fields.append(("spot", "toll", "num"))
        if self.w.chance(3):
            some = names[: 1 + self.dice.below(len(names))]
            lines.append(f"  sets: {{corner: {{of: [{', '.join(some)}]}}}}")
        box.kinds["spot"] = names
        self.put("map", *lines)

        if self.w.chance(3):
            n = names[self.dice.below(len(names))]
            self.put("seats", "fields: {home: spot, gold: 0..9}", "defaults: {gold: 2}")
            for k in range(1, box.high + 1):
                gold = f", gold: {self.dice.below(9)}" if self.w.chance(2) else ""
                self.put("seats", f"{k}: {{home: {n}{gold}}}")
            box.fields += [("player", "home", "spot"), ("player", "gold", "num")]

    def zone(self, name: str, kind: str, start: bool, owned: bool) -> Holder:
        """One zone more for a kind of piece."""
        box = self.box
        holders = ["", "player", *([box.space] if box.space else []), *([box.places] * 2)]
        each = "player" if start and owned else "" if start else self.w.pick(holders)
        order = self.w.pick(("set", "row", "pile", "bag", "set", "slots" if not start else "row"))
        holds = ""
        if not start:
            holds = self.w.pick(("", "0..1", "0..3")) if order != "bag" else ""
            if order == "slots":
                holds = "0..3"
        if holds == "0..1":
            order = "set"
        seen = self.w.pick(("all", "all", "nobody", "owner" if each == "player" else "all"))
        holder = Holder(name, each, kind, seen, order, holds)
        parts = [f"of: {kind}"]
        parts += [f"each: {each}"] * bool(each) + [f"holds: {holds}"] * bool(holds)
        parts += [f"order: {order}"] * (order != "set") + [f"seen by: {seen}"] * (seen != "all")
        if each == "player" and kind == "card" and self.w.chance(3):
            parts.append("live: true")
            self.live = True
        self.put("zones", f"{name}: {{{', '.join(parts)}}}")
        return holder

    def pieces(self) -> None:
        """Kinds of pieces and where they lie."""
        box = self.box
        kinds = ["stone", *(k for k in ("card", "die") if self.w.chance(2))]
        if box.space and self.w.chance(2):
            box.zones.append(Holder("pawn_zone", box.space, "pawn"))
            if self.w.chance(2):
                box.zones.append(Holder("pawn_row", box.space, "pawn", order="row"))
                self.put("zones", f"pawn_row: {{each: {box.space}, of: pawn, order: row}}")
            many = 1 + self.dice.below(2)
            start = f"{box.kinds[box.space][0]}.pawn_zone"
            self.put("zones", f"pawn_zone: {{each: {box.space}, of: pawn}}")
            self.put(
                "pieces", f"pawn: {{each: player, count: {many}, starts: {start}, stays in: spot}}"
            )
            box.pieces["pawn"] = "player"
            box.tied.append("pawn")
            box.own += ["pawn"] * (many == 1)
        for kind in kinds:
            owned = self.w.chance(2)
            home = self.zone(f"{kind}_home", kind, True, owned)
            found = [home]
            for k in range(1 + self.dice.below(3)):
                found.append(self.zone(f"{kind}_zone{k}", kind, False, owned))
            box.zones += found
            start = f"owner.{home.name}" if owned else home.name
            lines = [f"{kind}:", f"  starts: {start}", *["  each: player"] * owned]
            many = 1 + self.dice.below(4)
            if kind == "card":
                lines += self.types(many)
            elif kind == "die":
                sides = self.w.pick((["blank", "star"], ["1", "2", "3"]))
                written = "1..3" if sides[0] == "1" else f"[{', '.join(sides)}]"
                lines += [f"  count: {many}", f"  sides: {written}"]
                box.sides[kind] = sides
            else:
                lines.append(f"  count: {many}")
            if many == 1 and owned and kind != "card":
                box.own.append(kind)
            box.pieces[kind] = "player" if owned else ""
            self.put("pieces", *lines)

    def types(self, many: int) -> Lines:
        """A kind with types and fields, and perhaps code and rules of its own."""
        box = self.box
        names = ["low", "high", "odd"][: 1 + self.dice.below(3)]
        box.types["card"] = names
        box.fields.append(("card", "rank", "num"))
        fields, colour = ["rank: 0..9"], "colour" in box.kinds
        if colour:
            fields.append("hue: colour")
            box.fields.append(("card", "hue", "colour"))
        code = self.w.chance(2)
        lines = []
        if code:
            fields.append("power: effect(me)")
            box.fields.append(("card", "power", "code"))
            lines.append("  defaults: {power: nothing}")
        tested = self.w.chance(3)
        if tested:
            fields.append("fit: condition(me)")
            box.fields.append(("card", "fit", "test"))
        lines += [f"  fields: {{{', '.join(fields)}}}", "  types:"]
        for name in names:
            lines += [f"    {name}:", f"      copies: {2 + self.dice.below(many + 1)}"]
            lines.append(f"      rank: {self.dice.below(10)}")
            if tested:
                lines.append(
                    f"      fit: me.vp {self.w.pick(('>', '<=', 'is'))} {self.dice.below(4)}"
                )
            lines += [f"      hue: {self.w.pick(box.kinds['colour'])}"] if colour else []
            if code and self.w.chance(2):
                lines.append("      power: gain 1 me.calm")
            if self.live and self.w.chance(2):
                lines += self.held(name)
        return lines

    def held(self, name: str) -> Lines:
        """Rules that a type of card brings."""
        lines = ["      while held:", f"        held_{name}:"]
        if self.w.chance(2):
            lines += [
                "          when: instead of gain vp(owner, n)",
                "          over: chosen by owner",
            ]
            lines += ["          do: |", "            gain n owner.calm"]
            lines += ["            do base"] * self.w.chance(2)
        else:
            when = self.w.pick(("before", "after"))
            lines += [
                f"          when: {when} turn(owner)",
                "          do: gain card.rank owner.calm",
            ]
        lines += ["      gained: gain 1 owner.calm"] * self.w.chance(3)
        lines += ["      lost: lose 1 owner.calm"] * self.w.chance(3)
        return lines

    def places(self) -> None:
        """Perhaps fixed places of players or of spaces."""
        if not self.w.chance(3):
            return
        box = self.box
        box.places, box.pieces_of_places = "slot", self.w.pick(("player", box.space or "player"))
        lines = ["slot:", f"  each: {box.pieces_of_places}"]
        if self.w.chance(2):
            lines += ["  fields: {worth: 0..9}", "  types:"]
            lines += [
                f"    {n}: {{worth: {self.dice.below(10)}}}" for n in ("first_slot", "other_slot")
            ]
            box.fields.append(("slot", "worth", "num"))
        else:
            lines.append(f"  count: {1 + self.dice.below(2)}")
        if box.pieces_of_places != "player":
            box.fields.append(("slot", box.space, box.space))
        self.put("places", *lines)

    def holder(self, name: str, section: str, of: str, rest: str) -> Holder:
        """A counter or mark."""
        box = self.box
        low = -5 if of == "low" else 0
        kinds = ["player", "", "player", *box.kinds, *box.pieces]
        each = "player" if name in ("vp", "calm") else self.w.pick(kinds)
        seen = "all"
        if each == "player" and name != "vp":
            seen = self.w.pick(("all", "all", "owner", "nobody"))
        parts = [f"each: {each}"] * bool(each) + [rest] + [f"seen by: {seen}"] * (seen != "all")
        resets = " , resets: turn" if name.endswith("1") and self.w.chance(3) else ""
        self.put(section, f"{name}: {{{', '.join(parts)}{resets}}}")
        return Holder(name, each, of, seen, low=low, high=9, hooked=name != "calm")

    def counters(self) -> None:
        """Counters: one for the score, one that no hook looks at, others."""
        ranges = ("0..", "0..9", "-5..5", "0..1", "0..70000")
        found = [
            self.holder("vp", "counters", "num", "range: 0.."),
            self.holder("calm", "counters", "num", "range: 0..40"),
        ]
        for k in range(self.dice.below(3)):
            written = self.w.pick(ranges)
            counter = self.holder(f"count{k}", "counters", "num", f"range: {written}")
            found.append(replace(counter, low=-5 if written[0] == "-" else 0))
        self.box.counters += found

    def marks(self) -> None:
        """Marks of all types."""
        box = self.box
        for k in range(self.dice.below(4)):
            kind = self.w.any_kind()
            ways = [("flag", "type: flag, start: false"), ("num", "type: 0..9, start: 0")]
            ways += [(f"{kind}?", f"type: {kind} or none, start: none")]
            ways += [(f"set {kind}", f"type: set of {kind}, start: ()")]
            if kind in box.kinds:
                ways += [(kind, f"type: {kind}, start: {box.kinds[kind][0]}")]
            of, written = self.w.pick(ways)
            self.box.marks.append(self.holder(f"mark{k}", "marks", of, written))
