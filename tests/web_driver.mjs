// Plays games that a test gives, with the built face: `node web_driver.mjs FOLDER < games > moments`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { load } = await import(pathToFileURL(join(folder, "face.mjs")).href);
const game = await load();

function moment() {
  const players = Array.from({ length: game.players }, (_, k) => k + 1);
  return {
    bytes: Buffer.from(game.bytes()).toString("hex"),
    pending: game.pending(),
    options: players.map((player) => game.options(player)),
    views: [null, ...players].map((player) => game.view(player)),
    ja: game.view(1, "ja"),
    result: game.result(),
  };
}

const out = [];
for (const { seed, choices } of JSON.parse(readFileSync(0, "utf8"))) {
  game.start(BigInt(seed));
  const moments = [moment()];
  for (const [player, option] of choices) moments.push((game.apply(player, option), moment()));
  const end = game.bytes();
  const random = game.playout(BigInt(seed), 60);
  const last = Buffer.from(game.bytes()).toString("hex");
  out.push({ moments, random, last, back: Buffer.from(game.restore(end).bytes()).equals(end) });
}
process.stdout.write(JSON.stringify(out));
