# Tic-tac-toe for RLC: the rules, and random play in the language itself.
import action
import rng
import collections.vector

cls Table:
  Int[9] owner
  Int stones

  fun mover() -> Int:
    return 1 + self.stones % 2

  fun same(Int first, Int step, Int me) -> Bool:
    return self.owner[first] == me and self.owner[first + step] == me and self.owner[first + 2 * step] == me

  fun has_line(Int me) -> Bool:
    let k = 0
    while k < 3:
      if self.same(3 * k, 1, me) or self.same(k, 3, me):
        return true
      k = k + 1
    return self.same(0, 4, me) or self.same(2, 2, me)

@classes
act play() -> Game:
  frm table : Table
  while table.stones != 9:
    act put(BInt<0, 9> where) { table.owner[where.value] == 0 }
    let me = table.mover()
    table.owner[where.value] = me
    table.stones = table.stones + 1
    if table.has_line(me):
      return

fun random_games(Int games, Int seed) -> Int:
  let chance = make_rng(seed)
  let kind : AnyGameAction
  let every = enumerate(kind)
  let open : Vector<Int>
  let moves = 0
  while games != 0:
    let game = play()
    while !game.is_done():
      open.clear()
      let k = 0
      while k != every.size():
        if can apply(every[k], game):
          open.append(k)
        k = k + 1
      apply(every[open[chance.randint(0, open.size())]], game)
      moves = moves + 1
    games = games - 1
  return moves
