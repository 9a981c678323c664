// Ten colleagues in one process, for the benchmark of the relay: the quickstart, both releases, and a panel of 250 sessions of
// both factors. Arguments: address, folder, and their keys. Prints what each of them loaded, as hashes without `source` and
// `retrieved_at`.
import { createHash } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import type { DataFrame } from "nodejs-polars";
import { connect } from "../mod.ts";

const [baseUrl = "", folder = "", from = "", to = "", ...keys] = process.argv.slice(2);
const RECEIPT = ["source", "retrieved_at"];

const loaded = await Promise.all(keys.map(async (apiKey, i) => {
  await using api = await connect({
    ...{ baseUrl, apiKey, environment: {} },
    store: join(folder, `store-${i}`),
    cacheDir: join(folder, `cache-${i}`),
    // Thirty colleagues at once on two cores: none of them gives up.
    ...{ timeoutMs: 300_000, deadlineMs: 1_200_000, maxWaitMs: 1_200_000 },
  });
  const frames = [
    await api.factors(),
    await api.scores("ecpnd"),
    await api.scores("ecqdi"),
    await api.history("ecpnd", { progress: false }) as DataFrame,
    await api.history("ecqdi", { progress: false }) as DataFrame,
    await api.panel(["ecpnd", "ecqdi"], { sessions: { from, to }, progress: false }),
  ];
  return frames.map(hashOf);
}));
process.stdout.write(`${JSON.stringify(loaded)}\n`);

function hashOf(frame: DataFrame): string {
  const columns = frame.columns.filter((name) => !RECEIPT.includes(name));
  return createHash("sha256").update(frame.select(...columns).writeCSV()).digest("hex");
}
