// Reading the bytes of one state by the places that the sheet gives. Sets are BigInts, and players
// count from 0 here. Takes the sheet and the bytes; changes nothing.

export const OVER = 2, WAITING = 1;
export const SET_OF = "set of ";

/** The members of a set, smallest first. */
export function members(set) {
  const found = [];
  for (let k = 0; set; k++, set >>= 1n) {
    if (set & 0xffffffffn) {
      if (set & 1n) found.push(k);
    } else {
      k += 31;
      set >>= 31n;
    }
  }
  return found;
}

export const has = (set, k) => k >= 0 && ((set >> BigInt(k)) & 1n) === 1n;

export class StateBytes {
  constructor(sheet, bytes) {
    this.sheet = sheet;
    this.bytes = bytes;
    this.data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  int(at) {
    return this.data.getInt32(at, true);
  }

  word(at) {
    return this.data.getBigUint64(at, true);
  }

  /** Number `i` of a field. */
  number([at, width], i = 0) {
    return width === 2 ? this.data.getInt16(at + 2 * i, true) : this.int(at + 4 * i);
  }

  /** Set `i` of a field of sets. */
  set([at, words], i = 0) {
    let out = 0n;
    for (let k = words - 1; k >= 0; k--) out = (out << 64n) | this.word(at + 8 * (i * words + k));
    return out;
  }

  get status() {
    return this.int(this.sheet.header.status);
  }

  /** The one player who is asked; -1 while several are, or nobody is. */
  get actor() {
    return this.int(this.sheet.header.actor);
  }

  /** The players who are asked and have not answered. */
  get pending() {
    return members(this.word(this.sheet.header.pending));
  }

  /** What a player is asked, and the values that the question knows. */
  question(player) {
    const frame = 8 * this.int(this.sheet.header.top);
    const point = this.sheet.points[this.int(frame + 4)];
    if (point.args) {
      const words = this.sheet.set_words;
      const value = (a) => (typeof a === "number" ? a
        : a.set ? this.set([frame + a.at, words]) : this.int(frame + a.at));
      return { stage: point.stages[0], args: point.args.map(value) };
    }
    const stage = point.stage ? this.number(point.stage, player) : 0;
    const earlier = point.answers.slice(0, stage).map((cells) => this.number(cells, player));
    return { stage: point.stages[stage], args: [player, ...earlier] };
  }

  // ------------------------------------------------------------ who sees what

  /** The pieces of a kind in a zone. */
  inside(kind, zone) {
    return this.set(this.sheet.groups[kind].contents, zone);
  }

  /** The pieces that were revealed to a player (-1: to all) and have not moved since. */
  revealed(kind, viewer) {
    const field = this.sheet.groups[kind].revealed;
    if (!field) return 0n;
    if (viewer >= 0) return this.set(field, viewer);
    let all = -1n;
    for (let seat = 0; seat < field[2]; seat++) all &= this.set(field, seat);
    return all;
  }

  /** The pieces of a kind that a player sees. */
  visible(kind, viewer) {
    let seen = this.revealed(kind, viewer);
    this.sheet.groups[kind].zones.forEach((zone, k) => {
      if (sees(zone, zone.viewer, viewer)) seen |= this.inside(kind, k);
    });
    return seen;
  }
}

/** Whether a player (-1: a spectator) sees a zone, or the number of a field that is `owner`'s. */
export function sees(declared, owner, viewer) {
  return declared.seen === "all" || (declared.seen === "owner" && viewer >= 0 && owner === viewer);
}
