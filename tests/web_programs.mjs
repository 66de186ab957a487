// Random games of bare programs: `node web_programs.mjs < programs > states`. Each program is its
// module in base 64, the plan of its memory, the size of a state, and seeds.
import { readFileSync } from "node:fs";

const out = [];
for (const { code, memory: plan, size, seeds, most } of JSON.parse(readFileSync(0, "utf8"))) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(plan.end / 65536) });
  const bytes = new Uint8Array(memory.buffer);
  const env = {
    __linear_memory: memory,
    __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, plan.stack),
    memcpy: (to, from, n) => (bytes.copyWithin(to, from, from + n), to),
    memset: (to, value, n) => (bytes.fill(value, to, to + n), to),
  };
  const module = new WebAssembly.Module(Buffer.from(code, "base64"));
  const { exports } = new WebAssembly.Instance(module, { env });
  out.push(seeds.map((seed) => {
    const many = exports.random_game(plan.state, plan.context, seed, 0, most);
    return [many, Buffer.from(bytes.slice(plan.state, plan.state + size)).toString("hex")];
  }));
}
process.stdout.write(JSON.stringify(out));
