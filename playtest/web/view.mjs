// What a player may see, and how the game ended, as plain data by names. Takes the bytes of a state
// and the player (from 0; -1 a spectator); the same data as the interpreter in Python gives.

import { Sight } from "./sight.mjs";
import { OVER, SET_OF, has, members, sees } from "./state.mjs";

/** The view but for what is asked. */
export function viewOf(state, viewer) {
  const { sheet } = state;
  const sight = new Sight(state, viewer);
  const out = {
    game: sheet.game,
    players: sheet.players,
    viewer: viewer < 0 ? null : viewer + 1,
    over: state.status === OVER,
    zones: zones(state, sight, viewer),
    counters: {},
    marks: {},
    sides: sides(state, sight, viewer),
  };
  for (const counter of sheet.counters) {
    out[counter.mark ? "marks" : "counters"][counter.name] = values(state, sight, counter, viewer);
  }
  return out;
}

function zones(state, sight, viewer) {
  const out = {};
  for (const [kind, group] of Object.entries(state.sheet.groups)) {
    group.zones.forEach((zone, k) => {
      const shown = zoneOf(state, sight, kind, k, viewer);
      if (zone.member !== null) {
        (out[zone.name] ??= {})[zone.member] = shown;
      } else if (zone.name in out) {
        out[zone.name].count += shown.count;
        out[zone.name].pieces.push(...shown.pieces);
      } else {
        out[zone.name] = shown;
      }
    });
  }
  return out;
}

function zoneOf(state, sight, kind, number, viewer) {
  const group = state.sheet.groups[kind];
  const zone = group.zones[number];
  const pieces = members(state.inside(kind, number));
  const shown = { count: pieces.length };
  if (!sees(zone, zone.viewer, viewer)) {
    const known = state.revealed(kind, viewer);
    const revealed = pieces.filter((k) => has(known, k)).map((k) => sight.id(kind, k));
    if (revealed.length) shown.revealed = revealed;
    return shown;
  }
  const place = (k) => (group.place ? state.number(group.place, k) : 0);
  if (zone.ordered) pieces.sort((a, b) => place(a) - place(b));
  if (!zone.gaps) {
    shown.pieces = pieces.map((k) => sight.id(kind, k));
    return shown;
  }
  const length = zone.capacity >= 0 ? zone.capacity : Math.max(-1, ...pieces.map(place)) + 1;
  shown.pieces = Array(length).fill(null);
  for (const k of pieces) if (place(k) < length) shown.pieces[place(k)] = sight.id(kind, k);
  return shown;
}

function values(state, sight, counter, viewer) {
  const { sheet } = state;
  const value = (i) => sight.plain(
    counter.kind,
    counter.kind.startsWith(SET_OF) ? state.set(counter.sets, i) : state.number(counter.cells, i),
  );
  const seen = (i) => sees(counter, counter.viewers[i] ?? -1, viewer);
  if (!counter.each) return seen(0) ? value(0) : null;
  const out = {};
  const visible = sheet.groups[counter.each] ? state.visible(counter.each, viewer) : null;
  (sheet.kinds[counter.each]?.ids ?? []).forEach((id, i) => {
    if ((visible === null || has(visible, i)) && seen(i)) out[id] = value(i);
  });
  return out;
}

function sides(state, sight, viewer) {
  const out = {};
  for (const [kind, group] of Object.entries(state.sheet.groups)) {
    if (!group.side) continue;
    for (const piece of members(state.visible(kind, viewer))) {
      out[sight.id(kind, piece)] = sight.id(`${kind}.side`, state.number(group.side, piece));
    }
  }
  return out;
}

/** How the game ended; `alone`: says whether the one who plays alone has won. */
export function resultOf(state, alone) {
  const { sheet } = state;
  const info = sheet.result;
  const everybody = Array.from({ length: sheet.players }, (_, k) => k + 1);
  const scores = {};
  for (const [name, cells] of Object.entries(info.scores)) {
    scores[name] = {};
    for (const player of everybody) scores[name][player] = state.number(cells, player - 1);
  }
  const ended = info.ending ? info.endings[state.number(info.ending)] : "score";
  if (ended === "won") {
    const winners = members(state.set(info.winners)).map((k) => k + 1);
    const others = everybody.filter((player) => !winners.includes(player));
    return { ended, winners, ranking: [winners, others].filter((g) => g.length), scores };
  }
  if (ended !== "score" || info.by_stop) {
    return { ended: ended === "score" ? "drawn" : ended, winners: [], ranking: [everybody], scores };
  }
  const alive = info.alive ? state.set(info.alive) : -1n;
  const key = (player) => [
    has(alive, player - 1) ? 0 : 1,
    ...info.most.map((name) => -scores[name][player]),
    ...info.least.map((name) => scores[name][player]),
  ];
  const ranking = [];
  const order = (a, b) => key(a).map((v, k) => v - key(b)[k]).find((d) => d) ?? 0;
  for (const player of [...everybody].sort((a, b) => order(a, b) || a - b)) {
    const last = ranking.at(-1);
    if (last && order(last[0], player) === 0) last.push(player);
    else ranking.push([player]);
  }
  if (sheet.players === 1 && info.solo) {
    const won = alone();
    return { ended: won ? "won" : "lost", winners: won ? [1] : [], ranking, scores };
  }
  const decided = info.most.length || info.least.length;
  return { ended: "score", winners: decided ? ranking[0] : [], ranking, scores };
}
