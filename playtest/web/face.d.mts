/** A language of the labels. */
export type Language = "en" | "ja";

/** A text in each language. */
export type Words = Record<Language, string>;

/** A member by its id, a number, a flag, a set of members; null where there is none. */
export type Value = string | number | boolean | string[] | null;

/** Something that a player can choose. */
export interface Option {
  /** The text that names it: `put_stone(cell=b2)`; a piece that is not seen goes by its place. */
  readonly option: string;
  /** The same in the words of the game. */
  readonly label: string;
  /** The name of the action; `choose` for a plain choice, `pass`, `done`. */
  readonly action: string;
  /** The values by name, as the player calls them. */
  readonly params: Readonly<Record<string, string>>;
  /** Its number among the answers to this question. */
  readonly candidate: number;
}

/** A question that waits for a player's answer. */
export interface Decision {
  /** Who is asked, from 1. */
  readonly player: number;
  /** The stable path of the question: `rules.put_stone.choose.cell`. */
  readonly id: string;
  readonly prompt: string;
}

/** How a game ended. */
export interface Result {
  readonly ended: "won" | "lost" | "drawn" | "score";
  readonly winners: number[];
  /** Groups of players from the best on; players of one group share their place. */
  readonly ranking: number[][];
  /** Counter to player to value, for the counters that decide. */
  readonly scores: Record<string, Record<string, number>>;
}

/** A zone: how many pieces lie in it, and which, as far as the viewer sees them. */
export interface Zone {
  readonly count: number;
  /** In their order where the zone has one; null is a free slot. */
  readonly pieces?: (string | null)[];
  /** Pieces that the viewer knows although they do not see the zone. */
  readonly revealed?: string[];
}

/** What one player may see, or a spectator. */
export interface View {
  readonly game: string;
  readonly players: number;
  readonly viewer: number | null;
  readonly over: boolean;
  /** By name, or by name and member where each player, space or piece has one. */
  readonly zones: Record<string, Zone | Record<string, Zone>>;
  readonly counters: Record<string, Value | Record<string, Value>>;
  readonly marks: Record<string, Value | Record<string, Value>>;
  /** Piece to side. */
  readonly sides: Record<string, string>;
  /** The players who are known to be asked. */
  readonly pending: number[];
  /** What the viewer is asked. */
  readonly decisions: {
    readonly id: string;
    readonly prompt: string;
    readonly options: { readonly option: string; readonly label: string }[];
  }[];
  readonly result?: Result;
}

/** A choice that is not possible now. */
export class IllegalOption extends Error {}

/** The rules went wrong; the game stands as before. */
export class RulesFault extends Error {
  /** What went wrong: `RANGE`, `EMPTY`, `FUEL` ... */
  readonly code: string;
  /** The rule and its place in the game file, where it is known. */
  readonly place: string;
}

/** One game under way. Players count from 1. */
export interface Game {
  readonly name: string;
  readonly title: Words;
  readonly players: number;
  /** The rulings and options that it was built with. */
  readonly settings: Record<string, string>;
  readonly fingerprint: string;
  /** Whether the game has ended. */
  readonly over: boolean;

  /** Begin; the same seed and choices give the same game. */
  start(seed: number | bigint): this;
  /** Who is asked now, and what; several players where a choice is simultaneous. */
  pending(lang?: Language): Decision[];
  /** What a player can choose now; nothing where they are not asked. */
  options(player: number, lang?: Language): Option[];
  /** A choice: an option, or its text. Throws `IllegalOption` and `RulesFault`. */
  apply(player: number, option: Option | string): this;
  /** One whole game of random play; how many choices there were. The game stands at its end. */
  playout(seed: number | bigint, most?: number): number;
  /** What a player may see; without a player what a spectator sees. */
  view(player?: number | null, lang?: Language): View;
  /** How the game ended; null while it runs. */
  result(): Result | null;
  /** The whole state, with all that is hidden: the same bytes as in Python. */
  bytes(): Uint8Array;
  /** Go back to a state that `bytes` of this very game gave. */
  restore(bytes: Uint8Array): this;
}

/**
 * The game whose files lie beside this one, or in another folder: a whole address, or one as seen
 * from this file. It ends with a slash: `load("../other/")`.
 */
export function load(folder?: string | URL): Promise<Game>;

/** A game from the bytes of `game.wasm` and the data of `game.json`. */
export function create(code: ArrayBuffer | ArrayBufferView, names: object): Promise<Game>;
