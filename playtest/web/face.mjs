// A game of Rulewright in a page or in Node: start it, ask for options and views, apply a choice.
// `game.wasm` takes the steps, `game.json` gives the names. Players count from 1. Nothing is loaded
// from elsewhere.

import { Sight } from "./sight.mjs";
import { OVER, StateBytes, WAITING, members } from "./state.mjs";
import { resultOf, viewOf } from "./view.mjs";

const FORMAT = 1;
const FAULT = 3, ILLEGAL = 4, BROKEN_OPTIONS = 5;
const LANGUAGES = ["en", "ja"];

/** A choice that is not possible now. */
export class IllegalOption extends Error {
  name = "IllegalOption";
}

/** The rules went wrong; the game stands as before. */
export class RulesFault extends Error {
  name = "RulesFault";
  constructor(code, place) {
    super(`the rules went wrong: ${code}${place ? ` in ${place}` : ""}`);
    this.code = code;
    this.place = place;
  }
}

/** The game whose files lie in a folder: that of this file, or one as seen from there (`../x/`). */
export async function load(folder = import.meta.url) {
  const base = new URL(folder, import.meta.url);
  const [code, text] = await Promise.all(
    ["game.wasm", "game.json"].map((name) => read(new URL(name, base))),
  );
  return create(code, JSON.parse(new TextDecoder().decode(text)));
}

async function read(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** A game from the bytes of `game.wasm` and the data of `game.json`. */
export async function create(code, sheet) {
  if (sheet?.format !== FORMAT) {
    throw new Error(`expected names of format ${FORMAT}, found ${sheet?.format}`);
  }
  const memory = new WebAssembly.Memory({ initial: Math.ceil(sheet.memory.end / 65536) });
  const bytes = () => new Uint8Array(memory.buffer); // anew: growing the memory ends older ones
  const env = {
    __linear_memory: memory,
    __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, sheet.memory.stack),
    memcpy: (to, from, n) => (bytes().copyWithin(to, from, from + n), to),
    memset: (to, value, n) => (bytes().fill(value, to, to + n), to),
  };
  const { instance } = await WebAssembly.instantiate(code, { env });
  return new Game(sheet, instance.exports, memory);
}

class Game {
  #sheet;
  #steps;
  #memory;
  #state = null;

  constructor(sheet, steps, memory) {
    this.#sheet = sheet;
    this.#steps = steps;
    this.#memory = memory;
  }

  get name() {
    return this.#sheet.game;
  }

  get title() {
    return { ...this.#sheet.title };
  }

  get players() {
    return this.#sheet.players;
  }

  get settings() {
    return { ...this.#sheet.options };
  }

  get fingerprint() {
    return this.#sheet.fingerprint;
  }

  // ------------------------------------------------------------ play

  /** Begin; the same seed and choices give the same game. Gives the game. */
  start(seed) {
    const status = this.#steps.begin(this.#at("state"), this.#at("context"), ...words(seed));
    if (status === FAULT) throw this.#fault();
    this.#state = this.#taken();
    return this;
  }

  get over() {
    return this.#now().status === OVER;
  }

  /** Who is asked now, and what; several players where a choice is simultaneous. */
  pending(lang = "en") {
    const state = this.#now();
    if (state.status !== WAITING) return [];
    return state.pending.map((player) => this.#decision(state, player, lang));
  }

  /** What a player can choose now; nothing where they are not asked. */
  options(player, lang = "en") {
    const state = this.#now();
    this.#check(player);
    language(lang);
    if (state.status !== WAITING || !state.pending.includes(player - 1)) return [];
    return this.#options(state, player - 1, lang);
  }

  /** A choice: an option of `options`, or its text. Gives the game. */
  apply(player, option) {
    this.#check(player);
    const text = typeof option === "string" ? option : option?.option;
    const chosen = this.options(player).find((other) => other.option === text);
    if (!chosen) {
      const asked = this.pending().some((decision) => decision.player === player);
      throw new IllegalOption(
        asked ? `\`${text}\` is not among the options of player ${player}`
          : `player ${player} is not asked now`,
      );
    }
    this.#give(this.#now());
    const place = [this.#at("state"), this.#at("context")];
    const status = this.#steps.step(...place, player - 1, chosen.candidate);
    if (status === ILLEGAL) throw new IllegalOption(`\`${text}\` is not possible`);
    if (status === FAULT || status === BROKEN_OPTIONS) throw this.#fault();
    this.#state = this.#taken();
    return this;
  }

  /** One whole game of random play from a seed, at most so many choices; how many there were. */
  playout(seed, most = 100_000) {
    const place = [this.#at("state"), this.#at("context")];
    const many = this.#steps.random_game(...place, ...words(seed), most);
    const state = this.#taken();
    if (state.status === FAULT) {
      throw this.#faultOf(state.int(this.#sheet.header.code), state.int(this.#sheet.header.site));
    }
    this.#state = state;
    return many;
  }

  // ------------------------------------------------------------ what can be seen

  /** What a player may see, by names; without a player what a spectator sees. */
  view(player = null, lang = "en") {
    const state = this.#now();
    if (player !== null) this.#check(player);
    language(lang);
    const viewer = player === null ? -1 : player - 1;
    const out = viewOf(state, viewer);
    const asked = state.status === WAITING ? state.pending : [];
    const own = asked.filter((k) => k === viewer);
    out.pending = (state.actor >= 0 ? asked : own).map((k) => k + 1);
    out.decisions = own.map((k) => {
      const { id, prompt } = this.#decision(state, k, lang);
      const options = this.#options(state, k, lang);
      return { id, prompt, options: options.map(({ option, label }) => ({ option, label })) };
    });
    if (state.status === OVER) out.result = this.result();
    return out;
  }

  /** How the game ended; null while it runs. */
  result() {
    const state = this.#now();
    if (state.status !== OVER) return null;
    return resultOf(state, () => {
      this.#give(state);
      return this.#steps.alone(this.#at("state"), this.#at("context")) !== 0;
    });
  }

  // ------------------------------------------------------------ as data

  /** The whole state, with all that is hidden: the same bytes as in Python. */
  bytes() {
    return this.#now().bytes.slice();
  }

  /** Go back to a state that `bytes` of this very game gave. Gives the game. */
  restore(bytes) {
    if (!(bytes instanceof Uint8Array) || bytes.length !== this.#sheet.size) {
      throw new TypeError(`expected the ${this.#sheet.size} bytes of a state of \`${this.name}\``);
    }
    const state = new StateBytes(this.#sheet, bytes.slice());
    if (state.status !== WAITING && state.status !== OVER) {
      throw new TypeError("expected a state in which somebody is asked, or which is over");
    }
    this.#state = state;
    return this;
  }

  // ------------------------------------------------------------ inside

  #now() {
    if (this.#state === null) throw new Error("the game has not begun: call `start` first");
    return this.#state;
  }

  #at(name) {
    return this.#sheet.memory[name];
  }

  #check(player) {
    if (!Number.isInteger(player) || player < 1 || player > this.players) {
      throw new RangeError(`expected player 1 to ${this.players}, found ${player}`);
    }
  }

  #taken() {
    const bytes = new Uint8Array(this.#memory.buffer, this.#at("state"), this.#sheet.size);
    return new StateBytes(this.#sheet, bytes.slice());
  }

  #give(state) {
    new Uint8Array(this.#memory.buffer).set(state.bytes, this.#at("state"));
  }

  #fault() {
    const data = new DataView(this.#memory.buffer);
    const read = (name) => Number(data.getBigInt64(this.#at(name), true));
    return this.#faultOf(read("fault_code"), read("fault_site"));
  }

  #faultOf(code, site) {
    return new RulesFault(this.#sheet.faults[code - 1] ?? "UNKNOWN", this.#sheet.sites[site] ?? "");
  }

  #decision(state, player, lang) {
    const { stage } = state.question(player);
    return { player: player + 1, id: stage.id, prompt: stage.prompt[language(lang)] };
  }

  /** The candidates of a player as a set. */
  #candidates(state, player) {
    this.#give(state);
    const place = [this.#at("state"), this.#at("context")];
    if (this.#steps.options(...place, player, this.#at("set")) === FAULT) throw this.#fault();
    const bytes = new Uint8Array(this.#memory.buffer).slice(this.#at("set"), this.#at("end"));
    return new StateBytes(this.#sheet, bytes).set([0, this.#sheet.set_words]);
  }

  #options(state, player, lang) {
    const offered = this.#candidates(state, player);
    const { stage, args } = state.question(player);
    return stage.ranges.flatMap((part) => this.#inRange(state, player, lang, offered, part, args));
  }

  #inRange(state, player, lang, offered, part, args) {
    const group = this.#sheet.groups[part.kind];
    const here = (offered >> BigInt(part.low)) & ((1n << BigInt(part.size)) - 1n);
    const among = group?.partly ? here << BigInt(part.first) : 0n;
    const sight = new Sight(state, player, among);
    let values = members(here).map((k) => k + part.first);
    if (group?.partly && part.param) values = sight.ordered(part.kind, values);
    const fixed = part.fixed.filter(([, , where]) => where < args.length)
      .map(([name, kind, where]) => ({ name, kind, value: args[where] }));
    return values.map((value) => {
      const all = part.param ? [...fixed, { name: part.param, kind: part.kind, value }] : fixed;
      const last = part.param ? all.length - 1 : -1;
      const shown = all.map((v, k) => sight.show(v.kind, v.value, k === last));
      const said = all.map((v, k) => sight.label(v.kind, v.value, lang, k === last)).join(", ");
      const inner = all.map((v, k) => `${v.name}=${shown[k]}`).join(", ");
      const word = part.label[lang];
      return {
        option: all.length ? `${part.action}(${inner})` : part.action,
        label: !all.length ? word : part.action === "choose" ? said : `${word}: ${said}`,
        action: part.action,
        params: Object.fromEntries(all.map((v, k) => [v.name, shown[k]])),
        candidate: value - part.first + part.low,
      };
    });
  }
}

function language(lang) {
  if (!LANGUAGES.includes(lang)) throw new RangeError(`expected \`en\` or \`ja\`, found \`${lang}\``);
  return lang;
}

/** A seed as two words of 32 bits. */
function words(seed) {
  if (typeof seed !== "bigint" && !Number.isSafeInteger(seed)) {
    throw new TypeError(`expected a whole number as the seed, found ${seed}`);
  }
  const whole = BigInt.asUintN(64, BigInt(seed));
  return [Number(whole & 0xffffffffn) | 0, Number(whole >> 32n) | 0];
}
