// What a player calls the values of a state: a piece that they do not see goes by its place. Takes
// the bytes of a state, the player (from 0; -1 a spectator) and the pieces that are offered. What it
// says is word for word what the interpreter in Python says.

import { SET_OF, has, members } from "./state.mjs";

const NO_NUMBER = -(2 ** 31);
const MASK = (1n << 64n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;

export class Sight {
  #state;
  #sheet;
  #viewer;
  #among;
  #hidden = {};

  constructor(state, viewer, among = 0n) {
    this.#state = state;
    this.#sheet = state.sheet;
    this.#viewer = viewer;
    this.#among = among;
  }

  /** The pieces of a kind that the player does not see. */
  hidden(kind) {
    const group = this.#sheet.groups[kind];
    if (!group?.partly) return 0n;
    const all = (1n << BigInt(group.n)) - 1n;
    return (this.#hidden[kind] ??= all & ~this.#state.visible(kind, this.#viewer));
  }

  #isHidden(kind, value) {
    return typeof value === "number" && has(this.hidden(kind), value);
  }

  // ------------------------------------------------------------ names

  /** The id of a member, or a number or flag as it is written, whoever sees it. */
  id(kind, value) {
    if (kind === "flag") return value ? "true" : "false";
    const known = this.#sheet.kinds[kind];
    if (!known) return value === NO_NUMBER ? "none" : String(value);
    return known.ids[value] ?? "none";
  }

  /** A value that is settled; with `candidate` one that is offered. */
  show(kind, value, candidate = false) {
    if (kind.startsWith(SET_OF)) return `(${this.names(kind, value).join(", ")})`;
    if (!this.#isHidden(kind, value)) return this.id(kind, value);
    return this.#byPlace(kind, value, candidate ? this.#among : 0n);
  }

  /** The names in a set; the hidden ones come last. */
  names(kind, set) {
    const inner = kind.slice(SET_OF.length);
    const hidden = set & this.hidden(inner);
    const unseen = members(hidden).map((k) => this.show(inner, k));
    return [...members(set & ~hidden).map((k) => this.show(inner, k)), ...unseen.sort(byCode)];
  }

  /** A value as plain data: a number, a flag, an id or null, a list of ids. */
  plain(kind, value) {
    if (kind.startsWith(SET_OF)) return this.names(kind, value);
    if (this.#isHidden(kind, value)) return this.show(kind, value);
    if (kind === "flag") return value !== 0;
    if (!this.#sheet.kinds[kind]) return value === NO_NUMBER ? null : value;
    return value >= 0 ? this.id(kind, value) : null;
  }

  /** A value in the words of the game. */
  label(kind, value, lang, candidate = false) {
    if (kind.startsWith(SET_OF)) {
      const inner = kind.slice(SET_OF.length);
      return members(value).map((k) => this.label(inner, k, lang)).join(", ");
    }
    const known = this.#sheet.kinds[kind];
    if (!this.#isHidden(kind, value)) return known?.labels[lang][value] ?? this.id(kind, value);
    const zone = this.#zone(kind, value);
    const number = this.#number(kind, value, candidate ? this.#among : 0n);
    const where = zone.owner >= 0 ? this.#sheet.kinds.player.labels[lang][zone.owner]
      : zone.label[lang];
    const said = this.#sheet.unseen[number === null ? "any" : "numbered"][lang];
    const parts = { kind: known.label[lang], number, where };
    return said.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
  }

  /** Candidates as they are listed: hidden ones come last, by zone and number. */
  ordered(kind, values) {
    const hidden = this.hidden(kind);
    const unseen = values.filter((k) => has(hidden, k));
    const where = this.#sheet.groups[kind].where;
    const key = (k) => [this.#state.number(where, k), this.#number(kind, k, this.#among) ?? 0];
    const keyed = unseen.map((k) => [k, ...key(k)]);
    keyed.sort((a, b) => a[1] - b[1] || a[2] - b[2]);
    return [...values.filter((k) => !has(hidden, k)), ...keyed.map(([k]) => k)];
  }

  // ------------------------------------------------------------ places

  #zone(kind, piece) {
    const group = this.#sheet.groups[kind];
    return group.zones[this.#state.number(group.where, piece)];
  }

  #byPlace(kind, piece, among) {
    const zone = this.#zone(kind, piece);
    const number = this.#number(kind, piece, among);
    return `${this.#spelled(zone)}[${number ?? "any"}]`;
  }

  #spelled(zone) {
    if (zone.member === null || (zone.owner >= 0 && zone.owner === this.#viewer)) return zone.name;
    return zone.owner >= 0 ? `p${zone.owner + 1}.${zone.name}` : `${zone.member}.${zone.name}`;
  }

  /** The number of a hidden piece in its zone, from 1; null where only a lot could tell. */
  #number(kind, piece, among) {
    const group = this.#sheet.groups[kind];
    const where = this.#state.number(group.where, piece);
    const zone = group.zones[where];
    const placeOf = (k) => (group.place ? this.#state.number(group.place, k) : 0);
    const place = placeOf(piece);
    if (zone.gaps) return place + 1;
    let there = this.#state.inside(kind, where);
    if (!zone.ordered) there &= this.hidden(kind);
    const pieces = members(there);
    const before = pieces.filter((k) => placeOf(k) < place).length;
    const tied = pieces.filter((k) => placeOf(k) === place);
    if (tied.length === 1) return before + 1;
    if (!has(among, piece)) return null;
    const drawn = tied.filter((k) => has(among, k)).map((k) => [this.#lot(group, k), k]);
    drawn.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    return before + drawn.findIndex(([, k]) => k === piece) + 1;
  }

  #lot(group, piece) {
    const [at, width] = group.where;
    const { header } = this.#sheet;
    const lies = BigInt(crc32(this.#state.bytes.subarray(at, at + group.n * width)));
    const seed = this.#state.word(header.seed) ^ (lies << 32n)
      ^ BigInt(this.#state.int(header.counter));
    return mix64((mix64(seed & MASK) + GOLDEN * BigInt(piece + 1)) & MASK);
  }
}

const byCode = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function mix64(z) {
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
