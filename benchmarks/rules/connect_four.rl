# Connect four for RLC: the rules, and random play in the language itself.
import action
import rng
import collections.vector

cls Table:
  Int[42] owner
  Int[7] height
  Int discs

  fun is_of(Int column, Int row, Int me) -> Bool:
    if column < 0 or column > 6 or row < 0 or row > 5:
      return false
    return self.owner[row * 7 + column] == me

  fun reach(Int column, Int row, Int right, Int up, Int me) -> Int:
    let many = 0
    let x = column + right
    let y = row + up
    while self.is_of(x, y, me):
      many = many + 1
      x = x + right
      y = y + up
    return many

  fun along(Int column, Int row, Int right, Int up, Int me) -> Bool:
    return self.reach(column, row, right, up, me) + self.reach(column, row, 0 - right, 0 - up, me) > 2

  fun has_four(Int column, Int row, Int me) -> Bool:
    if self.along(column, row, 1, 0, me) or self.along(column, row, 0, 1, me):
      return true
    return self.along(column, row, 1, 1, me) or self.along(column, row, 1, 0 - 1, me)

@classes
act play() -> Game:
  frm table : Table
  while table.discs != 42:
    act drop(BInt<0, 7> column) { table.height[column.value] != 6 }
    let me = 1 + table.discs % 2
    let row = table.height[column.value]
    table.owner[row * 7 + column.value] = me
    table.height[column.value] = row + 1
    table.discs = table.discs + 1
    if table.has_four(column.value, row, me):
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
