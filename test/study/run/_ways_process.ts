// Tries every way out of a box, or of none, as the user that runs it; listeners and files of its parent tell what arrived.
import { join } from "node:path";
import { type BoxTier, openBox } from "../../../src/study/run/box.ts";
import { cellWays } from "./_cell_ways.ts";

const [folder = "", tier = ""] = Deno.args;
const aims = { ...JSON.parse(Deno.readTextFileSync(join(folder, "aims.json"))), runner: Deno.pid };
Deno.writeTextFileSync(
  join(folder, "aims.json"),
  JSON.stringify({ ...aims, deno: Deno.execPath() }),
);
const ways = cellWays(aims);
const source = `const ways = [${ways.map((way) => `async () => { ${way} }`).join(",\n")}];
const said = await Promise.all(ways.map(async (way) => {
  const late = new Promise((end) => setTimeout(() => end("nothing yet"), 2000));
  return await Promise.race([way(), late]).then((got) => "got " + String(got), (error) => String(error));
}));
console.log(JSON.stringify({ said, native: JSON.parse(Deno.readTextFileSync("tried.json")) }));`;
const cell = {
  cell_type: "code",
  id: "a",
  source,
  metadata: {},
  outputs: [],
  execution_count: null,
};
const box = await openBox({ isTrusted: tier === "trust", tiers: [tier as BoxTier] });
const { cells, box: { tier: chosen } } = await box.execute({ cells: [cell] }, {
  ...{ folder, path: "a.ipynb", timeoutS: 120 },
  kernel: ["/usr/bin/python3", "-I", "hostile.py"],
});
const texts = (cells[1]!.outputs ?? []).map(({ text, evalue }) => [text ?? evalue].flat().join(""));
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify({ chosen, text: texts.join("") })));
